"""The first bytes that tell binary formats apart."""

from __future__ import annotations

_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"II+\0", "image/tiff"),
    (b"MM\0+", "image/tiff"),
)
_UNREAD = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"%!PS", "a PostScript document"),
    (b"AT&TFORM", "a DjVu document"),
    (b"ITSF", "a compiled help file (.chm)"),
    (b"PAR1", "a Parquet file"),
    (b"ID3", "a sound recording"),
    (b"OggS", "a sound recording"),
    (b"fLaC", "a sound recording"),
    (b"8BPS", "a Photoshop picture"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 picture"),
    (b"\x1aE\xdf\xa3", "a video"),
)
_BITMAP_HEADERS = (12, 40, 52, 56, 64, 108, 124)


def picture_type(data: bytes) -> str | None:
    """The media type of a picture that can be opened, by its first bytes; None for anything else."""
    for signature, media_type in _PICTURES:
        if data.startswith(signature):
            return media_type
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    # Two letters are no evidence: a bitmap also says how long the header after them is.
    if data[:2] == b"BM" and int.from_bytes(data[14:18], "little") in _BITMAP_HEADERS:
        return "image/bmp"
    return None


def unread_kind(data: bytes) -> str | None:
    """What a file is that no reader knows, in words, if its first bytes say so."""
    for signature, what in _UNREAD:
        if data.startswith(signature):
            return what
    if data[4:8] == b"ftyp":
        return "a HEIF picture" if data[8:12] in (b"heic", b"heix", b"mif1", b"avif") else "a video"
    if data[:4] == b"RIFF" and data[8:12] in (b"WAVE", b"AVI "):
        return "a sound recording or a video"
    if data[60:68] == b"BOOKMOBI":
        return "a Kindle book (.mobi)"
    return None
