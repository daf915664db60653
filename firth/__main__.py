"""The commands of the course: `firth grade` for a class, `firth release` for its repository."""

import argparse
import sys
import traceback
from importlib.metadata import PackageNotFoundError, version

if sys.platform == "win32":  # neither has it the locks and processes that these commands rely on
    sys.exit("firth grade and firth release need Linux or macOS: on Windows, run them in WSL.")

from firth.grading import command
from firth.grading.release import release
from firth.grading.run.outcome import say

FAULT = """\
This is a fault of the program, not of yours or your class's. What has been written is whole; please
report the lines above."""
COMMANDS = {
    # name: what it is for, its options, what it does
    "grade": (command.PURPOSE, command.add_arguments, command.main),
    "release": (
        "Write a student repository: the course without its solutions.",
        release.add_arguments,
        release.main,
    ),
}


def release_number() -> str:
    """The version of the package, also where it is used from a clone without being installed."""
    try:
        return version("firth")
    except PackageNotFoundError:
        return "of a clone"


def main(words: list[str] | None = None) -> int:
    """Runs a command and returns its exit status."""
    parser = argparse.ArgumentParser(prog="firth", description=__doc__)
    parser.add_argument("--version", action="version", version=f"firth {release_number()}")
    parsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (purpose, add_arguments, run) in COMMANDS.items():
        formatted = argparse.RawDescriptionHelpFormatter
        one = parsers.add_parser(name, help=purpose, description=purpose, formatter_class=formatted)
        add_arguments(one)
        one.set_defaults(run=run)
    arguments = parser.parse_args(words)
    try:
        return arguments.run(arguments)
    except KeyboardInterrupt:
        print("Interrupted. Give the same command again to go on.", file=sys.stderr)
        return 130
    except Exception:
        say(traceback.format_exc(), FAULT, error=True)
        return 3


if __name__ == "__main__":
    sys.exit(main())
