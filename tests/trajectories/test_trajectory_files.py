"""Logs of trajectories out of files: every format says the same, and no input does harm."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from logs_of_paths import a_log, paths_of

from audition.errors import LogError
from audition.trajectories import Trajectories
from audition.trajectory_files import read_trajectories


def write_npz(place: Path, log: Trajectories, **changes: Any) -> Path:
    arrays = {
        "states": log.states,
        "actions": log.actions,
        "next_states": log.next_states,
        "lengths": log.lengths,
        **changes,
    }
    np.savez(
        place / "log.npz", **{name: value for name, value in arrays.items() if value is not None}
    )
    return place / "log.npz"


def write_paths(place: Path, log: Trajectories) -> Path:
    return write_npz(place, log, states=np.concatenate(paths_of(log)), next_states=None)


def write_parquet(place: Path, log: Trajectories) -> Path:
    table = pa.table(
        {
            "episode": np.repeat(np.arange(log.units), log.lengths),
            "state": list(log.states),
            "action": list(log.actions),
            "next_state": list(log.next_states),
        }
    )
    pq.write_table(table, place / "log.parquet")
    return place / "log.parquet"


def write_flat_parquet(place: Path, log: Trajectories) -> Path:
    """One column a coordinate, no next states, the last action of every episode missing."""
    states = np.concatenate(paths_of(log))
    actions = [value for episode in log for value in (*episode.actions[:, 0].tolist(), None)]
    episodes = np.repeat([f"run {unit}" for unit in range(log.units)], log.lengths + 1)
    columns = {"episode": episodes, "state_0": states[:, 0], "state_1": states[:, 1]}
    pq.write_table(pa.table({**columns, "action": actions}), place / "flat.parquet")
    return place / "flat.parquet"


def write_minari_parquet(place: Path, log: Trajectories, ending: str = "parquet") -> Path:
    """The layout of Minari's Arrow storages: a folder an episode, the last action a padding."""
    for number, (path, episode) in enumerate(zip(paths_of(log), log, strict=True)):
        folder = place / "robot" / ending / "data" / str(number)
        folder.mkdir(parents=True)
        padded = np.vstack([episode.actions, [[0.0]]])
        columns = {
            "observations": pa.FixedSizeListArray.from_arrays(path.ravel(), 2),
            "actions": pa.FixedSizeListArray.from_arrays(padded.ravel(), 1),
        }
        table = pa.table(columns)
        if ending == "parquet":
            pq.write_table(table, folder / "part-0.parquet")
        else:
            with pa.ipc.new_file(folder / "part-0.arrow", table.schema) as file:
                file.write_table(table)
    return place / "robot" / ending


def test_every_format_gives_the_same_log(tmp_path: Path) -> None:
    """NPZ with next states or paths, two kinds of Parquet, two storages of Minari."""
    log = a_log()
    files = [
        write_npz(tmp_path, log),
        write_parquet(tmp_path, log),
        write_flat_parquet(tmp_path, log),
        write_minari_parquet(tmp_path, log),
        write_minari_parquet(tmp_path, log, "arrow"),
    ]
    digests = {file.name: read_trajectories(file).digest for file in files}
    assert set(digests.values()) == {log.digest}
    assert read_trajectories(write_paths(tmp_path, log)).digest == log.digest


def test_labels_of_steps_may_take_the_place_of_lengths(tmp_path: Path) -> None:
    """An array `episode` with a label for every step."""
    log = a_log()
    labels = np.repeat(["c", "a", "b"], log.lengths)
    path = write_npz(tmp_path, log, lengths=None, episode=labels)
    assert read_trajectories(path).digest == log.digest


NAN = np.full((8, 2), np.nan)
BAD = {
    "no states": ({"states": None}, "states is not among"),
    "no ends": ({"lengths": None}, "where its episodes end"),
    "a NaN": ({"states": NAN}, "states must be finite.*episode 0.*drop those episodes"),
    "wrong lengths": ({"lengths": np.array([3, 1, 5])}, "add up to the 8 steps"),
    "no steps": ({"lengths": np.array([8, 0])}, "at least 1"),
    "lengths that are not whole": ({"lengths": np.array([3.5, 4.5])}, "whole numbers"),
    "too few actions": ({"actions": np.zeros((7, 1))}, "as many rows"),
    "text": ({"actions": np.array([["up"]] * 8)}, "actions must be numbers"),
    "one axis": ({"states": np.zeros(8)}, "two axes"),
    "episodes that come back": (
        {"lengths": None, "episode": np.array([0, 0, 1, 1, 0, 0, 2, 2])},
        "stand together.*sort the log",
    ),
    "paths that are too short": ({"next_states": None}, "one more state than actions"),
}


