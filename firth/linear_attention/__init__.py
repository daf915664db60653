"""Chapter 7, linear attention: feature maps, random features, near and far."""
