"""A browser by its name, where there is one; without it the report is not looked at, and pytest
says so at its end."""

import shutil

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
collect_ignore = [] if BROWSER else ["test_report_in_a_browser.py"]


def pytest_terminal_summary(terminalreporter):
    if not BROWSER:
        terminalreporter.write_line("no chromium here: nobody looked at the report in a browser")
