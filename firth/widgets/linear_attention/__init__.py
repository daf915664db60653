"""The widgets of chapter 7."""
