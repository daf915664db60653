"""The widgets of chapter 6."""
