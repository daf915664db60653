"""Chapter 4, attention: queries, keys and values, and translation with attention."""
