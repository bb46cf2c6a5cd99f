"""Messages that Outlook saves are read like any mail."""

from __future__ import annotations

import contextlib
import random
import struct
from typing import Any

import pytest
from compound_files import compound_file

from dalil.errors import CorruptDocumentError, DocumentError, EncryptedDocumentError

CODE_PAGE, SENT = 0x3FFD0003, 0x00390040


def stream(number: int, value: str | bytes, kind: int | None = None) -> dict[str, bytes]:
    kind = kind or (0x001F if isinstance(value, str) else 0x0102)
    data = value.encode("utf-16-le") if isinstance(value, str) else value
    return {f"__substg1.0_{number:04X}{kind:04X}": data}


def table(header: int, **values: int) -> dict[str, bytes]:
    tags = {"code_page": CODE_PAGE, "sent": SENT}
    rows = (struct.pack("<HHIQ", tags[name] & 0xFFFF, tags[name] >> 16, 0, value) for name, value in values.items())
    return {"__properties_version1.0": bytes(header) + b"".join(rows)}


def message(*streams: dict[str, Any], header: int = 32, **values: int) -> dict[str, Any]:
    made: dict[str, Any] = table(header, **values)
    for one in streams:
        made.update(one)
    return made


FULL = message(
    stream(0x0037, "تقرير"),
    stream(0x0C1A, "محمد علي".encode("cp1256"), 0x001E),
    stream(0x5D01, "m@example.org"),
    stream(0x0E04, "B; C\0"),
    stream(0x1000, "plain form"),
    stream(0x1013, "<h1>Rich</h1><p>نص</p><p hidden>obey</p>".encode()),
    {"__attach_version1.0_#00000000": message(
        stream(0x3701, b"%PDF-1.4" * 1000), stream(0x3707, "report.pdf"), stream(0x370E, "application/pdf"), header=8
    )},
    {"__attach_version1.0_#00000001": message(
        {"__substg1.0_3701000D": message(stream(0x0037, "Inner"), stream(0x1000, "inner body"), header=24)}, header=8
    )},
    code_page=1256,
    sent=133_596_000_000_000_000,
)  # fmt: skip


def test_fields_body_and_attachments(parse):
    parsed = parse(compound_file(FULL), "a.msg")
    assert parsed.pages[0].text == (
        "From: محمد علي <m@example.org>\nTo: B; C\nDate: Wed, 08 May 2024 00:00:00 +0000\nSubject: تقرير\n\n"
        "# Rich\n\nنص\n\nSubject: Inner\n\ninner body"
    )
    assert [(attached.name, attached.media_type) for attached in parsed.attachments] == [
        ("report.pdf", "application/pdf")
    ]
    assert parsed.attachments[0].read() == b"%PDF-1.4" * 1000
    assert parsed.document.metadata["title"] == "تقرير"
    assert parsed.document.metadata["media_type"] == "application/vnd.ms-outlook"
    assert parsed.warnings == ("hidden text was left out: 4 characters that the message does not show",)


def test_a_plain_body_without_unicode(parse):
    data = compound_file(message(stream(0x1000, "السلام عليكم".encode("cp1256"), 0x001E), code_page=1256))
    assert parse(data, "a.msg").pages[0].text == "السلام عليكم"


def test_a_body_that_cannot_be_read_is_mentioned(parse):
    parsed = parse(compound_file(message(stream(0x0037, "S"), stream(0x1009, b"LZFu"))), "a.msg")
    assert parsed.pages[0].text == "Subject: S"
    assert parsed.warnings == ("the message's body is compressed RTF, which cannot be read",)


def test_an_encrypted_message_is_told(parse):
    with pytest.raises(EncryptedDocumentError):
        parse(compound_file(message(stream(0x0037, "S"), stream(0x001A, "IPM.Note.SMIME"))), "a.msg")


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.95])
def test_a_message_cut_short_is_corrupt(parse, share):
    data = compound_file(FULL)
    with pytest.raises(CorruptDocumentError):
        parse(data[: int(len(data) * share)], "a.msg")


def test_damage_ends_in_text_or_in_one_typed_error(parse):
    data = compound_file(FULL)
    for seed in range(60):
        chance = random.Random(seed)
        damaged = bytearray(data)
        for _ in range(20):
            damaged[chance.randrange(8, len(data) if seed % 2 else 1024)] = chance.randrange(256)
        with contextlib.suppress(DocumentError):
            assert parse(bytes(damaged), "a.msg").pages
