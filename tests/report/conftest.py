"""Without a browser the report is not looked at, and pytest says so at its end."""

from looked_at import BROWSER

collect_ignore = [] if BROWSER else ["test_report_in_a_browser.py"]


def pytest_terminal_summary(terminalreporter):
    if not BROWSER:
        terminalreporter.write_line("no chromium here: nobody looked at the report in a browser")
