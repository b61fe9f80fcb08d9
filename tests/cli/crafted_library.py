"""Libraries that someone crafted: any value in any row, and the right checksums."""
import contextlib
import ctypes
import shutil
import sqlite3
import struct

XXHASH = ctypes.CDLL("libxxhash.so.0")
XXHASH.XXH3_64bits.restype = ctypes.c_int64
XXHASH.XXH3_64bits.argtypes = (ctypes.c_char_p, ctypes.c_size_t)

# Tables whose checksum leaves the id out.
WITHOUT_ID = {"roots", "folders", "files", "contents"}


def row_sum(values):
    """As docs/formats.md has it."""
    row = b""
    for value in values:
        if value is None:
            row += b"n"
        elif isinstance(value, int):
            row += b"i" + struct.pack("<q", value)
        else:
            value = str(value).encode() if isinstance(value, (float, str)) else value
            row += b"b" + struct.pack("<Q", len(value)) + value
    return XXHASH.XXH3_64bits(row, len(row))


def tables(library):
    """The columns of each table that has rows with checksums."""
    with contextlib.closing(sqlite3.connect(library)) as database:
        names = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = {name: [row[1] for row in database.execute(f"PRAGMA table_info({name})")] for name in names}
        return {name: of_table for name, of_table in columns.items() if "checksum" in of_table}


def write_checksums(database, table):
    columns = [row[1].decode() for row in database.execute(f"PRAGMA table_info({table})")]
    summed = [name for name in columns if name != "checksum" and not (name == "id" and table in WITHOUT_ID)]
    for row in database.execute(f"SELECT rowid, checksum, {', '.join(summed)} FROM {table}").fetchall():
        wanted = row_sum(row[2:])
        if wanted != row[1]:
            database.execute(f"UPDATE {table} SET checksum = ? WHERE rowid = ?", (wanted, row[0]))


@contextlib.contextmanager
def any_value(database):
    """Tables take values of each kind meanwhile."""
    before = database.execute("SELECT rowid, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT'").fetchall()
    version = database.execute("PRAGMA schema_version").fetchone()[0]

    def replace(text):
        nonlocal version
        version += 1
        database.execute("PRAGMA writable_schema = 1")
        for row, sql in before:
            database.execute("UPDATE sqlite_master SET sql = ? WHERE rowid = ?", (text(sql.decode()), row))
        database.execute(f"PRAGMA schema_version = {version}")
        database.execute("PRAGMA writable_schema = 0")
        database.commit()

    def lax(sql):
        return sql.replace(" NOT NULL", "").replace(" STRICT", "").replace("INTEGER PRIMARY KEY", "\0").replace(
            " INTEGER", "").replace(" BLOB", "").replace(" TEXT", "").replace("\0", "INTEGER PRIMARY KEY")

    replace(lax)
    try:
        yield
    finally:
        replace(lambda sql: sql)


def craft(base, library, *statements, changed=(), lax=False):
    """Copies a library, runs statements in the copy, and gives the rows of changed tables their checksums."""
    shutil.copy(base, library)
    with contextlib.closing(sqlite3.connect(library)) as database:
        database.text_factory = bytes
        with any_value(database) if lax else contextlib.nullcontext():
            for statement in statements:
                database.execute(*([statement] if isinstance(statement, str) else statement))
            for table in changed:
                write_checksums(database, table)
            database.commit()


VALUES = {"NULL": None, "empty": b"", "one byte": b"\x07", "-1": -1, "2^63-1": (1 << 63) - 1, "text": "a", "real": 1.5, "0": 0,
          "2^31": 1 << 31, "2^40": 1 << 40, "-2^63": -(1 << 63), "256 bytes": b"\xff" * 256}


def cases(library):
    """Each column of each table with each value, in one row and in all: what `craft` takes, by a name."""
    for table, columns in tables(library).items():
        for column in columns:
            if column == "checksum":
                continue
            rows_of = {"one": f" WHERE rowid = (SELECT max(rowid) FROM {table})", "all": "",
                       "first": f" WHERE rowid = (SELECT min(rowid) FROM {table})"}
            for rows, where in rows_of.items():
                for name, value in VALUES.items():
                    yield f"{table}.{column} {name} in {rows}", table, (f"UPDATE {table} SET {column} = ?{where}", (value,))
