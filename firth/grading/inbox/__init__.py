"""Trusted code that reads files of strangers: whose each is, and what was written; it runs none."""
