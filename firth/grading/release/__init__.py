"""The command `firth release`: the course without its solutions, a notebook for each student."""
