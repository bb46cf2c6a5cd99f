"""The formats that can be read."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """What a document's bytes can turn out to be."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    XLSB = "xlsb"
    XLS = "xls"
    ODS = "ods"
    ODT = "odt"
    RTF = "rtf"
    EPUB = "epub"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    EML = "eml"
    MSG = "msg"
    PICTURE = "picture"


_OPEN_XML = "application/vnd.openxmlformats-officedocument"

MEDIA_TYPES = {
    Format.TEXT: "text/plain",
    Format.MARKDOWN: "text/markdown",
    Format.HTML: "text/html",
    Format.PDF: "application/pdf",
    Format.DOCX: f"{_OPEN_XML}.wordprocessingml.document",
    Format.PPTX: f"{_OPEN_XML}.presentationml.presentation",
    Format.XLSX: f"{_OPEN_XML}.spreadsheetml.sheet",
    Format.XLSB: "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    Format.XLS: "application/vnd.ms-excel",
    Format.ODS: "application/vnd.oasis.opendocument.spreadsheet",
    Format.ODT: "application/vnd.oasis.opendocument.text",
    Format.RTF: "application/rtf",
    Format.EPUB: "application/epub+zip",
    Format.CSV: "text/csv",
    Format.JSON: "application/json",
    Format.JSONL: "application/jsonl",
    Format.EML: "message/rfc822",
    Format.MSG: "application/vnd.ms-outlook",
    # A picture's reader says which kind it is.
    Format.PICTURE: "image/*",
}
