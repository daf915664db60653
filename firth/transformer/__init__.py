"""Chapter 5, transformers: blocks, encoder and decoder, GPT, sampling."""
