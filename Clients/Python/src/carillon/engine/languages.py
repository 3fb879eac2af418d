"""Codes of languages, by the rule of the contract."""

from __future__ import annotations

import re

_CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_CHARACTERS = 35


def is_language_code(code: object) -> bool:
    """Whether it is 2-8 letters, then parts of 1-8 letters or digits, 35 characters at most."""
    is_text = isinstance(code, str) and len(code) <= _CHARACTERS
    return is_text and _CODE.fullmatch(str(code)) is not None
