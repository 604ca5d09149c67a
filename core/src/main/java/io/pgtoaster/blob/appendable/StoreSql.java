package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.KeyColumn;
import io.pgtoaster.column.Permission;
import io.pgtoaster.internal.Identifiers;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The statements over one store. Every statement on a resolved blob names it by {@code id = ?} (and
 * the leading key, where there is one) at every query level; two writing statements always run in
 * one transaction.
 */
final class StoreSql {
  private static final String FILL = "greatest(octet_length(rtrim(h.tail, '\\x00'::bytea)) - 1, 0)";
  private static final String STATE =
      "h.id, h.base + "
          + FILL
          + ", h.piece_start, h.chunk_size, h.generation, h.sealed,"
          + " h.created_at";
  // The transaction that wrote this head row, if that is the present one and still open.
  private static final String OPEN_WRITER =
      """
      , CASE WHEN pg_catalog.pg_current_xact_id_if_assigned() IS NOT NULL THEN
          (SELECT x.id FROM (SELECT s.top + ((h.xmin::text::bigint - s.top + 2147483648) & 4294967295)
                                    - 2147483648 AS id, s.top, s.bottom
                             FROM (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS top,
                                          pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS bottom) s) x
           WHERE x.id >= x.bottom AND x.id < x.top + 1000000
             AND pg_xact_status(x.id::text::xid8) = 'in progress') END
      """;

  /** A read by row key covers at most so many chunks; the limit makes the generic plan cheap. */
  static final int READ_BY_KEY_CHUNKS = 4;

  /** A statement inserts chunks of about so many bytes. */
  static final int INSERT_BYTES = 260_000;

  final String lockByKey;
  final String lockWithPieces;
  final String lockRow;
  final String setHandle;
  final String createHead;
  final String createHeads;
  final String deleteHead;
  final String tryTail;
  final String append;
  final String pinByKey;
  final String pinByKeyInTransaction;
  final String pinById;
  final String pinByIdInTransaction;
  final String openWriter = "SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8)) = 'aborted'";
  final String readByKey;
  final String readWhole;
  final String readCut;
  final String readGrowing;
  final String pieces;
  final String deletePieces;
  final String putPiece;
  final String updateHead;
  private final String insertSlices;
  final String chunk;
  final String updateChunk;
  final String deleteChunks;
  final String deleteChunkRange;
  final String recompressChunks;
  final String compressChunks;
  final String compressedChunks;
  final String notifyFollowers;
  final String following;
  final String follow;
  final String followOn;
  final String token;
  final String upsertToken;
  final String copyChunks;
  final String chunkSummary;
  final String strayRows;

