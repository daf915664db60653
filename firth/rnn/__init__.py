"""Chapter 3, recurrent networks: hidden states, LSTM and GRU cells, and what they are used for."""
