"""The widgets of chapter 4."""
