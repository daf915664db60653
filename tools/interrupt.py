"""One sentence where Ctrl-C would leave a traceback: a script of the book calls `quietly` first.

The first Ctrl-C stops the script. A second one, while the script clears up, is ignored. The program
that started the script still sees the interruption, because Python ends it by the same signal.
"""

import signal
import sys

SENTENCE = "Interrupted. Give the command again to complete the book."


def quietly() -> None:
    """Let this program answer an interruption with one sentence from now on."""

    def once(*ignored):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    def said(kind, error, trace):
        if issubclass(kind, KeyboardInterrupt):
            over = "\r" if sys.stderr.isatty() else ""  # the line that counts the seconds
            print(over + SENTENCE, file=sys.stderr)
        else:
            sys.__excepthook__(kind, error, trace)

    sys.excepthook = said
    signal.signal(signal.SIGINT, once)
