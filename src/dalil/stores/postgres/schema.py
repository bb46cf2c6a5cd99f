"""The tables. Every table that holds a tenant's rows has a `namespace`, and Row-Level Security compares it.

There are no foreign keys: a document's rows are removed by the same statements that count them, and checks across
tables would run once for every row of every table.
"""

from __future__ import annotations

TENANT_TABLES = (
    "dalil_namespaces",
    "dalil_documents",
    "dalil_fields",
    "dalil_pages",
    "dalil_chunks",
    "dalil_sentences",
    "dalil_words",
    "dalil_postings",
    "dalil_terms",
)
SHARED_TABLES = ("dalil_meta", "dalil_schema_version")
CHUNKS = "dalil_chunks"
POLICY = "dalil_isolation"

_FIRST = """
CREATE TABLE dalil_schema_version (version integer PRIMARY KEY, reached timestamptz NOT NULL DEFAULT now());

-- The embedder's identity and the width of its vectors, once there are any.
CREATE TABLE dalil_meta (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE dalil_namespaces (
    namespace text COLLATE "C" PRIMARY KEY,
    vectors bigint NOT NULL DEFAULT 0,      -- chunks with a vector
    worded bigint NOT NULL DEFAULT 0,       -- chunks with words
    tokens bigint NOT NULL DEFAULT 0        -- search tokens in all of them
);

CREATE TABLE dalil_documents (
    namespace text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    content_hash text COLLATE "C" NOT NULL,
    metadata text NOT NULL,                 -- JSON; as text, because jsonb keeps neither NUL nor the order of keys
    warnings text NOT NULL DEFAULT '[]',    -- JSON
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (namespace, id)
);
CREATE INDEX dalil_documents_by_hash ON dalil_documents (namespace, content_hash);

-- One row for each plain value of a document's metadata, as 128 bits of its name and value: what filters look up.
CREATE TABLE dalil_fields (
    namespace text COLLATE "C" NOT NULL,
    field bytea NOT NULL,
    document text COLLATE "C" NOT NULL,
    PRIMARY KEY (namespace, field, document)
);
CREATE INDEX dalil_fields_by_document ON dalil_fields (namespace, document);

CREATE TABLE dalil_pages (
    namespace text COLLATE "C" NOT NULL,
    document text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (namespace, document, number)
);

CREATE TABLE dalil_chunks (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    namespace text COLLATE "C" NOT NULL,
    document text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    ordinal bigint NOT NULL,
    page bigint NOT NULL,
    source text COLLATE "C" NOT NULL,       -- by which ties are told apart
    text text NOT NULL,
    embed_text text NOT NULL,               -- what precedes `text` in it, or all of it (see `whole`)
    whole boolean NOT NULL,                 -- true: embed_text does not end with text
    metadata text NOT NULL,                 -- JSON
    spans text NOT NULL,                    -- JSON
    digest bytea NOT NULL,                  -- of everything above, to see what changed
    embed_hash bytea,                       -- of the whole embed_text, where there is a vector
    embedding vector({dimension}),          -- of length one
    UNIQUE (namespace, id)
);
CREATE INDEX dalil_chunks_by_document ON dalil_chunks (namespace, document);
CREATE INDEX dalil_chunks_by_text ON dalil_chunks (namespace, embed_hash) WHERE embed_hash IS NOT NULL;
CREATE INDEX dalil_chunks_by_meaning ON dalil_chunks USING hnsw (embedding vector_cosine_ops)
    WITH (m = 16, ef_construction = 64);
-- Texts leave the row before the vector does: an exact search reads every vector of a tenant and no text.
ALTER TABLE dalil_chunks ALTER COLUMN embedding SET STORAGE MAIN;

CREATE TABLE dalil_sentences (
    namespace text COLLATE "C" NOT NULL,
    chunk bigint NOT NULL,
    places bytea NOT NULL,                  -- int32 pairs: start and end in the chunk's text
    scales bytea NOT NULL,                  -- float32, one a sentence
    data bytea NOT NULL,                    -- int8, one row a sentence; times its scale: the unit vector
    PRIMARY KEY (namespace, chunk)
);

CREATE TABLE dalil_words (
    namespace text COLLATE "C" NOT NULL,
    chunk bigint NOT NULL,
    document text COLLATE "C" NOT NULL,
    length bigint NOT NULL,
    tokens text NOT NULL,                   -- each token between two blanks
    PRIMARY KEY (namespace, chunk)
);

-- Which chunks of a document hold a term, how often, and how long they are: (int64, int32, int32) each.
CREATE TABLE dalil_postings (
    namespace text COLLATE "C" NOT NULL,
    term text COLLATE "C" NOT NULL,
    document text COLLATE "C" NOT NULL,
    chunks bytea NOT NULL,
    PRIMARY KEY (namespace, term, document)
);

CREATE TABLE dalil_terms (
    namespace text COLLATE "C" NOT NULL,
    term text COLLATE "C" NOT NULL,
    containing bigint NOT NULL,             -- chunks that contain it
    PRIMARY KEY (namespace, term)
) WITH (fillfactor = 70);                   -- room to count up and down in place
"""

_PAGE_DETAILS = """
ALTER TABLE dalil_pages ADD COLUMN details text NOT NULL DEFAULT '';  -- JSON, or empty
ALTER TABLE dalil_pages ADD COLUMN geometry bytea;                    -- where its words stand
"""

STEPS: tuple[str, ...] = (_FIRST, _PAGE_DETAILS)
"""What leads from each version to the next: `STEPS[n]` makes version n + 1. `{dimension}` is the vectors' width."""

VERSION = len(STEPS)


def statements(script: str) -> list[str]:
    """The statements of a script whose comments end their lines and whose strings hold no semicolon."""
    lines = (line.split("--")[0].rstrip() for line in script.splitlines())
    return [part.strip() for part in "\n".join(lines).split(";") if part.strip()]


def sees_own(variable: str) -> str:
    """The condition of the policy: a row's namespace is the session's. Unset or empty, no row passes."""
    return f"namespace = (SELECT nullif(current_setting('{variable}', true), ''))"
