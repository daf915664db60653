"""The scoreboard of all methods that make word vectors, and the bootstrap that compares them."""
