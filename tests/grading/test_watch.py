"""The watch over a sandbox sees whoever is there, and does not fall over those who leave."""

import os
import subprocess
import sys
import time

import pytest

from firth.grading.supervisor.watch import Watch, household, unnamed

if sys.platform != "linux":
    pytest.skip("Processes are read from /proc.", allow_module_level=True)

COMING_AND_GOING = """
import os
while True:
    if os.fork() == 0:
        os._exit(0)
    os.wait()
"""
CHAIN = """
import os, sys, time
for _ in range({depth}):
    if os.fork():
        break
else:
    print(os.getpid(), flush=True)
time.sleep(60)
"""


def started(source):
    return subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)


def ended(process):
    inside = list(household(process.pid))
    for one in reversed(inside):
        subprocess.run(["kill", "-9", str(one)], stderr=subprocess.DEVNULL)
    process.communicate()


def test_children_of_children_are_seen():
    family = started(CHAIN.format(depth=5))
    last = int(family.stdout.readline())
    assert list(household(family.pid))[-1] == last and len(list(household(family.pid))) == 6
    ended(family)
    assert list(household(family.pid)) == [family.pid]  # nobody is left


def test_whoever_leaves_while_one_looks_does_not_end_the_watch():
    """A thread that died of it would have left a submission without limits."""
    busy = started(COMING_AND_GOING)
    until, seen = time.monotonic() + 1, 0
    while time.monotonic() < until:
        inside = list(household(busy.pid))
        seen += len(inside)
        assert inside[0] == busy.pid and unnamed("/tmp", inside) >= 0
    assert seen > 10
    ended(busy)


def test_a_family_that_grows_as_fast_as_one_looks_is_too_large_at_once(monkeypatch):
    def endless(parent):
        yield from range(10**9)

    watch = Watch(os.getpid(), "", lambda why: None)
    monkeypatch.setattr("firth.grading.supervisor.watch.household", endless)
    watch.memory = 1 << 40
    assert watch.look() == "processes"
    monkeypatch.setattr("firth.grading.supervisor.watch.household", lambda parent: iter([parent]))
    assert watch.look() == ""
