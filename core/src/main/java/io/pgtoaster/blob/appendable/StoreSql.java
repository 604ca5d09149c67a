package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.KeyColumn;
import io.pgtoaster.column.Permission;
import io.pgtoaster.internal.Identifiers;
import io.pgtoaster.internal.SqlTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The statements over one store. Every statement on a resolved blob names it by {@code id = ?} (and
 * the leading key, where there is one) at every query level; two writing statements always run in
 * one transaction.
 */
final class StoreSql {
  private static final String STATE =
      """
      h.id, h.base + {fill}, h.piece_start, h.chunk_size, h.generation, h.sealed, h.created_at\
      """;
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
    SqlTemplate names = new SqlTemplate(names(column));
    String lock =
        """
        SELECT {head_columns} FROM {head} h WHERE {head_of_row} AND {may_update} FOR NO KEY UPDATE;
        """;
    String handle = "SELECT {handle}{row_lead_text} FROM {owner} o WHERE {row}";
    lockByKey = names.fill(lock + handle);
    lockWithPieces =
        names.fill(
            lock
                + """
                SELECT {handle}, p.start, p.data, p.crc {head_beside_row}
                LEFT JOIN LATERAL (
                  SELECT c.start, c.data, c.crc FROM {piece} c
                  WHERE {of_head} AND c.slot < h.piece_rows ORDER BY c.slot LIMIT {max_pieces}) p ON true
                WHERE {row}\
                """);
    lockRow = names.fill(handle + " FOR NO KEY UPDATE");
    setHandle = names.fill("UPDATE {owner} AS o SET {column} = ? WHERE {row}");
    createHead =
        names.fill(
            "INSERT INTO {head} ({lead}chunk_size) VALUES ({lead_value}?) RETURNING id, created_at");
    createHeads =
        names.fill(
            """
            INSERT INTO {head} (chunk_size, tail) SELECT ?, ? FROM generate_series(1, ?) RETURNING id\
            """);
    deleteHead = names.fill("DELETE FROM {head} h WHERE {head_named}");
    tryTail =
        names.fill(
            """
            UPDATE {head} AS h
            SET tail = overlay(h.tail PLACING ? FROM octet_length(rtrim(h.tail, '\\x00'::bytea)))
            WHERE {head_of_row} AND {may_update} AND NOT h.sealed
              AND octet_length(h.tail) - octet_length(rtrim(h.tail, '\\x00'::bytea)) >= ?
              AND h.base + {fill} = coalesce(CAST(? AS bigint), h.base + {fill})
            RETURNING h.base + {fill}\
            """);
    append =
        names.fill(
            """
            SELECT r.outcome, r.place
            FROM (SELECT {row_lead}{handle} AS handle, ARRAY[{key_texts}] AS key
                  FROM {owner} o WHERE {row} AND {may_update} OFFSET 0) s,
                 {append}({s_lead}s.handle, {owner_literal}, {column_literal}, {row_by_texts}, s.key, ?, ?, ?, ?, ?) r\
            """);
    String byKey = " {head_beside_row} WHERE {row}";
    String byId = " FROM {head} h WHERE {head_named}";
    String pin = "SELECT {handle}, " + STATE + "{head_lead_text}";
    pinByKey = names.fill(pin + byKey);
    pinByKeyInTransaction = names.fill(pin + OPEN_WRITER + byKey);
    String pinAgain = "SELECT h.id, " + STATE + "{head_lead_text}";
    pinById = names.fill(pinAgain + byId);
    pinByIdInTransaction = names.fill(pinAgain + OPEN_WRITER + byId);
    String first = "greatest(c.start, ?)";
    String clip =
        """
        substring(c.data FROM CAST(greatest(? - c.start, 0) + 1 AS integer)
                  FOR CAST(? - greatest(c.start, ?) AS integer))\
        """;
    readByKey =
        names.fill(
            """
            SELECT {handle}, :state, r.at, r.data {head_beside_row}
            LEFT JOIN LATERAL (
              SELECT :first AS at, :clip AS data FROM {chunk} c
              WHERE {of_head} AND c.start >= ? - ? % h.chunk_size AND c.start < ?
              ORDER BY c.start LIMIT {read_chunks}) r ON true
            WHERE {row}\
            """
                .replace(":state", STATE)
                .replace(":first", first)
                .replace(":clip", clip));
    readWhole =
        names.fill(
            """
            SELECT {generation}, c.start, c.data, c.crc, false
            FROM {chunk} c WHERE {blob} AND c.start >= ? AND c.start < ?\
            """);
    readCut =
        names.fill(
            """
            SELECT {generation}, :first, :clip, NULL::integer, false
            FROM {chunk} c WHERE {blob} AND c.start IN (?, ?)\
            """
                .replace(":first", first)
                .replace(":clip", clip));
    readGrowing =
        readWhole
            + names.fill(
                """
                 UNION ALL
                SELECT {generation}, c.start, c.data, c.crc, false FROM {piece} c
                WHERE {blob} AND c.slot < (SELECT h.piece_rows FROM {head} h WHERE {head_named}) AND c.start < ?
                UNION ALL
                SELECT h.generation, h.base, h.tail, NULL, true FROM {head} h WHERE {head_named}\
                """);
    // The bound keeps the index scan off the entries of pieces that are gone but not vacuumed.
    pieces =
        names.fill(
            """
            SELECT c.start, c.data, c.crc FROM {piece} c WHERE {blob} AND c.slot < ? ORDER BY c.slot\
            """);
    deletePieces = names.fill("DELETE FROM {piece} c WHERE {blob} AND c.slot >= ?");
    putPiece =
        names.fill(
            """
            INSERT INTO {piece} AS c ({lead}blob_id, slot, start, crc, data) VALUES ({lead_value}?, ?, ?, ?, ?)
            ON CONFLICT ({lead}blob_id, slot)
            DO UPDATE SET start = excluded.start, crc = excluded.crc, data = excluded.data\
            """);
    updateHead =
        names.fill(
            """
            UPDATE {head} AS h
            SET base = ?, piece_start = ?, piece_rows = ?, tail = ?, chunk_size = ?, generation = ?, sealed = ?
            WHERE {head_named}\
            """);
    insertSlices =
        names.fill(
            "INSERT INTO {chunk} ({lead}blob_id, start, crc, data) SELECT {lead_value}?, ? + n.i, ");
    chunk = names.fill("SELECT c.start, c.data, c.crc FROM {chunk} c WHERE {blob} AND c.start = ?");
    updateChunk =
        names.fill("UPDATE {chunk} AS c SET data = ?, crc = ? WHERE {blob} AND c.start = ?");
    deleteChunks = names.fill("DELETE FROM {chunk} c WHERE {blob} AND c.start >= ?");
    deleteChunkRange = deleteChunks + " AND c.start < ?";
    String anew = "UPDATE {chunk} AS c SET data = c.data || ''::bytea WHERE ";
    recompressChunks =
        names.fill(anew + "{blob} AND coalesce(pg_column_compression(c.data), ?) <> ?");
    String some = "{blob} AND c.start % ? = 0 AND pg_column_compression(c.data) IS ";
    compressChunks = names.fill(anew + some + "NULL");
    compressedChunks = names.fill("SELECT count(*) FROM {chunk} c WHERE " + some + "NOT NULL");
    // Whoever may read may lock a row here; nobody is made to wait for it.
    String unlocked = " AND EXISTS (SELECT FROM {follower} c WHERE {blob} FOR UPDATE SKIP LOCKED)";
    // Times to come are of a role that would keep others from being notified.
    notifyFollowers =
        names.fill(
            """
            UPDATE {follower} AS c SET notified_at = clock_timestamp()
            WHERE {blob} AND c.expires > clock_timestamp()
              AND c.notified_at NOT BETWEEN clock_timestamp() - interval '100 milliseconds' AND clock_timestamp()\
            """
                + unlocked
                + " RETURNING pg_notify('pgtoaster', CAST(c.blob_id AS text))");
    following =
        names.fill(
            """
            SELECT c.expires > clock_timestamp() + interval '15 seconds' FROM {follower} c WHERE {blob}\
            """);
    follow =
        names.fill(
            """
            INSERT INTO {follower} ({lead}blob_id, expires)
            VALUES ({lead_value}?, clock_timestamp() + interval '30 seconds') ON CONFLICT DO NOTHING\
            """);
    followOn =
        names.fill(
            """
            UPDATE {follower} AS c SET expires = clock_timestamp() + interval '30 seconds' WHERE {blob}\
            """
                + unlocked);
    token =
        names.fill(
            """
            SELECT c.sequence, c.start, c.length FROM {token} c WHERE {blob} AND c.writer = ?\
            """);
    upsertToken =
        names.fill(
            """
            INSERT INTO {token} AS c ({lead}blob_id, writer, sequence, start, length)
            VALUES ({lead_value}?, ?, ?, ?, ?)
            ON CONFLICT ({lead}blob_id, writer)
            DO UPDATE SET sequence = excluded.sequence, start = excluded.start, length = excluded.length, at = now()\
            """);
    copyChunks =
        names.fill(
            """
            INSERT INTO {chunk} ({lead}blob_id, start, crc, data)
            SELECT {lead_value}?, c.start, c.crc, c.data
            FROM {chunk} c WHERE {blob} AND c.start >= ? AND c.start < ?\
            """);
    chunkSummary =
        names.fill(
            """
            SELECT c.start, octet_length(c.data) FROM {chunk} c
            WHERE {blob} AND c.start >= ? ORDER BY c.start LIMIT ?\
            """);
    strayRows =
        names.fill(
            """
            SELECT count(*) FROM {chunk} c
            WHERE {blob} AND c.start >= (SELECT h.piece_start FROM {head} h WHERE {head_named})
            UNION ALL
            SELECT count(*) FROM {piece} c
            WHERE {blob} AND c.slot < (SELECT h.piece_rows FROM {head} h WHERE {head_named})
              AND (c.start < (SELECT h.piece_start FROM {head} h WHERE {head_named})
                   OR c.start + octet_length(c.data) > (SELECT h.base FROM {head} h WHERE {head_named}))\
            """);
  }

  private static Map<String, String> names(AttachedColumn column) {
    KeyColumn lk = column.leadingKey();
    boolean leads = lk != null;
    String parameter = lk == null ? "" : lk.parameter();
    String ofRow = lk == null ? "" : "o." + lk.quoted();
    String handle = "o." + column.quotedColumn();
    String head = column.storeTable("head");
    String named = (leads ? "h.leading_key = " + parameter + " AND " : "") + "h.id = ?";
    Map<String, String> names = new HashMap<>();
    for (String part : List.of("head", "chunk", "piece", "token", "follower", "append")) {
      names.put(part, column.storeTable(part));
    }
    names.put("owner", column.quotedTable());
    names.put("owner_literal", Identifiers.literal(column.quotedTable()));
    names.put("column", column.quotedColumn());
    names.put("column_literal", Identifiers.literal(column.quotedColumn()));
    names.put("handle", handle);
    names.put("row", column.rowCondition());
    names.put("row_by_texts", Identifiers.literal(rowByTexts(column.key())));
    names.put(
        "key_texts",
        String.join(
            ", ", column.key().stream().map(k -> "CAST(o." + k.quoted() + " AS text)").toList()));
    names.put("may_update", Permission.mayUpdate(column));
    names.put("lead", leads ? "leading_key, " : "");
    names.put("lead_value", leads ? parameter + ", " : "");
    names.put("row_lead", leads ? ofRow + ", " : "");
    names.put("row_lead_text", leads ? ", " + ofRow + "::text" : "");
    names.put("head_lead_text", leads ? ", h.leading_key::text" : "");
    names.put("s_lead", lk == null ? "" : "s." + lk.quoted() + ", ");
    names.put("head_columns", Head.COLUMNS + (leads ? ", h.leading_key::text" : ""));
    names.put("fill", "greatest(octet_length(rtrim(h.tail, '\\x00'::bytea)) - 1, 0)");
    names.put("head_named", named);
    names.put("blob", (leads ? "c.leading_key = " + parameter + " AND " : "") + "c.blob_id = ?");
    names.put("generation", "(SELECT h.generation FROM " + head + " h WHERE " + named + ")");
    names.put("of_head", (leads ? "c.leading_key = h.leading_key AND " : "") + "c.blob_id = h.id");
    names.put(
        "head_of_row",
        (leads ? "(h.leading_key, h.id)" : "h.id")
            + (" = (SELECT " + (leads ? ofRow + ", " : "") + handle)
            + (" FROM " + column.quotedTable() + " o WHERE " + column.rowCondition() + ")"));
    names.put(
        "head_beside_row",
        ("FROM " + column.quotedTable() + " o LEFT JOIN " + head + " h ON ")
            + (leads ? "h.leading_key = " + ofRow + " AND " : "")
            + ("h.id = " + handle));
    names.put("max_pieces", String.valueOf(LastRun.MAX_PIECES));
    names.put("read_chunks", String.valueOf(READ_BY_KEY_CHUNKS));
    return names;
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
}
