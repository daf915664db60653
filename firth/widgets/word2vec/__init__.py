"""The widgets of chapter 2."""
