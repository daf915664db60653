"""The widgets of chapter 5."""
