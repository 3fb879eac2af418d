"""The browser's side: the page in a real browser, and the protocol it speaks."""
