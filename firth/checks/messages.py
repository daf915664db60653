"""How often a message is shown that several claims give."""


def said_once(messages: list[str]) -> list[str]:
    """The messages, each left out everywhere but at the end of the first run in which it stands.

    >>> said_once(["Why?", "Why?", "", "Why?", "How?"])
    ['', 'Why?', '', '', 'How?']
    """
    ends = {}  # of the first run of each message
    for n, message in enumerate(messages):
        if ends.get(message, n - 1) == n - 1:
            ends[message] = n
    return [message if ends[message] == n else "" for n, message in enumerate(messages)]
