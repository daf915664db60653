"""Trusted code outside the sandbox: starts it, watches it, and doubts all that comes out of it."""
