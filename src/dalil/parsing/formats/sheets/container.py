"""What can be told of a workbook before it is opened: its properties, comments, and how large its sheets are."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field

from dalil.errors import CorruptDocumentError, DocumentTooLargeError
from dalil.parsing.archives import open_archive, read_member
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.properties import DocumentProperties, properties_of
from dalil.parsing.formats.office.xml import child, children, parse_xml, reference, value
from dalil.parsing.formats.sheets.binary_range import binary_range
from dalil.parsing.formats.sheets.comments import sheet_comments
from dalil.parsing.formats.sheets.old_range import old_ranges
from dalil.parsing.formats.sheets.opendocument_range import opendocument_ranges
from dalil.parsing.formats.sheets.used_range import UsedRange, scan_sheet
from dalil.parsing.limits import ParsingLimits

_USUAL_PLACE = "xl/workbook.xml"
_BINARY_PLACE = "xl/workbook.bin"
_OPENDOCUMENT_PLACE = "content.xml"


@dataclass
class Container:
    """Properties, and warnings; by sheet name its comments, and the error values in its cells by row and column."""

    properties: DocumentProperties = field(default_factory=DocumentProperties)
    comments: Mapping[str, list[str]] = field(default_factory=dict)
    errors: Mapping[str, Mapping[tuple[int, int], str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def inspect(data: bytes, name: str, limits: ParsingLimits) -> Container:
    """Looks into a workbook's container, and refuses what would unpack to absurd sizes.

    calamine keeps a whole used range in memory, empty cells and all: two cells in opposite corners would take
    hundreds of gigabytes. Their places are therefore looked at first.

    Raises:
        CorruptDocumentError: the container or its main part is damaged.
        DocumentTooLargeError: it exceeds the limits of archives, or the used range of a sheet has too many cells.
        EncryptedDocumentError: a part is locked.
    """
    if not data.startswith(b"PK"):
        for found in old_ranges(data, name, limits.table_cells):
            _check(found, name, limits)
        return Container()
    with open_archive(data, name, limits) as archive:
        members = set(archive.namelist())
        if _BINARY_PLACE in members:
            return _inspect_binary(archive, name, limits)
        if _OPENDOCUMENT_PLACE in members:
            return _inspect_opendocument(archive, name, limits)
        return _inspect_open_xml(archive, name, limits)


def _inspect_open_xml(archive: zipfile.ZipFile, name: str, limits: ParsingLimits) -> Container:
    package = OfficePackage(archive, name, _USUAL_PLACE)
    relations = package.relations(package.main)
    comments: dict[str, list[str]] = {}
    errors: dict[str, Mapping[tuple[int, int], str]] = {}
    for sheet in children(child(package.document, "sheets"), "sheet"):
        relation = relations.get(reference(sheet))
        if relation is None or relation.target not in archive.namelist():
            continue
        scan = scan_sheet(archive, relation.target, name, limits.table_cells)
        _check(scan.found, name, limits)
        errors[value(sheet, "name")] = scan.errors
        comments[value(sheet, "name")] = sheet_comments(package, relation.target)
    return Container(package.properties, comments, errors, package.warnings)


def _inspect_binary(archive: zipfile.ZipFile, name: str, limits: ParsingLimits) -> Container:
    for member in archive.namelist():
        if "/worksheets/" in member and member.endswith(".bin"):
            _check(binary_range(read_member(archive, member, name) or b"", limits.table_cells), name, limits)
    core = read_member(archive, "docProps/core.xml", name)
    return Container(properties_of(parse_xml(core, name, "docProps/core.xml")) if core else DocumentProperties())


def _inspect_opendocument(archive: zipfile.ZipFile, name: str, limits: ParsingLimits) -> Container:
    content = read_member(archive, _OPENDOCUMENT_PLACE, name)
    if content is None:
        raise CorruptDocumentError(f"{name} has no main document part.")
    for found in opendocument_ranges(content, name, limits.table_cells):
        _check(found, name, limits)
    meta = read_member(archive, "meta.xml", name)
    root = parse_xml(meta, name, "meta.xml") if meta else None
    return Container(properties_of(child(root, "meta")))


def _check(found: UsedRange, name: str, limits: ParsingLimits) -> None:
    if found.cells > limits.table_cells:
        raise DocumentTooLargeError(
            f"{name} has a sheet whose used range is {found.rows} rows by {found.columns} columns; "
            f"the limit is {limits.table_cells} cells."
        )
