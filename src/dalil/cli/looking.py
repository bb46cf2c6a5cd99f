"""`dalil list`, `show`, `rm` and `status`."""

from __future__ import annotations

import json
import sys

from dalil.cli.failures import DONE, printable
from dalil.cli.output import console, print_document, print_records, print_status
from dalil.cli.places import Place, find_document
from dalil.errors import DocumentNotFoundError


async def list_documents(place: Place, *, as_json: bool, quiet: bool) -> int:
    """The documents of the namespace."""
    async with place.open_existing() as sage:
        records = await sage.records(place.scope)
    if as_json:
        rows = [
            {
                "source": record.document.source,
                "document_id": record.document.id,
                "pages": record.pages,
                "chunks": record.chunks,
                "added_at": record.added_at.isoformat(),
            }
            for record in records
        ]
        print(json.dumps(rows, ensure_ascii=False))
    elif quiet:
        for record in records:
            print(printable(record.document.source))
    else:
        print_records(console(sys.stdout), records)
    return DONE


async def show_document(name: str, place: Place, *, page: int | None, as_json: bool, quiet: bool) -> int:
    """What was read from a document, whole or one page."""
    async with place.open_existing() as sage:
        document = await find_document(sage, place.scope, name)
        record = next((item for item in await sage.records(place.scope) if item.document.id == document.id), None)
        pages = await sage.pages(place.scope, document.id)
    shown = [item for item in pages if page is None or item.number == page]
    if page is not None and not shown:
        raise DocumentNotFoundError(f"{document.source} has no page {page}.", advice=f"It has {len(pages)} page(s).")
    warnings = list(record.warnings) if record else []
    if as_json:
        print(
            json.dumps(
                {
                    "source": document.source,
                    "document_id": document.id,
                    "metadata": dict(document.metadata),
                    "warnings": warnings,
                    "pages": [{"number": item.number, "text": item.text} for item in shown],
                },
                ensure_ascii=False,
            )
        )
    else:
        print_document(console(sys.stdout), document, shown, warnings, bare=quiet)
    return DONE


async def remove_document(name: str, place: Place, *, as_json: bool, quiet: bool) -> int:
    """Remove one document."""
    async with place.open_existing() as sage:
        document = await find_document(sage, place.scope, name)
        await sage.delete_document(place.scope, document.id)
    if as_json:
        print(
            json.dumps({"source": document.source, "document_id": document.id, "status": "removed"}, ensure_ascii=False)
        )
    elif not quiet:
        print(f"Removed {printable(document.source)}")
    return DONE


async def show_status(place: Place, *, as_json: bool, quiet: bool) -> int:
    """What the store is and holds."""
    async with place.open_existing() as sage:
        status = await sage.status()
    if as_json:
        print(
            json.dumps(
                {
                    "store": status.store,
                    "schema": status.schema,
                    "embedder": status.embedder,
                    "namespaces": [
                        {"name": entry.name, "documents": entry.documents, "chunks": entry.chunks}
                        for entry in status.namespaces
                    ],
                },
                ensure_ascii=False,
            )
        )
    else:
        print_status(console(sys.stdout), status, bare=quiet)
    return DONE
