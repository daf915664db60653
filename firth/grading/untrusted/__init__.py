"""What runs inside the sandbox, in the same processes as students' code: nothing here is believed.

These modules import nothing else of the grader but its limits and its wire format, so that no
secret is ever in the memory of such a process. No trusted module imports them.
"""
