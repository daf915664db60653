"""Where a class is graded: processes of this machine, or a cluster of dask.distributed.

Both are executors of `concurrent.futures`. Nothing outlives the command, however it ends: a process
of the pool is killed by the system with the one that started it, and a cluster forgets what a
client that is gone has asked for.
"""

import asyncio
import ctypes
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version

DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
PATIENCE = 10  # seconds until a scheduler that does not answer is called unreachable
INSTALL = "pip install distributed"


class Unreachable(RuntimeError):
    """There is no such cluster, or it cannot grade; the message says what to do."""


class Lost(RuntimeError):
    """The cluster went away; what is recorded is recorded."""


def bound(parent: int) -> None:
    """Makes this process end with its parent, and keeps the keyboard from it.

    Ctrl-C is for the command alone, which ends the rest in order: in a session of its own, neither
    this process nor what it starts gets the signal and mistakes it for a submission's doing.
    """
    os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it died before it was asked for
        os._exit(1)


def pool(jobs: int) -> Executor:
    """So many processes, each started anew: 50 ms for the first answer, nothing inherited.

    A fork server answers in 35 ms; but then the server is the parent, and no process here would
    notice directly that the command is gone.
    """
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, context, bound, (os.getpid(),))


@contextmanager
def opened(factory: Callable[[], Executor]) -> Iterator[Executor]:
    """An executor that is waited for if all went well, and ended at once if anything did not."""
    executor = factory()
    try:
        yield executor
    except BaseException:
        processes = list((getattr(executor, "_processes", None) or {}).values())
        if isinstance(executor, ProcessPoolExecutor):
            executor.shutdown(wait=False, cancel_futures=True)
        else:
            executor.shutdown(wait=False)
        for process in processes:
            process.kill()
        raise
    executor.shutdown()


class OneByOne(Executor):
    """An executor on a cluster's client: one submission at a time in each of its processes.

    A worker of dask may have many threads, and a grader has one warm parent in each process.
    """

    def __init__(self, client):
        # Grading twice is never the same call, whatever the arguments: pure=False.
        self.inner = client.get_executor(pure=False)

    def submit(self, function, /, *arguments):
        return self.inner.submit(alone, function, *arguments)

    def shutdown(self, wait=True, **_):
        self.inner.shutdown(wait=wait)


gate = threading.Lock()


def alone(function: Callable, *arguments: object) -> object:
    with gate:
        return function(*arguments)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Callable[[], Executor], int]]:
    """A factory of executors on a cluster, and how many submissions to have under way."""
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise Unreachable(f"--scheduler needs dask.distributed: {INSTALL}.") from None
    processes = asyncio.run(reached(address))
    # One submission may be large; the warning is for those who send data that lies on the cluster.
    quiet = {"distributed.admin.large-graph-warning-threshold": "1GB"}
    journal = logging.getLogger("distributed.client")  # tracebacks about a scheduler that is gone
    level = journal.level
    journal.setLevel(logging.CRITICAL + 1)
    try:
        with (
            dask.config.set(quiet),
            Client(address, timeout=PATIENCE, set_as_default=False) as client,
        ):
            alike(client)
            yield partial(OneByOne, client), 2 * processes
    finally:
        journal.setLevel(level)


async def reached(address: str) -> int:
    """The number of workers of the cluster at an address, asked before a client is made.

    A client that fails to connect goes on trying behind its own exception.
    """
    from distributed.core import rpc

    limit = time.monotonic() + PATIENCE - 1
    try:
        async with rpc(address) as scheduler:
            while True:
                left = max(0.1, limit - time.monotonic())
                found = await asyncio.wait_for(scheduler.identity(), left)
                kind, workers = found["type"], found.get("workers", {})
                if kind != "Scheduler" or workers or time.monotonic() > limit:
                    break
                await asyncio.sleep(0.2)  # workers that have just been started
    except Exception as problem:
        reason = (str(problem).strip().splitlines() or [type(problem).__name__])[0][:200]
        raise Unreachable(
            f"No dask scheduler answers at {address} ({reason}): start one with `dask scheduler`,"
            " and give its address as tcp://host:port."
        ) from None
    if kind != "Scheduler":
        raise Unreachable(f"At {address} there is a dask {kind.lower()}: give its scheduler's.")
    if not workers:
        raise Unreachable(
            f"The scheduler at {address} has no workers: start some with `dask worker {address}"
            " --nthreads 1`."
        )
    return len(workers)


def alike(client) -> None:
    """Makes sure that every machine of the cluster has this version of the course."""
    here = version("firth")
    found = client.run(version, "firth", on_error="return")
    try:
        found["the scheduler"] = client.run_on_scheduler(version, "firth")
    except PackageNotFoundError as missing:
        found["the scheduler"] = missing
    for place, there in found.items():
        if there != here:
            has = "does not have firth" if isinstance(there, Exception) else f"has firth {there}"
            raise Unreachable(
                f"{place} {has}: install firth {here} in the environment of the scheduler and of"
                " every worker, and start them again."
            )
