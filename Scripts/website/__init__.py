"""The modules of `Scripts/docs_site.py`."""