@pytest.mark.parametrize("kind", BAD)
def test_an_archive_that_is_no_log_is_refused_in_words(kind: str, tmp_path: Path) -> None:
    """Each fault has a message that says what was expected."""
    changes, words = BAD[kind]
    with pytest.raises(LogError, match=words):
        read_trajectories(write_npz(tmp_path, a_log(), **changes))


class Trap:
    """Ends the process when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (sys.exit, (3,))


def test_python_objects_are_never_unpickled(tmp_path: Path) -> None:
    """In an archive, or as a pickle under a borrowed name."""
    states = np.array([Trap()] * 8, dtype=object)
    with pytest.raises(LogError, match="unpickling runs code"):
        read_trajectories(write_npz(tmp_path, a_log(), states=states))
    (tmp_path / "pickled.npz").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(LogError, match="not a sound NumPy archive"):
        read_trajectories(tmp_path / "pickled.npz")


def test_code_that_a_minari_data_set_names_is_never_imported(tmp_path: Path) -> None:
    """Its metadata may name an environment of any module; only the numbers are read."""
    folder = write_minari_parquet(tmp_path, a_log())
    spec = {"id": "Trap-v0", "entry_point": "trap_that_must_stay_shut:Trap"}
    (folder / "data" / "metadata.json").write_text(json.dumps({"env_spec": json.dumps(spec)}))
    (tmp_path / "trap_that_must_stay_shut.py").write_text("raise SystemExit(3)")
    sys.path.insert(0, str(tmp_path))
    try:
        assert read_trajectories(folder).digest == a_log().digest
    finally:
        sys.path.remove(str(tmp_path))
    assert "trap_that_must_stay_shut" not in sys.modules
    assert "minari" not in sys.modules


def test_parquet_of_another_shape_is_refused_in_words(tmp_path: Path) -> None:
    """Lists of several lengths, missing columns, missing labels, gaps in the numbering."""
    one = {"episode": [0, 0], "action": [[0.0], [0.0]], "next_state": [[0.0], [0.0]]}
    faults = {
        "one length": {**one, "state": [[0.0], [0.0, 1.0]]},
        "no column 'state'": one,
        "no gap": {**one, "state_0": [0.0, 0.0], "state_2": [0.0, 0.0]},
        "column 'episode'": {"state": [[0.0]]},
        "missing": {**one, "episode": [0, None], "state": [[0.0], [0.0]]},
        "must hold numbers": {**one, "state": [["a"], ["b"]]},
        "finite": {**one, "state": [[0.0], [None]]},
    }
    for words, columns in faults.items():
        pq.write_table(pa.table(columns), tmp_path / "log.parquet")
        with pytest.raises(LogError, match=words):
            read_trajectories(tmp_path / "log.parquet")


def test_a_path_that_leads_nowhere_is_refused_in_words(tmp_path: Path) -> None:
    """Unknown endings, missing files, empty folders, names with a NUL."""
    for path, words in (
        (tmp_path / "log.txt", "should end in"),
        (tmp_path / "log.npz", "there is no file"),
        (tmp_path / "log.hdf5", "there is no file"),
        (tmp_path, "not a Minari data set"),
        (Path("a\0b.npz"), "cannot be read"),
    ):
        with pytest.raises(LogError, match=words):
            read_trajectories(path)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    ending=st.sampled_from(["npz", "parquet"]),
    cut=st.floats(0, 1),
    noise=st.binary(min_size=1, max_size=12),
)
def test_a_damaged_file_is_a_log_or_a_log_error(
    ending: str, cut: float, noise: bytes, tmp_path: Path
) -> None:
    """Bytes overwritten anywhere, and files cut short."""
    for write in (write_npz, write_parquet):
        write(tmp_path, a_log())
    sound = {
        "npz": tmp_path / "log.npz",
        "parquet": tmp_path / "log.parquet",
    }[ending].read_bytes()
    at = int(cut * (len(sound) - 1))
    for number, damaged in enumerate((sound[:at], sound[:at] + noise + sound[at + len(noise) :])):
        place = tmp_path / f"damaged-{number}.{ending}"
        place.write_bytes(damaged)
        try:
            found = read_trajectories(place)
        except LogError:
            continue
        assert np.isfinite(found.states).all()
