"""A study's folder: found again from anywhere, and never made of somebody else's files."""

import pytest

from audition.errors import ConfigError, StoreError
from audition.study import LogSource, Study
from audition.study_directory import StudyDirectory, located, write


def study(path="log.csv", **changes):
    return Study(log=LogSource(path=str(path)), **changes)


def test_the_folder_lies_beside_the_log_and_has_its_name(tmp_path):
    assert StudyDirectory.beside(tmp_path / "log.csv.gz").path == tmp_path / "log.audition"


def test_settings_are_kept_with_paths_that_hold_when_everything_moves(tmp_path):
    here = tmp_path / "here"
    here.mkdir()
    StudyDirectory.beside(here / "log.csv").keep(study(here / "log.csv"))
    there = here.rename(tmp_path / "there")
    again = StudyDirectory.existing(there / "log.audition").study()
    assert again.log.path == str(there / "log.audition" / ".." / "log.csv")


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    (tmp_path / "study.toml").write_text("mine")
    with pytest.raises(StoreError, match="holds other files"):
        StudyDirectory(tmp_path).keep(study())
    assert (tmp_path / "study.toml").read_text() == "mine"


def test_a_folder_that_holds_no_study_is_refused_with_what_to_give(tmp_path):
    with pytest.raises(StoreError, match=r"holds no study\.toml"):
        StudyDirectory.existing(tmp_path)


def test_a_file_where_the_folder_should_be_is_an_error(tmp_path):
    place = tmp_path / "log.audition"
    place.write_text("x")
    with pytest.raises(StoreError):
        StudyDirectory(place).keep(study())


def test_results_of_other_settings_do_not_outlive_them(tmp_path):
    folder = StudyDirectory(tmp_path / "log.audition")
    folder.keep(study(tmp_path / "log.csv"))
    folder.trials.touch()
    write(folder.selection, "{}")
    folder.keep(study(tmp_path / "log.csv"))
    assert folder.selection.is_file()
    folder.keep(study(tmp_path / "log.csv", horizon=7))
    assert not folder.selection.exists()


def test_a_study_is_located_by_its_file_or_by_its_folder(tmp_path):
    place = tmp_path / "mine.toml"
    place.write_text('[log]\npath = "log.csv"\n')
    folder, settings = located(place)
    assert folder.path == tmp_path / "mine.audition"
    assert settings.log.path == str(tmp_path / "log.csv")
    folder.keep(settings)
    folder.trials.touch()
    assert located(folder.path)[0] == folder
    assert located(folder.settings)[0] == folder
    assert located(place, out=str(tmp_path / "other"))[0].path == tmp_path / "other"
    with pytest.raises(ConfigError, match="cannot be read"):
        located(tmp_path / "missing.toml")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    place = tmp_path / "report.html"
    write(place, "one")
    with pytest.raises(StoreError, match="cannot be written"):
        write(place, "two \ud800")
    assert place.read_text() == "one"
    assert list(tmp_path.iterdir()) == [place]
