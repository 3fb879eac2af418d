"""The format of language codes in the contract."""

from __future__ import annotations

import re

_CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_CHARACTERS = 35


def is_language_code(code: object) -> bool:
    """Returns whether a value is a valid language code.

    A code has 2-8 letters, and then any number of parts. Each part is a hyphen and 1-8 letters or
    digits. A code has at most 35 characters.
    """
    is_text = isinstance(code, str) and len(code) <= _CHARACTERS
    return is_text and _CODE.fullmatch(str(code)) is not None
