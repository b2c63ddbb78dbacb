"""What a browser makes of a page: it is opened in frames of several widths and measured there.

The page itself may run no script, so a page around it does the measuring.
"""

import base64
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
AROUND = """<!DOCTYPE html><meta charset="utf-8"><body>
<script>
const widths = WIDTHS;
function luminance(colour) {
  const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
function ground(element, view) {
  for (let at = element; at; at = at.parentElement) {
    const colour = view.getComputedStyle(at).backgroundColor;
    if (!/, 0\\)$|transparent/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
}
function boxes(picture) {
  return [...picture.querySelectorAll("text")].map((text) => {
    const box = text.getBoundingClientRect();
    return { words: text.textContent, left: box.left, right: box.right,
             top: box.top + box.height * 0.2, bottom: box.bottom - box.height * 0.2 };
  });
}
function looked(frame) {
  const view = frame.contentWindow, page = frame.contentDocument, root = page.documentElement;
  const overlaps = [], outside = [], pale = [];
  for (const picture of page.querySelectorAll("svg")) {
    if (!picture.getClientRects().length) continue;
    const words = boxes(picture);
    words.forEach((one, number) => words.slice(number + 1).forEach((other) => {
      if (one.left < other.right - 1 && other.left < one.right - 1
          && one.top < other.bottom && other.top < one.bottom)
        overlaps.push([one.words, other.words]);
    }));
    words.filter((one) => one.left < -1 || one.right > root.clientWidth + 1)
         .forEach((one) => outside.push(one.words));
  }
  const letters = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  while (letters.nextNode()) {
    const holder = letters.currentNode.parentElement;
    if (!letters.currentNode.textContent.trim() || !holder.getClientRects().length) continue;
    const style = view.getComputedStyle(holder);
    if (/^(title|desc|style|script)$/.test(holder.tagName)) continue;
    const ink = holder.closest("svg") ? style.fill : style.color;
    const found = contrast(ink, ground(holder, view));
    if (found < 4.5) pale.push([letters.currentNode.textContent.trim(), found]);
  }
  return { width: root.clientWidth, needed: root.scrollWidth, height: root.scrollHeight,
           paper: view.getComputedStyle(page.body).backgroundColor, overlaps, outside, pale,
           headings: [...page.querySelectorAll("h1, h2")].map((head) => head.textContent),
           pictures: [...page.querySelectorAll("svg")].filter((svg) => svg.getClientRects().length)
                                                      .length,
           loaded: view.performance.getEntriesByType("resource").map((entry) => entry.name) };
}
const found = {};
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  frame.src = "PAGE";
  frame.onload = () => {
    found[width] = looked(frame);
    if (Object.keys(found).length === widths.length) {
      const said = document.createElement("pre");
      const bytes = new TextEncoder().encode(JSON.stringify(found));
      said.id = "found";
      said.textContent = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      document.body.replaceChildren(said);
    }
  };
  document.body.append(frame);
}
</script></body>
"""


@dataclass(frozen=True)
class Browser:
    """A headless browser and a folder for its things."""

    path: str
    folder: Path

    def measured(
        self, page: Path, *, widths: tuple[int, ...], dark: bool = False
    ) -> dict[str, Any]:
        """What the page looks like at each width."""
        around = self.folder / "around.html"
        text = AROUND.replace("WIDTHS", json.dumps(widths)).replace("PAGE", page.as_uri())
        around.write_text(text, "utf-8")
        said = self._run(
            "--dump-dom", "--virtual-time-budget=8000", "--window-size=1600,1200",
            "--allow-file-access-from-files", around.as_uri(), dark=dark,
        )  # fmt: skip
        found = re.search(r'<pre id="found">([A-Za-z0-9+/=]+)</pre>', said)
        assert found is not None, said[:400]
        return json.loads(base64.b64decode(found[1]))

    def painted(self, page: Path, *, size: tuple[int, int], dark: bool = False) -> bytes:
        """A picture of the top of the page, as PNG."""
        place = self.folder / "seen.png"
        place.unlink(missing_ok=True)
        self._run(
            f"--screenshot={place}", f"--window-size={size[0]},{size[1]}", page.as_uri(), dark=dark
        )
        return place.read_bytes()

    def _run(self, *given: str, dark: bool) -> str:
        colours = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        done = subprocess.run(
            [
                self.path, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                "--disable-extensions", "--no-first-run", "--disable-dev-shm-usage",
                f"--user-data-dir={self.folder / 'profile'}", colours, *given,
            ],
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        return done.stdout
