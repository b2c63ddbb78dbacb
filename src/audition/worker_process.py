"""What a worker process does: take a task, play it, answer, until nobody is there to ask.

Frames (a length, then so many bytes) come in on the standard input and go out on what was the
standard output; whatever a learner prints goes to the standard error instead. An empty frame says
that the plug-ins of a task are made and its run begins. When the input ends, its parent is gone or
has no more work: an idle worker leaves, a busy one ends at once with every process that its learner
started.
"""

import os
import queue
import signal
import struct
import sys
import threading
from typing import IO, Final

LENGTH: Final = struct.Struct(">Q")


def send(channel: IO[bytes], payload: bytes) -> None:
    """Write one frame."""
    channel.write(LENGTH.pack(len(payload)) + payload)
    channel.flush()


def receive(channel: IO[bytes]) -> bytes | None:
    """Read one frame; None when the channel has ended."""
    head = channel.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    payload = channel.read(size)
    return payload if len(payload) == size else None


def main() -> None:
    """Serve the parent process."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    busy = threading.Event()
    threading.Thread(target=_listen, args=(tasks, busy), daemon=True).start()
    from audition.deployment import play_packed

    try:
        while (payload := tasks.get()) is not None:
            answer = play_packed(payload, begun=lambda: send(answers, b""))
            busy.clear()
            send(answers, answer)
    except BrokenPipeError:
        sys.exit(0)


def _listen(tasks: "queue.SimpleQueue[bytes | None]", busy: threading.Event) -> None:
    """Hand on what comes in; the end of it is how a worker learns that its parent is gone."""
    while (payload := receive(sys.stdin.buffer)) is not None:
        busy.set()
        tasks.put(payload)
    if busy.is_set():
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
    tasks.put(None)


if __name__ == "__main__":
    main()
