"""The widgets of chapter 3."""
