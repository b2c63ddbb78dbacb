"""Minari's HDF5 files: read as data, and nothing beyond the file itself."""

from __future__ import annotations

import json
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from logs_of_paths import a_log, paths_of

from audition.errors import LogError
from audition.trajectories import Trajectories
from audition.trajectory_files import read_trajectories


def write_minari_hdf5(place: Path, log: Trajectories) -> Path:
    """The layout of Minari's HDF5 storage."""
    data = place / "robot" / "random-v0" / "data"
    data.mkdir(parents=True)
    (data / "metadata.json").write_text(json.dumps({"data_format": "hdf5"}))
    with h5py.File(data / "main_data.hdf5", "w") as file:
        for number, (path, episode) in enumerate(zip(paths_of(log), log, strict=True)):
            group = file.create_group(f"episode_{number}")
            group["observations"] = path
            group["actions"] = episode.actions
            group["rewards"] = np.zeros(episode.steps)
    return data.parent


def test_a_folder_and_its_main_file_give_the_log_that_was_written(tmp_path: Path) -> None:
    """The layout of Minari's own storage."""
    folder = write_minari_hdf5(tmp_path, a_log())
    assert read_trajectories(folder).digest == a_log().digest
    assert read_trajectories(folder / "data" / "main_data.hdf5").digest == a_log().digest


def test_episodes_of_a_minari_data_set_come_by_their_number(tmp_path: Path) -> None:
    """Episode 10 comes after episode 2, whatever the alphabet says."""
    with h5py.File(tmp_path / "main_data.hdf5", "w") as file:
        for number in range(12):
            group = file.create_group(f"episode_{number}")
            group["observations"] = np.full((2, 1), float(number))
            group["actions"] = np.zeros((1, 1))
    log = read_trajectories(tmp_path)
    assert log.states[:, 0].tolist() == list(range(12))


def test_hdf5_that_points_outside_itself_is_refused(tmp_path: Path) -> None:
    """Links to other files, external storage, and links inside the file."""
    (tmp_path / "secret.bin").write_bytes(b"\0" * 64)
    with h5py.File(tmp_path / "other.hdf5", "w") as other:
        other["observations"] = np.zeros((3, 1))
    for kind in ("link", "soft", "external"):
        place = tmp_path / f"{kind}.hdf5"
        with h5py.File(place, "w") as file:
            group = file.create_group("episode_0")
            group["actions"] = np.zeros((2, 1))
            if kind == "link":
                group["observations"] = h5py.ExternalLink("other.hdf5", "/observations")
            elif kind == "soft":
                group["observations"] = h5py.SoftLink("/episode_0/actions")
            else:
                outside = [(str(tmp_path / "secret.bin"), 0, 24)]
                group.create_dataset("observations", (3, 1), "f8", external=outside)
        with pytest.raises(LogError, match=r"never (followed|opened)"):
            read_trajectories(place)


def test_hdf5_of_another_shape_is_refused_in_words(tmp_path: Path) -> None:
    """No episodes; observations that are a dictionary; text for actions."""
    with h5py.File(tmp_path / "empty.hdf5", "w") as file:
        file["x"] = np.zeros(3)
    with pytest.raises(LogError, match="episode_0, episode_1"):
        read_trajectories(tmp_path / "empty.hdf5")
    with h5py.File(tmp_path / "spaces.hdf5", "w") as file:
        file.create_group("episode_0/observations")["camera"] = np.zeros((3, 4))
        file["episode_0/actions"] = np.zeros((2, 1))
    with pytest.raises(LogError, match="dictionary of spaces"):
        read_trajectories(tmp_path / "spaces.hdf5")
    with h5py.File(tmp_path / "text.hdf5", "w") as file:
        file["episode_0/observations"] = np.zeros((3, 4))
        file["episode_0/actions"] = np.array([b"up", b"down"])
    with pytest.raises(LogError, match="must be numbers"):
        read_trajectories(tmp_path / "text.hdf5")


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cut=st.floats(0, 1), noise=st.binary(min_size=1, max_size=12))
def test_a_damaged_file_is_a_log_or_a_log_error(cut: float, noise: bytes, tmp_path: Path) -> None:
    """Bytes overwritten anywhere, and files cut short."""
    main = tmp_path / "robot" / "random-v0" / "data" / "main_data.hdf5"
    if not main.exists():
        write_minari_hdf5(tmp_path, a_log())
    sound = main.read_bytes()
    at = int(cut * (len(sound) - 1))
    for number, damaged in enumerate((sound[:at], sound[:at] + noise + sound[at + len(noise) :])):
        place = tmp_path / f"damaged-{number}.hdf5"
        place.write_bytes(damaged)
        try:
            found = read_trajectories(place)
        except LogError:
            continue
        assert np.isfinite(found.states).all()
