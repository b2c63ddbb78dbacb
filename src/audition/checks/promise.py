"""One thing that a plug-in promises, and whether it was seen to keep it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

from audition.errors import AuditionError, PluginError


@final
@dataclass(frozen=True, slots=True)
class Promise:
    """What is promised, in plain words, and how it was broken."""

    words: str
    broken: str = ""  # empty when it was kept

    @property
    def kept(self) -> bool:
        """Whether nothing was seen to break it."""
        return not self.broken


def tried(words: str, test: Callable[[], str]) -> Promise:
    """A promise put to the test; the test answers how it was broken, or with nothing.

    A test that fails with an error breaks the promise too: a plug-in that cannot be run has not
    kept anything.
    """
    try:
        return Promise(words, test())
    except AuditionError as error:
        return Promise(words, str(error))
    except Exception as error:  # noqa: BLE001 - a stranger's code may raise anything; it is listed
        return Promise(words, f"it raised {type(error).__name__}: {error}")


def answers_kindly(test: Callable[[], Any]) -> str:
    """How something was answered with an error that is not ours, if it was."""
    try:
        test()
    except AuditionError:
        return ""
    except Exception as error:  # noqa: BLE001 - which errors come out is what is tested
        return f"it raised {type(error).__name__}: {error}"
    return ""


def insist(subject: Any, promises: Sequence[Promise]) -> tuple[Promise, ...]:
    """The promises, if all were kept; else one error that lists every broken one."""
    broken = [promise for promise in promises if not promise.kept]
    if broken:
        cls = subject if isinstance(subject, type) else type(subject)
        lines = "".join(f"\n- {promise.words}: {promise.broken}" for promise in broken)
        raise PluginError(
            f"{cls.__qualname__} breaks {len(broken)} of the {len(promises)} promises of its kind, "
            f"so its scores could not be trusted; mend these:{lines}"
        )
    return tuple(promises)
