"""Chapter 1, latent semantic analysis: counts, their weighting, the SVD and similarity."""
