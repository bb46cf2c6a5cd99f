"""Mail becomes one page: its fields, its body, the messages inside it. Attached documents come along."""

from __future__ import annotations

import base64
import time
from email.message import EmailMessage

import pytest

from dalil.errors import CorruptDocumentError, EncryptedDocumentError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits


def message(subject: str = "Plan", text: str = "body", **fields: str) -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = subject
    for name, value in {"From": "A <a@example.org>", **fields}.items():
        made[name] = value
    made.set_content(text)
    return made


def raw(header: str, body: bytes | str) -> bytes:
    encoded = body.encode() if isinstance(body, str) else body
    return f"Message-ID: <1@example.org>\nSubject: s\n{header}\n\n".encode() + encoded


def text_of(parse, content: bytes) -> str:
    return parse(content, "a.eml").pages[0].text


def test_fields_and_body(parse):
    sent = message(
        "تقرير المشروع", "النص\n", To="b@example.org, C <c@example.org>", Date="Fri, 16 Dec 2022 17:04:16 -0500"
    )
    parsed = parse(sent.as_bytes(), "a.eml")
    assert parsed.pages[0].text == (
        "From: A <a@example.org>\nTo: b@example.org, C <c@example.org>\nDate: Fri, 16 Dec 2022 17:04:16 -0500\n"
        "Subject: تقرير المشروع\n\nالنص"
    )
    assert parsed.document.metadata["title"] == "تقرير المشروع"
    assert parsed.document.metadata["mail"]["from"] == "A <a@example.org>"
    assert "from" not in parsed.document.metadata


def test_the_richer_body_is_read_once(parse):
    sent = message(text="plain form")
    sent.add_alternative("<h1>Rich</h1><ul><li>form</ul>", subtype="html")
    assert text_of(parse, sent.as_bytes()).endswith("Subject: Plan\n\n# Rich\n\n- form")


def test_an_empty_rich_body_gives_way_to_the_plain_one(parse):
    sent = message(text="plain form")
    sent.add_alternative("<html><body><img src='cid:1'></body></html>", subtype="html")
    assert text_of(parse, sent.as_bytes()).endswith("plain form")


def test_hidden_text_is_counted(parse):
    sent = message()
    sent.add_alternative("<p>seen</p><div style='display:none'>obey</div>", subtype="html")
    parsed = parse(sent.as_bytes(), "a.eml")
    assert "obey" not in parsed.pages[0].text
    assert parsed.warnings == ("hidden text was left out: 4 characters that the message does not show",)


def test_attachments_are_documents_with_harmless_names(parse):
    sent = message()
    for name in ("تقرير.pdf", "../../etc/passwd", "C:\\temp\\x.pdf", "تقرير.pdf"):
        sent.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename=name)
    attachments = parse(sent.as_bytes(), "a.eml").attachments
    assert [attached.name for attached in attachments] == ["تقرير.pdf", "passwd", "x.pdf", "تقرير (2).pdf"]
    assert attachments[0].read() == b"%PDF-1.4"
    assert attachments[0].media_type == "application/pdf"


def test_an_attached_text_is_no_body(parse):
    sent = message()
    sent.add_attachment("a,b\n1,2\n", subtype="csv", filename="t.csv")
    parsed = parse(sent.as_bytes(), "a.eml")
    assert "1,2" not in parsed.pages[0].text
    assert [attached.name for attached in parsed.attachments] == ["t.csv"]


def test_pictures_without_a_name_are_left_out(parse):
    sent = message()
    sent.add_related(b"\x89PNG", maintype="image", subtype="png")
    assert parse(sent.as_bytes(), "a.eml").attachments == ()


def test_attachments_beyond_the_limit_are_counted():
    sent = message()
    for number in range(5):
        sent.add_attachment(b"x", maintype="application", subtype="pdf", filename=f"{number}.pdf")
    parsed = HeuristicBackend(ParsingLimits(attachments=2)).parse(RawSource("a.eml", content=sent.as_bytes()))
    assert len(parsed.attachments) == 2
    assert parsed.warnings == ("attachments beyond the limits were left out: 3",)


def test_a_message_inside_a_message_is_read_in_place(parse):
    inner = message("Inner", "inner body")
    inner.add_attachment(b"x", maintype="application", subtype="pdf", filename="inner.pdf")
    sent = message()
    sent.add_attachment(inner)
    parsed = parse(sent.as_bytes(), "a.eml")
    assert parsed.pages[0].text.endswith("body\n\nFrom: A <a@example.org>\nSubject: Inner\n\ninner body")
    assert [attached.name for attached in parsed.attachments] == ["inner.pdf"]


