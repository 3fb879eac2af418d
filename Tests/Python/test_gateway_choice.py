"""The choice of the gateway at which a session resumes."""

from carillon.gateway_choice import GatewayChoice

ONE, TWO, THREE = (f"tcp://127.0.0.1:740{number}" for number in range(3))


def test_a_client_with_one_gateway_always_uses_this_gateway() -> None:
    choice = GatewayChoice(ONE)
    choice.lose()
    choice.take([TWO])
    choice.lose()
    assert choice.next == ONE


def test_after_each_lost_connection_the_client_selects_the_next_gateway_in_turn() -> None:
    choice = GatewayChoice(TWO)
    choice.take([ONE, TWO, THREE])
    tried = []
    for _ in range(4):
        choice.lose()
        tried.append(choice.next)
    assert tried == [THREE, ONE, TWO, THREE]


def test_a_draining_gateway_is_absent_from_the_list_and_clients_leave_this_gateway() -> None:
    choice = GatewayChoice(ONE)
    choice.take([TWO, THREE])
    choice.take([])
    choice.lose()
    assert choice.next == TWO