  StoreSql(AttachedColumn column) {
    String prefix = column.storeTable("");
    String head = prefix + "head";
    String chunks = prefix + "chunk";
    String pieceTable = prefix + "piece";
    String tokens = prefix + "token";
    KeyColumn lk = column.leadingKey();
    String lkName = lk == null ? "" : "leading_key, ";
    String lkValue = lk == null ? "" : lk.parameter() + ", ";
    String lkOut = lk == null ? "" : ", h.leading_key::text";
    String owner = column.quotedTable() + " o";
    String ownerLk = lk == null ? "" : "o." + lk.quoted() + ", ";
    String handleColumn = "o." + column.quotedColumn();
    String where = " WHERE " + column.rowCondition();
    String byKey =
        (lk == null ? "h.id" : "(h.leading_key, h.id)")
            + " = (SELECT "
            + ownerLk
            + handleColumn
            + " FROM "
            + owner
            + where
            + ")";
    String byKeyToWrite = byKey + " AND " + Permission.mayUpdate(column);
    String byId = equalLeadingKey("h", lk) + "h.id = ?";
    String ofBlob = equalLeadingKey("c", lk) + "c.blob_id = ?";
    String generation = "(SELECT h.generation FROM " + head + " h WHERE " + byId + ")";
    String joined =
        " FROM "
            + owner
            + " LEFT JOIN "
            + head
            + " h ON "
            + (lk == null ? "" : "h.leading_key = o." + lk.quoted() + " AND ")
            + "h.id = "
            + handleColumn;

    String replacePiece =
        " ON CONFLICT ("
            + lkName
            + "blob_id, slot) DO UPDATE SET start = excluded.start, crc = excluded.crc, data ="
            + " excluded.data";
    String columns = "SELECT " + Head.COLUMNS + lkOut + " FROM " + head + " h WHERE ";
    String handle =
        "SELECT "
            + handleColumn
            + (lk == null ? "" : ", o." + lk.quoted() + "::text")
            + " FROM "
            + owner
            + where;
    String lock = columns + byKeyToWrite + " FOR NO KEY UPDATE; ";
    lockByKey = lock + handle;
    lockWithPieces =
        lock
            + "SELECT "
            + handleColumn
            + ", p.start, p.data, p.crc"
            + joined
            + " LEFT JOIN LATERAL (SELECT c.start, c.data, c.crc FROM "
            + pieceTable
            + " c WHERE "
            + (lk == null ? "" : "c.leading_key = h.leading_key AND ")
            + "c.blob_id = h.id AND c.slot < h.piece_rows ORDER BY c.slot LIMIT "
            + LastRun.MAX_PIECES
            + ") p ON true"
            + where;
    lockRow = handle + " FOR NO KEY UPDATE";
    setHandle =
        "UPDATE " + column.quotedTable() + " AS o SET " + column.quotedColumn() + " = ?" + where;
    createHead =
        "INSERT INTO "
            + head
            + " ("
            + lkName
            + "chunk_size) VALUES ("
            + lkValue
            + "?) RETURNING id, created_at";
    createHeads =
        "INSERT INTO "
            + head
            + " (chunk_size, tail) SELECT ?, ? FROM generate_series(1, ?) RETURNING id";
    deleteHead = "DELETE FROM " + head + " h WHERE " + byId;

    tryTail =
        "UPDATE "
            + head
            + " AS h SET tail = overlay(h.tail PLACING ? FROM octet_length(rtrim(h.tail,"
            + " '\\x00'::bytea))) WHERE "
            + byKeyToWrite
            + " AND NOT h.sealed AND octet_length(h.tail) - octet_length(rtrim(h.tail,"
            + " '\\x00'::bytea)) >= ? AND h.base + "
            + FILL
            + " = coalesce(CAST(? AS bigint), h.base + "
            + FILL
            + ") RETURNING h.base + "
            + FILL;
    append =
        "SELECT r.outcome, r.place FROM (SELECT "
            + ownerLk
            + handleColumn
            + " AS handle, ARRAY["
            + String.join(
                ", ", column.key().stream().map(k -> "CAST(o." + k.quoted() + " AS text)").toList())
            + "] AS key FROM "
            + owner
            + where
            + " AND "
            + Permission.mayUpdate(column)
            + " OFFSET 0) s, "
            + prefix
            + "append("
            + (lk == null ? "" : "s." + lk.quoted() + ", ")
            + "s.handle, "
            + Identifiers.literal(column.quotedTable())
            + ", "
            + Identifiers.literal(column.quotedColumn())
            + ", "
            + Identifiers.literal(rowByTexts(column.key()))
            + ", s.key, ?, ?, ?, ?, ?) r";

    String pin = "SELECT " + handleColumn + ", " + STATE + lkOut;
    pinByKey = pin + joined + where;
    pinByKeyInTransaction = pin + OPEN_WRITER + joined + where;
    String pinAgain = "SELECT h.id, " + STATE + lkOut;
    pinById = pinAgain + " FROM " + head + " h WHERE " + byId;
    pinByIdInTransaction = pinAgain + OPEN_WRITER + " FROM " + head + " h WHERE " + byId;

    String clipped =
        "greatest(c.start, ?), substring(c.data FROM CAST(greatest(? - c.start, 0) + 1 AS integer)"
            + " FOR CAST(? - greatest(c.start, ?) AS integer))";
    readByKey =
        "SELECT "
            + handleColumn
            + ", "
            + STATE
            + ", r.at, r.data"
            + joined
            + " LEFT JOIN LATERAL (SELECT "
            + clipped.replace("), substring", ") AS at, substring")
            + " AS data FROM "
            + chunks
            + " c WHERE "
            + (lk == null ? "" : "c.leading_key = h.leading_key AND ")
            + "c.blob_id = h.id AND c.start >= ? - ? % h.chunk_size AND c.start < ?"
            + " ORDER BY c.start LIMIT "
            + READ_BY_KEY_CHUNKS
            + ") r ON true"
            + where;
    String range = " FROM " + chunks + " c WHERE " + ofBlob + " AND c.start >= ? AND c.start < ?";
    readWhole = "SELECT " + generation + ", c.start, c.data, c.crc, false" + range;
    readCut =
        "SELECT "
            + generation
            + ", "
            + clipped
            + ", NULL::integer, false FROM "
            + chunks
            + " c WHERE "
            + ofBlob
            + " AND c.start IN (?, ?)";
    readGrowing =
        readWhole
            + " UNION ALL SELECT "
            + generation
            + ", c.start, c.data, c.crc, false FROM "
            + pieceTable
            + " c WHERE "
            + ofBlob
            + " AND c.slot < (SELECT h.piece_rows FROM "
            + head
            + " h WHERE "
            + byId
            + ") AND c.start < ? UNION ALL SELECT h.generation, h.base, h.tail, NULL, true FROM "
            + head
            + " h WHERE "
            + byId;

    // The bound keeps the index scan off the entries of pieces that are gone but not vacuumed.
    pieces =
        "SELECT c.start, c.data, c.crc FROM "
            + pieceTable
            + " c WHERE "
            + ofBlob
            + " AND c.slot < ? ORDER BY c.slot";
    deletePieces = "DELETE FROM " + pieceTable + " c WHERE " + ofBlob + " AND c.slot >= ?";
    putPiece =
        "INSERT INTO "
            + pieceTable
            + " AS c ("
            + lkName
            + "blob_id, slot, start, crc, data) VALUES ("
            + lkValue
            + "?, ?, ?, ?, ?)"
            + replacePiece;
    updateHead =
        "UPDATE "
            + head
            + " AS h SET base = ?, piece_start = ?, piece_rows = ?, tail = ?, chunk_size = ?,"
            + " generation = ?, sealed = ? WHERE "
            + byId;
    String into = "INSERT INTO " + chunks + " (" + lkName + "blob_id, start, crc, data) SELECT ";
    insertSlices = into + lkValue + "?, ? + n.i, ";
    chunk =
        "SELECT c.start, c.data, c.crc FROM " + chunks + " c WHERE " + ofBlob + " AND c.start = ?";
    updateChunk =
        "UPDATE " + chunks + " AS c SET data = ?, crc = ? WHERE " + ofBlob + " AND c.start = ?";
    deleteChunks = "DELETE FROM " + chunks + " c WHERE " + ofBlob + " AND c.start >= ?";
    deleteChunkRange = deleteChunks + " AND c.start < ?";
    recompressChunks =
        "UPDATE "
            + chunks
            + " AS c SET data = c.data || ''::bytea WHERE "
            + ofBlob
            + " AND coalesce(pg_column_compression(c.data), ?) <> ?";
    String some = ofBlob + " AND c.start % ? = 0 AND pg_column_compression(c.data) IS ";
    compressChunks =
        "UPDATE " + chunks + " AS c SET data = c.data || ''::bytea WHERE " + some + "NULL";
    compressedChunks = "SELECT count(*) FROM " + chunks + " c WHERE " + some + "NOT NULL";

    String follower = prefix + "follower";
    // Whoever may read may lock a row here; nobody is made to wait for it.
    String unlocked =
        " AND EXISTS (SELECT FROM " + follower + " c WHERE " + ofBlob + " FOR UPDATE SKIP LOCKED)";
    notifyFollowers =
        "UPDATE "
            + follower
            + " AS c SET notified_at = clock_timestamp() WHERE "
            + ofBlob
            + " AND c.expires > clock_timestamp()"
            // Times to come are of a role that would keep others from being notified.
            + " AND c.notified_at NOT BETWEEN clock_timestamp() - interval '100 milliseconds' AND"
            + " clock_timestamp()"
            + unlocked
            + " RETURNING pg_notify('pgtoaster', CAST(c.blob_id AS text))";
    following =
        "SELECT c.expires > clock_timestamp() + interval '15 seconds' FROM "
            + follower
            + " c WHERE "
            + ofBlob;
    follow =
        "INSERT INTO "
            + follower
            + " ("
            + lkName
            + "blob_id, expires) VALUES ("
            + lkValue
            + "?, clock_timestamp() + interval '30 seconds') ON CONFLICT DO NOTHING";
    followOn =
        "UPDATE "
            + follower
            + " AS c SET expires = clock_timestamp() + interval '30 seconds' WHERE "
            + ofBlob
            + unlocked;
    token =
        "SELECT c.sequence, c.start, c.length FROM "
            + tokens
            + " c WHERE "
            + ofBlob
            + " AND c.writer = ?";
    upsertToken =
        "INSERT INTO "
            + tokens
            + " AS c ("
            + lkName
            + "blob_id, writer, sequence, start, length) VALUES ("
            + lkValue
            + "?, ?, ?, ?, ?) ON CONFLICT ("
            + lkName
            + "blob_id, writer) DO UPDATE SET sequence = excluded.sequence, start ="
            + " excluded.start, length = excluded.length, at = now()";
    copyChunks =
        "INSERT INTO "
            + chunks
            + " ("
            + lkName
            + "blob_id, start, crc, data) SELECT "
            + lkValue
            + "?, c.start, c.crc, c.data FROM "
            + chunks
            + " c WHERE "
            + ofBlob
            + " AND c.start >= ? AND c.start < ?";
    chunkSummary =
        "SELECT c.start, octet_length(c.data) FROM "
            + chunks
            + " c WHERE "
            + ofBlob
            + " AND c.start >= ? ORDER BY c.start LIMIT ?";
    String run = "(SELECT h.%s FROM " + head + " h WHERE " + byId + ")";
    strayRows =
        "SELECT count(*) FROM "
            + chunks
            + " c WHERE "
            + ofBlob
            + " AND c.start >= "
            + run.replace("%s", "piece_start")
            + " UNION ALL SELECT count(*) FROM "
            + pieceTable
            + " c WHERE "
            + ofBlob
            + " AND c.slot < "
            + run.replace("%s", "piece_rows")
            + " AND (c.start < "
            + run.replace("%s", "piece_start")
            + " OR c.start + octet_length(c.data) > "
            + run.replace("%s", "base")
            + ")";
  }