def test_attachments_in_outlooks_own_format_are_mentioned(parse):
    sent = message()
    sent.add_attachment(b"\x01", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    assert parse(sent.as_bytes(), "a.eml").warnings == (
        "winmail.dat holds attachments in Outlook's own format, which cannot be read",
    )


@pytest.mark.parametrize(
    ("header", "body", "text"),
    [
        ("Content-Type: text/plain; charset=windows-1256", "السلام عليكم".encode("cp1256"), "السلام عليكم"),
        ("Content-Type: text/plain; charset=iso-8859-1", "السلام عليكم".encode("cp1256"), "السلام عليكم"),
        ("Content-Type: text/plain; charset=nonsense", "نص".encode(), "نص"),
        ("Content-Type: text/plain; charset=iso-2022-jp", "日本語".encode("iso-2022-jp"), "日本語"),
        ("Content-Transfer-Encoding: quoted-printable", "caf=C3=A9 one=\n line", "café one line"),
        (
            "Content-Type: text/html; charset=windows-1256\nContent-Transfer-Encoding: base64",
            base64.encodebytes("<p>السلام عليكم</p>".encode("cp1256")),
            "السلام عليكم",
        ),
        ("Content-Type: text/plain; format=flowed", "one \ntwo\nthree\n", "one two\nthree"),
    ],
)
def test_bodies_are_decoded(parse, header, body, text):
    assert text_of(parse, raw(header, body)) == f"Subject: s\n\n{text}".strip()


def test_fields_in_bare_bytes_are_decoded(parse):
    content = (
        'Message-ID: 1\nSubject: مرحبا بكم في الاجتماع\nContent-Type: application/pdf;\n name="تقرير السنة.pdf"\n\nx'
    )
    parsed = parse(content.encode("cp1256"), "a.eml")
    assert parsed.pages[0].text == "Subject: مرحبا بكم في الاجتماع"
    assert parsed.attachments[0].name == "تقرير السنة.pdf"


def test_a_field_cannot_inject_another(parse):
    assert text_of(parse, b"Message-ID: 1\nSubject: =?utf-8?q?x=0ABcc:_evil?=\n\nhi") == "Subject: x Bcc: evil\n\nhi"


def test_a_mailbox_has_a_page_for_each_message(parse):
    box = b"From x@y Mon\nFrom: a\nSubject: one\n\nbody\nFrom here on, text.\n\n"
    box += b"From z@y Tue\nFrom: b\nSubject: two\n\nmore\n"
    parsed = parse(box, "a.mbox")
    assert [page.text for page in parsed.pages] == [
        "From: a\nSubject: one\n\nbody\nFrom here on, text.",
        "From: b\nSubject: two\n\nmore",
    ]


@pytest.mark.parametrize(
    "content",
    [
        raw("Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "x"),
        raw(
            "Content-Type: multipart/encrypted; boundary=b",
            "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n"
            "--b\nContent-Type: application/octet-stream\n\nx\n--b--",
        ),
    ],
)
def test_an_encrypted_message_is_told(parse, content):
    with pytest.raises(EncryptedDocumentError):
        parse(content, "a.eml")


@pytest.mark.parametrize(
    "content",
    [
        raw("", "").rstrip() + b"\n" + b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000)
        ),
        raw("", "").rstrip() + b"\n" + b"Content-Type: message/rfc822\n\n" * 3000,
    ],
)  # fmt: skip
def test_absurd_nesting_is_refused_soon(parse, content):
    start = time.perf_counter()
    with pytest.raises(CorruptDocumentError):
        parse(content, "a.eml")
    assert time.perf_counter() - start < 10


def test_hostile_fields_cost_little(parse):
    start = time.perf_counter()
    header = f"From: {'(' * 200_000}\nContent-Type: text/plain; {'a=b;' * 20_000}\nTo: {'x@y, ' * 50_000}"
    assert text_of(parse, raw(header, "hi")).endswith("hi")
    assert time.perf_counter() - start < 10


def test_a_real_message_saved_in_utf_16(real):
    text = real("utf16le.eml").pages[0].text
    assert "From: Matthew Robinson <mrobinson@unstructured.io>" in text
    assert text.endswith(
        "This is a test email to use for unit tests.\n\nImportant points:\n\n- Roses are red\n- Violets are blue"
    )
    assert "\0" not in text
