"""Grade a class without trusting a line of it: the claims that teach, asked of code in a sandbox.

A submission goes in, a record comes out, whatever happens in between; from the records come the
sheets, the feedback pages and the marking of written answers. `firth grade --help` says how.
"""
