"""Tests of the browser client: the page in a real browser, and its protocol."""
