"""Chapter 6, BERT: masked language modelling, WordPiece, fine-tuning and probes."""
