"""Scripts that make what the pages show and store it in `firth/data/`, a folder a chapter."""
