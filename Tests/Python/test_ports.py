"""The ports that tests choose for the programs they start."""

from __future__ import annotations

import socket

import pytest

from ports import Ports, is_free


def ports(text: str, worker: str = "", count: int = 0, taken: tuple[int, ...] = ()) -> Ports:
    environment = {"TEST_PORTS": text}
    if worker:
        environment["PYTEST_XDIST_WORKER"] = worker
        environment["PYTEST_XDIST_WORKER_COUNT"] = str(count)
    return Ports(environment, lambda port: port not in taken)


def test_after_the_last_port_of_a_range_the_first_port_is_returned_again() -> None:
    these = ports("20000-20002")
    assert [these.free() for _ in range(5)] == [20_000, 20_001, 20_002, 20_000, 20_001]


def test_used_ports_are_skipped() -> None:
    these = ports("20000-20003", taken=(20_000, 20_002))
    assert [these.free() for _ in range(3)] == [20_001, 20_003, 20_001]


def test_a_range_without_a_free_port_causes_an_error() -> None:
    with pytest.raises(RuntimeError, match="from 20000 to 20001 is in use"):
        ports("20000-20001", taken=(20_000, 20_001)).free()


def test_each_worker_has_a_separate_part_of_the_range() -> None:
    parts = [ports("20000-20010", f"gw{number}", 3) for number in range(3)]
    handed = [[part.free() for _ in range(4)] for part in parts]
    assert handed[0] == [20_000, 20_001, 20_002, 20_000]
    assert handed[1][0] == 20_003
    assert handed[2][0] == 20_006


@pytest.mark.parametrize("text", ["20000", "20001-20000", "a-b", "-5", "0-9", "65000-65536"])
def test_the_error_of_an_invalid_range_states_the_expected_form(text: str) -> None:
    with pytest.raises(ValueError, match="FIRST-LAST"):
        ports(text)


def test_more_workers_than_ports_are_refused() -> None:
    with pytest.raises(ValueError, match="fewer ports than there are workers"):
        ports("20000-20001", "gw2", 3)


def test_without_a_range_the_port_is_below_the_systems_range() -> None:
    assert 20_000 <= Ports({}).free() < 32_768


def test_a_port_with_a_listener_is_not_free() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", Ports().free()))
        listener.listen()
        assert not is_free(listener.getsockname()[1])
