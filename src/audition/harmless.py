"""Names from strangers' files, spelt so that they can steer neither a terminal nor a page."""

import unicodedata


def harmless(text: object) -> str:
    """The text with control, format and bidirectional characters written as escapes."""
    return "".join(
        char if char == "\n" or not unicodedata.category(char).startswith("C") else _spelt(char)
        for char in str(text)
    )


def _spelt(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
