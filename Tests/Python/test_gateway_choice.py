"""The choice of the gateway at which a session resumes."""

from carillon.gateway_choice import GatewayChoice

ONE, TWO, THREE = (f"tcp://127.0.0.1:740{number}" for number in range(3))


def test_who_knows_one_gateway_stays_with_it() -> None:
    choice = GatewayChoice(ONE)
    choice.lose()
    choice.take([TWO])
    choice.lose()
    assert choice.next == ONE


def test_each_loss_leads_to_the_next_gateway_and_round_to_the_first() -> None:
    choice = GatewayChoice(TWO)
    choice.take([ONE, TWO, THREE])
    tried = []
    for _ in range(4):
        choice.lose()
        tried.append(choice.next)
    assert tried == [THREE, ONE, TWO, THREE]


def test_a_gateway_that_drains_is_not_in_the_list_and_is_left() -> None:
    choice = GatewayChoice(ONE)
    choice.take([TWO, THREE])
    choice.take([])
    choice.lose()
    assert choice.next == TWO
