"""The embedded store: one SQLite file is the only truth; the word index and the vector scan derive from it."""

from dalil.stores.sqlite.database import SqliteDatabase
from dalil.stores.sqlite.documents import SqliteDocumentStore
from dalil.stores.sqlite.lexical import SqliteLexicalStore
from dalil.stores.sqlite.vectors import SqliteVectorStore

__all__ = ["SqliteDatabase", "SqliteDocumentStore", "SqliteLexicalStore", "SqliteVectorStore"]
