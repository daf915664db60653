"""What a submission may take, known on both sides of the sandbox.

Inside, the kernel's own limits are set by these numbers; outside, the watch counts by them.
"""

MB = 1 << 20
DISK = 64  # MB that a submission may write
FILES = 2_000  # files that it may write
PROCESSES = 64
ANSWER = 8 * MB  # bytes that an answer may return
