"""The vectors of the Swift signature tests match botocore's signatures."""

from __future__ import annotations

from ControlAPI import signature_vectors


def test_the_signature_vectors_equal_those_of_botocore() -> None:
    assert signature_vectors.FILE.read_text() == signature_vectors.text()


def test_the_vectors_contain_the_two_examples_of_rest_md() -> None:
    signatures = [
        "a699e507da92a5e7a87c9eacd344560cda228faa2871ae23b96f90fdc2452c30",
        "66423f1feb4b8c8bbce808f461ef0ad9a8f15a039136e846edf0aa54d5207ccd",
    ]
    for vector, signature in zip(signature_vectors.vectors(), signatures, strict=False):
        assert dict(vector["headers"])["Authorization"].endswith(f"Signature={signature}")
