"""The verbs, their options, and the exit codes."""

from __future__ import annotations

import logging
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from dalil.cli.failures import DONE, INTERRUPTED, USAGE, exit_code, explain, silence_stdout

app = typer.Typer(
    name="dalil",
    help="Answers from your documents, in Arabic and English, with every sentence proved by a checked citation.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Store = Annotated[str, typer.Option("--store", help="The store: a folder, or the URL of a PostgreSQL database.")]
Namespace = Annotated[str, typer.Option("--namespace", help="Whose documents: nothing is shared between namespaces.")]
Embedder = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        help="accurate, fast or PROVIDER:MODEL; by default the store's own, accurate for a new store.",
    ),
]
Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="MODEL",
        help="Let a language model write the answers: ollama:llama3.2, openai:gpt-4o, ... By default they are "
        "sentences of the documents.",
    ),
]
Password = Annotated[
    str | None,
    typer.Option(
        "--password",
        help="Opens locked documents. Others can see it in the list of processes: - asks for it, or reads it from "
        "stdin.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Machine output, alone on stdout.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress and no summary.")]
DEFAULT_STORE = ".dalil"


@app.command()
def add(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders.", readable=False)],
    store: Store = DEFAULT_STORE,
    namespace: Namespace = "default",
    embedder: Embedder = None,
    meta: Annotated[
        list[str] | None, typer.Option("--meta", metavar="KEY=VALUE", help="Metadata for these documents; repeatable.")
    ] = None,
    chunker: Annotated[
        str | None,
        typer.Option(
            "--chunker",
            help="How documents are cut: structure (the default), fixed_size, sentence_aware, recursive, semantic or "
            "parent_child. Unchanged documents stay as they were cut.",
        ),
    ] = None,
    chunk_size: Annotated[
        int | None, typer.Option("--chunk-size", min=1, help="Estimated tokens of a chunk, 512 by default.")
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(
            "--llm",
            metavar="MODEL",
            help="Let a model that sees read scanned pages: openai:gpt-4o, ... By default Tesseract does, where it "
            "is installed.",
        ),
    ] = None,
    password: Password = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put documents into the store. Unchanged ones cost nothing, changed ones replace their older version."""
    from dalil.cli.adding import add_documents
    from dalil.cli.places import Cut

    cut, place = Cut(chunker, chunk_size), _place(store, namespace, embedder, llm)
    _run(add_documents(paths, place, meta or [], cut, password, as_json=json, quiet=quiet))


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A question, in Arabic or English.")],
    store: Store = DEFAULT_STORE,
    namespace: Namespace = "default",
    embedder: Embedder = None,
    llm: Llm = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also show where each candidate stood in every stage.")
    ] = False,
    expect: Annotated[
        str | None,
        typer.Option(
            "--expect",
            metavar="DOC",
            help="Explain, and tell which stage lost this document: a source name, or the beginning of an id.",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Answer a question from the documents, with the source, page and quote behind each sentence."""
    from dalil.cli.asking import ask_question

    place = _place(store, namespace, embedder, llm)
    _run(ask_question(question, place, as_json=json, quiet=quiet, explain=explain, expect=expect))


@app.command()
def search(
    question: Annotated[str, typer.Argument(help="Words or a question.")],
    store: Store = DEFAULT_STORE,
    namespace: Namespace = "default",
    embedder: Embedder = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many passages.")] = 10,
    words: Annotated[bool, typer.Option("--words", help="By words alone, without the embedder.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the passages that match best."""
    from dalil.cli.asking import search_passages

    _run(search_passages(question, _place(store, namespace, embedder), k=k, words=words, as_json=json, quiet=quiet))


@app.command("list")
def list_(
    store: Store = DEFAULT_STORE,
    namespace: Namespace = "default",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the documents."""
    from dalil.cli.looking import list_documents

    _run(list_documents(_place(store, namespace), as_json=json, quiet=quiet))


@app.command()
def show(
    document: Annotated[
        str,
        typer.Argument(
            metavar="DOC", help="A source name, the beginning of an id, or a file that is not in the store."
        ),
    ],
    store: Store = DEFAULT_STORE,
    namespace: Namespace = "default",
    page: Annotated[int | None, typer.Option("--page", min=1, help="Only this page.")] = None,
    png: Annotated[
        Path | None,
        typer.Option(
            "--png", metavar="FILE", help="Also draw the page, with the words and paragraphs that were read marked."
        ),
    ] = None,
    password: Password = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print what was read from a document, and how each page was read."""
    from dalil.cli.showing import show_document

    place = _place(store, namespace)
    _run(show_document(document, place, page=page, png=png, password=password, as_json=json, quiet=quiet))


@app.command()
def rm(
    document: Annotated[str, typer.Argument(metavar="DOC", help="A source name, or the beginning of an id.")],
    store: Store = DEFAULT_STORE,
    namespace: Namespace = "default",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Remove a document from the store."""
    from dalil.cli.looking import remove_document

    _run(remove_document(document, _place(store, namespace), as_json=json, quiet=quiet))


@app.command()
def status(store: Store = DEFAULT_STORE, json: Json = False, quiet: Quiet = False) -> None:
    """Tell what the store is and holds."""
    from dalil.cli.looking import show_status

    _run(show_status(_place(store, "default"), as_json=json, quiet=quiet))


@app.command("eval")
def eval_(
    golden: Annotated[
        Path | None,
        typer.Option("--golden", metavar="FOLDER", help="Your own golden set: documents/ and questions.jsonl."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--set", help="A built-in set: full (the default) or small, a smoke test.")
    ] = None,
    embedder: Embedder = None,
    llm: Llm = None,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="BASELINE", help="The JSON of an earlier run to compare with.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="MODEL", help="Also let a model mark each answer: openai:gpt-4o, ollama:..."),
    ] = None,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - is stdout, alone.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the report as one HTML page, with every case.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Measure answers on questions whose answers are known, in a store of its own that is removed again.

    Exits with 1 when a threshold is missed, or a measure is significantly worse than in the baseline.
    """
    from dalil.cli.evaluating import Models, Outputs, evaluate

    models, outputs = Models(embedder, llm, judge), Outputs(json, html)
    _run(evaluate(golden, name, models=models, against=against, outputs=outputs, quiet=quiet))


app.command("ingest", help="The same as add.", hidden=True)(add)
app.command("query", help="The same as ask.", hidden=True)(ask)


def _place(store: str, namespace: str, embedder: str | None = None, llm: str | None = None) -> Any:
    from dalil.cli.places import Place

    return Place(store, namespace, embedder, llm)


def _run(work: Coroutine[Any, Any, int]) -> None:
    import asyncio

    try:
        code = asyncio.run(work)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:  # whoever read our output has left, which is no failure of ours
        silence_stdout()
        code = DONE
    raise typer.Exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (default: the process's own) and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what cannot be shown must not end the command
            stream.reconfigure(encoding="utf-8" if stream.encoding is None else stream.encoding, errors="replace")
    logging.getLogger("dalil").addHandler(logging.NullHandler())  # what heals itself needs no line on stderr
    try:
        app(args=list(arguments) if arguments is not None else None)
    except SystemExit as ended:  # usage errors have been explained by then
        code = ended.code if isinstance(ended.code, int) else USAGE
        if code == INTERRUPTED:
            typer.echo("Interrupted. What was committed stays; run the same command again to go on.", err=True)
        return code
    except Exception as error:
        typer.echo(f"dalil: {explain(error)}", err=True)
        return exit_code(error)
    return DONE
