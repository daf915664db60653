"""The widgets of chapter 1."""
