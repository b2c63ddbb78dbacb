"""The report as people see it: on a desk and on a telephone, by day and by night."""

from io import BytesIO

import numpy as np
import pytest
from looked_at import BROWSER, Browser
from matplotlib.image import imread
from small_studies import HOSTILE, study

from audition.report import report_html

WIDTHS = (1280, 400)
SECTIONS = {
    "The choice and its rivals",
    "What every candidate is worth",
    "How much to explore",
    "Where the simulators disagree",
    "All candidates",
    "Data card",
    "What these numbers are",
    "How to get this again",
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    assert BROWSER is not None, "no chromium here: install it, so that the report is looked at"
    return Browser(BROWSER, tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    place = tmp_path_factory.mktemp("page") / "report.html"
    place.write_text(report_html(study()), "utf-8")
    return place


@pytest.fixture(scope="module", params=["light", "dark"])
def seen(browser, page, request):
    return browser.measured(page, widths=WIDTHS, dark=request.param == "dark"), request.param


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fits_its_width_and_no_words_lie_on_others(seen, width):
    found = seen[0][str(width)]
    assert found["width"] == width
    assert found["needed"] <= width
    assert found["outside"] == []
    assert found["overlaps"] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_every_word_stands_out_from_its_ground(seen, width):
    found, scheme = seen
    assert found[str(width)]["pale"] == []
    paper = [float(part) for part in found[str(width)]["paper"].strip("rgb()").split(",")]
    assert (sum(paper) > 600) is (scheme == "light")


@pytest.mark.parametrize("width", WIDTHS)
def test_every_section_and_picture_is_there_and_nothing_is_loaded(seen, width):
    found = seen[0][str(width)]
    assert set(found["headings"]) >= SECTIONS
    assert found["pictures"] == 4
    assert found["loaded"] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_first_screen_is_painted_in_both_colours(browser, page, width):
    """What is painted, not what is computed: dark paper by night, and ink on both."""
    for dark in (False, True):
        seen = imread(BytesIO(browser.painted(page, size=(width, 900), dark=dark)))
        grey = np.asarray(seen)[..., :3].mean(axis=-1)
        assert grey.shape == (900, width)
        assert bool(np.median(grey) < 0.3) is dark
        assert 0.01 < np.mean(np.abs(grey - np.median(grey)) > 0.3) < 0.3


def test_a_page_of_hostile_names_fits_and_runs_nothing(browser, tmp_path):
    place = tmp_path / "hostile.html"
    place.write_text(
        report_html(study(names=HOSTILE, reward="<script>document.title='owned'</script>")), "utf-8"
    )
    found = browser.measured(place, widths=WIDTHS)
    for width in WIDTHS:
        assert found[str(width)]["needed"] <= width
        assert found[str(width)]["overlaps"] == []
        assert not any(
            "owned" in head and "<" not in head for head in found[str(width)]["headings"]
        )


def test_an_ugly_page_is_seen_to_be_ugly(browser, tmp_path):
    """The looking itself: each fault that is looked for is found where it was made."""
    place = tmp_path / "ugly.html"
    place.write_text(
        """<!DOCTYPE html><body style="margin:0"><p style="color:#bbb">pale</p>
        <p style="width:900px">wide</p><svg width="300" height="40"><text x="5" y="20">one</text>
        <text x="9" y="22">other</text><text x="2000" y="20">far</text></svg></body>""",
        "utf-8",
    )
    found = browser.measured(place, widths=(400,))["400"]
    assert found["needed"] > 400
    assert [words for words, _ in found["pale"]] == ["pale"]
    assert found["overlaps"] == [["one", "other"]]
    assert found["outside"] == ["far"]


@pytest.mark.parametrize("scale", [1e9, 1e-9])
def test_large_and_small_numbers_have_room(browser, tmp_path, scale):
    place = tmp_path / "scaled.html"
    place.write_text(report_html(study(scale=scale)), "utf-8")
    for width, found in browser.measured(place, widths=WIDTHS).items():
        assert found["needed"] <= int(width)
        assert found["overlaps"] == found["outside"] == []
