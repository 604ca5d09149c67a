"""Blobs and documents of pgtoaster with psycopg 3, on a stock server: no extension, no Java."""

import sys
import time
import uuid

import psycopg
from psycopg.types.json import Jsonb

ADD = (
    "SELECT outcome, \"offset\" FROM pgtoaster.blob_append('example_recording', 'audio', %s, %s,"
    " writer => %s, sequence => %s)"
)


def append(url, key, chunk, writer, sequence):
    """Appends and commits. With the token (writer and sequence), a chunk that may have been stored can be sent again."""
    for attempt in range(5):
        try:
            with psycopg.connect(url) as connection:
                outcome, offset = connection.execute(ADD, (key, chunk, writer, sequence)).fetchone()
            print(f"chunk {sequence}: {outcome} at {offset}")
            return
        except psycopg.OperationalError:
            if attempt == 4:
                raise
            time.sleep(2**attempt)


def blobs(url):
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE example_recording (id bigint PRIMARY KEY, title text)")
        connection.execute("SELECT pgtoaster.attach('example_recording', 'audio')")
        connection.execute("INSERT INTO example_recording VALUES (1, 'first')")
    writer = uuid.uuid4()  # one for each uploader, which keeps it as long as it may retry
    for sequence, chunk in enumerate([b"RIFF" + bytes(9_996), b"data" + bytes(9_996), b"end"], start=1):
        append(url, 1, chunk, writer, sequence)
    append(url, 1, b"end", writer, 3)  # sent again, as after a lost response
    with psycopg.connect(url, autocommit=True) as connection:
        # Receive results in binary form, not as hexadecimal digits.
        read = "SELECT pgtoaster.blob_read('example_recording', 'audio', %s, %s, %s)"
        part = connection.execute(read, (1, 10_000, 4), binary=True).fetchone()[0]
        length = connection.execute("SELECT pgtoaster.blob_length('example_recording', 'audio', 1)").fetchone()[0]
        print(f"{length} bytes; at 10000: {part.decode()}")
        try:
            connection.execute("SELECT pgtoaster.blob_append('example_recording', 'audio', 2, 'x')")
        except psycopg.errors.NoDataFound as e:
            print(f"rejected: {e.diag.message_primary}")


def documents(url):
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE example_person (id bigint PRIMARY KEY, doc jsonb)")
        connection.execute("SELECT pgtoaster.attach('example_person', 'doc', 'keyed')")
        doc = {"name": "Ada", "events": [{"year": 1843, "what": "Note G"}]}
        connection.execute("INSERT INTO example_person VALUES (1, %s)", (Jsonb(doc),))
        change = "UPDATE example_person SET doc = pgtoaster.set(doc, %s, %s) WHERE id = %s"
        connection.execute(change, (["events", "0", "year"], Jsonb(1844), 1))
        get = "SELECT pgtoaster.get(doc, %s) FROM example_person WHERE id = %s"
        print(connection.execute(get, (["events", "0"], 1)).fetchone()[0])


if __name__ == "__main__":
    blobs(sys.argv[1])
    documents(sys.argv[1])
