"""What `Scripts/docs_site.py` is made of."""
