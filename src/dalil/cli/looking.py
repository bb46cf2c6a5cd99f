"""`dalil list`, `rm` and `status`."""

from __future__ import annotations

import json
import sys

from dalil.cli.failures import DONE, printable
from dalil.cli.output import console, print_records, print_status
from dalil.cli.places import Place, find_document


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