  /** The condition on a row o that its key is the texts $2. */
  private static String rowByTexts(List<KeyColumn> key) {
    return String.join(
        " AND ",
        IntStream.range(0, key.size())
            .mapToObj(
                i -> "o." + key.get(i).quoted() + " = " + key.get(i).cast("($2)[" + (i + 1) + "]"))
            .toList());
  }

  /** Number of chunks that one insert statement takes. */
  static int chunksPerInsert(int chunkSize) {
    return Math.max(1, INSERT_BYTES / chunkSize);
  }

  /**
   * Inserts the chunks of one parameter: with checksums first four bytes for each of {@link
   * #chunksPerInsert}, then as many full chunks as there are. The bound of the series is a literal:
   * with a parameter there the planner expects 1,000 rows from a generic plan, never takes it, and
   * copies the payload into each custom plan.
   */
  String insertChunks(int chunkSize, boolean checksums) {
    int chunks = chunksPerInsert(chunkSize);
    int header = checksums ? 4 * chunks : 0;
    return insertSlices
        + (checksums ? checksum("n.i / " + chunkSize + " * 4") : "NULL")
        + ", substring(d.data FROM n.i + "
        + (header + 1)
        + " FOR "
        + chunkSize
        + ") FROM (SELECT CAST(? AS bytea) AS data) d, generate_series(0, "
        + (chunks - 1) * chunkSize
        + ", "
        + chunkSize
        + ") n(i) WHERE n.i + "
        + header
        + " < octet_length(d.data)";
  }

  /** Four bytes of the parameter as a signed integer. */
  private static String checksum(String at) {
    return "CAST((get_byte(d.data, "
        + at
        + ")::bigint * 16777216 + get_byte(d.data, "
        + at
        + " + 1) * 65536 + get_byte(d.data, "
        + at
        + " + 2) * 256 + get_byte(d.data, "
        + at
        + " + 3) + 2147483648) % 4294967296 - 2147483648 AS integer)";
  }

  private static String equalLeadingKey(String alias, @Nullable KeyColumn lk) {
    return lk == null ? "" : alias + ".leading_key = " + lk.parameter() + " AND ";
  }
}
