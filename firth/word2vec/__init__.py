"""Chapter 2, word2vec: CBOW, skip-gram, negative sampling, analogies and bias."""
