package io.pgtoaster.blob.appendable.store;

/** The statements over a store, with placeholders for the names that differ between stores. */
public enum BlobSql {
  /**
   * Locks the head, then reads the handle again in a second statement, whose snapshot is taken
   * after the wait. The lock does not conflict with the foreign key lock that writers of the
   * owner's row take. The bound on the slot lets the index scan skip entries of deleted pieces that
   * are not yet vacuumed.
   */
  LOCK_BY_KEY(
      """
      SELECT {head_columns} FROM {head} h WHERE {head_of_row} AND {may_update} FOR NO KEY UPDATE;
      SELECT {handle}, p.start, p.data, p.crc FROM {owner} o {head_left_join}
      LEFT JOIN LATERAL (
        SELECT c.start, c.data, c.crc FROM {piece} c
        WHERE {of_head} AND c.slot < h.piece_rows ORDER BY c.slot LIMIT {max_pieces}) p ON true
      WHERE {row}\
      """),
  LOCK_ROW("SELECT {handle}{row_lead_text} FROM {owner} o WHERE {row} FOR NO KEY UPDATE"),
  SET_HANDLE("UPDATE {owner} AS o SET {column} = ? WHERE {row}"),
  /** Checks that the handle was stored, because a trigger may have stored another value. */
  HANDLE_IS_SET("SELECT 1 FROM {owner} o WHERE {row} AND {handle} = ?"),
  CREATE_HEAD("INSERT INTO {head} ({lead}chunk_size) VALUES ({lead_value}?) RETURNING id"),
  CREATE_HEADS(
      """
      INSERT INTO {head} (chunk_size, tail) SELECT ?, ? FROM pg_catalog.generate_series(1, ?) WHERE {on_path} RETURNING id\
      """),
  DELETE_HEAD("DELETE FROM {head} h WHERE {head_named}"),
  /**
   * Writes a few bytes into the tail, which usually has room. Calls the routine, which takes 20 us
   * more, only if no row was changed. The UPDATE does not wait for the lock on the head. The
   * routine does, and then checks whether the row still has this blob.
   */
  APPEND_SHORT(
      """
      WITH u AS (
        UPDATE {head} AS h SET tail = overlay(h.tail PLACING ? FROM {used})
        WHERE {head_equals} (SELECT {head_key} FROM {head} h WHERE {head_of_row} FOR NO KEY UPDATE SKIP LOCKED)
          AND {may_update} AND NOT h.sealed AND pg_catalog.octet_length(h.tail) - {used} >= ?
          AND h.base + {fill} = coalesce(CAST(? AS bigint), h.base + {fill})
        RETURNING h.base + {fill} - CAST(? AS integer) AS place)
      SELECT 'applied', u.place FROM u UNION ALL
      SELECT r.outcome, r.place
      FROM (SELECT {row_lead}{handle} AS handle, ARRAY[{key_texts}] AS key
            FROM {owner} o WHERE {row} AND {may_update} AND NOT EXISTS (SELECT FROM u) OFFSET 0) s,
           {append}({s_lead}s.handle, {owner_literal}, {column_literal}, {row_by_texts}, s.key, CAST(? AS bytea),
                    CAST(? AS integer), CAST(? AS bigint), CAST(NULL AS uuid), CAST(NULL AS bigint)) r\
      """),
  APPEND(
      Parts.OF_ROW
          .replace("{result}", "r.outcome, r.place")
          .replace("{routine}", "{append}")
          .replace(
              "{arguments}",
              "CAST(? AS bytea), CAST(? AS integer), CAST(? AS bigint), CAST(? AS uuid), CAST(? AS"
                  + " bigint)")),
  /**
   * Appends to each row of a list with the store's routine. Leaves out a row if it had to wait for
   * its blob. Fails with a division by zero, and so changes nothing, if fewer appends than the
   * given number were applied.
   */
  APPEND_MANY(
      """
      WITH g AS MATERIALIZED (
        SELECT {s_lead}pg_catalog.array_agg(s.n) AS numbers, pg_catalog.array_agg(s.handle) AS handles,
               pg_catalog.array_agg(CAST(s.key AS text)) AS keys, pg_catalog.array_agg(s.v1) AS data,
               pg_catalog.array_agg(s.v2) AS crcs, pg_catalog.array_agg(s.v3) AS expected,
               pg_catalog.array_agg(s.v4) AS authors, pg_catalog.array_agg(s.v5) AS sequences
        FROM (
          SELECT q.n, q.v1, q.v2, q.v3, q.v4, q.v5, s.*
          FROM {append_list} CROSS JOIN LATERAL (
            SELECT {row_lead}{handle} AS handle, ARRAY[{key_texts}] AS key
            FROM {owner} o WHERE {listed_row} AND {may_update} OFFSET 0) s
          ORDER BY {s_lead}q.n) s{group_by_lead})
      SELECT a.n, a.outcome, a.place,
             1 / CASE WHEN pg_catalog.count(*) FILTER (WHERE a.outcome IN ('applied', 'already')) OVER ()
                        >= CAST(? AS bigint) THEN 1 ELSE 0 END
      FROM (
        SELECT (g.numbers)[r.n] AS n, r.outcome, r.place
        FROM g CROSS JOIN LATERAL
             {batch}({g_lead}g.handles, {owner_literal}, {column_literal}, {row_by_texts}, g.keys, g.data, g.crcs, g.expected,
                     g.authors, g.sequences) r
        OFFSET 0) a\
      """),
  CHANGE(
      Parts.OF_ROW
          .replace("{result}", "r.outcome, r.place")
          .replace("{routine}", "{write}")
          .replace(
              "{arguments}",
              "CAST(? AS text), CAST(? AS bigint), CAST(? AS bytea), CAST(NULL AS uuid), CAST(NULL"
                  + " AS bigint)")),
  /** Copies a blob of at most the given number of bytes into a row whose handle is NULL. */
  COPY_FEW(
      """
      {modifies}SELECT r.outcome = 'applied'
      FROM (SELECT c.bytes
            FROM (SELECT {row_lead}{handle} AS handle FROM {owner} o WHERE {row} OFFSET 0) s,
                 {range}({s_lead}s.handle, CAST(0 AS bigint), CAST(? AS integer)) c
            WHERE c.outcome = 'applied' AND pg_catalog.octet_length(c.bytes) = c.place OFFSET 0) c,
           (SELECT {row_lead}{handle} AS handle, ARRAY[{key_texts}] AS key
            FROM {owner} o WHERE {row} AND {may_update} AND {handle} IS NULL OFFSET 0) s,
           {append}({s_lead}s.handle, {owner_literal}, {column_literal}, {row_by_texts}, s.key, c.bytes,
                    CAST(NULL AS integer), CAST(0 AS bigint), CAST(NULL AS uuid), CAST(NULL AS bigint)) r\
      """),
  PIN_BY_KEY(Parts.PIN + Parts.BY_KEY),
  PIN_BY_KEY_IN_TRANSACTION(Parts.PIN + Parts.OPEN_WRITER + Parts.BY_KEY),
  PIN_BY_ID(Parts.PIN_AGAIN + Parts.BY_ID),
  PIN_BY_ID_IN_TRANSACTION(Parts.PIN_AGAIN + Parts.OPEN_WRITER + Parts.BY_ID),
  /**
   * Selects exactly the three columns of {@link Parts#RANGE}: each additional column costs 0.3 us.
   */
  READ_BY_KEY("SELECT " + Parts.RANGE),
  OPEN_BY_KEY(Parts.PIN + ", " + Parts.RANGE),
  READ_MANY(
      """
      SELECT q.n, r.outcome, r.bytes
      FROM {key_list} CROSS JOIN LATERAL (
        SELECT {row_lead}{handle} AS handle FROM {owner} o WHERE {listed_row} OFFSET 0) s,
      {range}({s_lead}s.handle, CAST(? AS bigint), CAST(? AS integer)) r\
      """),
  /** A handle without a head has no length. */
  LENGTHS(
      """
      SELECT q.n, s.length
      FROM {key_list} CROSS JOIN LATERAL (
        SELECT CASE WHEN {handle} IS NULL THEN 0 ELSE h.base + {fill} END AS length
        FROM {owner} o {head_left_join} WHERE {listed_row} OFFSET 0) s\
      """),
  READ_WHOLE(Parts.CHUNKS + Parts.UNKNOWN_LIMIT),
  READ_CUT(
      """
      SELECT {generation}, {first}, {clip}, NULL::integer, false
      FROM {chunk} c WHERE {blob} AND c.start > ? AND c.start < ? ORDER BY c.start\
      """
              .replace("{first}", Parts.FIRST)
              .replace("{clip}", Parts.CLIP)
          + Parts.UNKNOWN_LIMIT),
  READ_GROWING(
      Parts.CHUNKS
          + """
           UNION ALL
          SELECT {generation}, c.start, c.data, c.crc, false FROM {piece} c
          WHERE {blob} AND c.slot < (SELECT h.piece_rows FROM {head} h WHERE {head_named}) AND c.start < ?
          UNION ALL
          SELECT h.generation, h.base, h.tail, NULL, true FROM {head} h WHERE {head_named}\
          """
          + Parts.UNKNOWN_LIMIT),
  DELETE_PIECES("DELETE FROM {piece} c WHERE {blob} AND c.slot >= ?"),
  PUT_PIECE(
      """
      INSERT INTO {piece} AS c ({lead}blob_id, slot, start, crc, data) VALUES ({lead_value}?, ?, ?, ?, ?)
      ON CONFLICT ({lead}blob_id, slot)
      DO UPDATE SET start = excluded.start, crc = excluded.crc, data = excluded.data\
      """),
  UPDATE_HEAD(
      """
      UPDATE {head} AS h
      SET base = ?, piece_start = ?, piece_rows = ?, tail = ?, chunk_size = ?, generation = ?, sealed = ?
      WHERE {head_named}\
      """),
  INSERT_SLICES(
      "INSERT INTO {chunk} ({lead}blob_id, start, crc, data) SELECT {lead_value}?, ? + n.i, "),
  CHUNKS_FROM(
      """
      SELECT c.start, c.data, c.crc FROM {chunk} c
      WHERE {blob} AND c.start >= ? ORDER BY c.start LIMIT ?\
      """),
  CHUNK_LENGTHS(
      """
      SELECT c.start, pg_catalog.octet_length(c.data) FROM {chunk} c
      WHERE {blob} AND c.start >= ? AND c.start < ? ORDER BY c.start LIMIT ?\
      """),
  SHORT_CHUNKS(
      """
      SELECT pg_catalog.min(c.start) FILTER (WHERE pg_catalog.octet_length(c.data) < ?), pg_catalog.count(*) FROM {chunk} c WHERE {blob}\
      """),
  FIRST_CHUNK("SELECT pg_catalog.min(c.start) FROM {chunk} c WHERE {blob}"),
  DISCARD_CHUNKS(
      """
      DELETE FROM {chunk} c
      WHERE {blob} AND c.start > ? AND c.start < ? AND c.start + pg_catalog.octet_length(c.data) <= ?\
      """),
  DELETE_CHUNKS("DELETE FROM {chunk} c WHERE {blob} AND c.start >= ?"),
  DELETE_CHUNK_RANGE(DELETE_CHUNKS.template + " AND c.start < ?"),
  RECOMPRESS_CHUNKS(
      Parts.REWRITE.replace(
          "{which}",
          "{blob} AND coalesce(pg_catalog.pg_column_compression(c.data), CAST(? AS text)) <> CAST(?"
              + " AS text)")),
  COMPRESS_CHUNKS(Parts.REWRITE.replace("{which}", Parts.SOME + "NULL")),
  COMPRESSED_CHUNKS("SELECT pg_catalog.count(*) FROM {chunk} c WHERE " + Parts.SOME + "NOT NULL"),

  /** A time in the future comes from a role that wants to suppress notifications for others. */
  NOTIFY_FOLLOWERS(
      """
      UPDATE {follower} AS c SET notified_at = pg_catalog.clock_timestamp()
      WHERE {blob} AND c.expires > pg_catalog.clock_timestamp()
        AND c.notified_at NOT BETWEEN pg_catalog.clock_timestamp() - interval '100 milliseconds' AND pg_catalog.clock_timestamp()\
      """
          + Parts.UNLOCKED
          + " RETURNING pg_catalog.pg_notify('pgtoaster', CAST(c.blob_id AS text))"),
  FOLLOWING(
      """
      SELECT c.expires > pg_catalog.clock_timestamp() + interval '15 seconds' FROM {follower} c WHERE {blob}\
      """),
  FOLLOW(
      """
      INSERT INTO {follower} ({lead}blob_id, expires)
      VALUES ({lead_value}?, pg_catalog.clock_timestamp() + interval '30 seconds') ON CONFLICT DO NOTHING\
      """),
  FOLLOW_ON(
      """
      UPDATE {follower} AS c SET expires = pg_catalog.clock_timestamp() + interval '30 seconds' WHERE {blob}\
      """
          + Parts.UNLOCKED),
  TOKEN(
      """
      SELECT c.sequence, c.start, c.length FROM {token} c WHERE {blob} AND c.writer = ?\
      """),
  UPSERT_TOKEN(
      """
      INSERT INTO {token} AS c ({lead}blob_id, writer, sequence, start, length)
      VALUES ({lead_value}?, ?, ?, ?, ?)
      ON CONFLICT ({lead}blob_id, writer)
      DO UPDATE SET sequence = excluded.sequence, start = excluded.start, length = excluded.length, at = excluded.at\
      """),
  COPY_CHUNKS(
      """
      WITH copied AS (
        INSERT INTO {chunk} AS n ({lead}blob_id, start, crc, data)
        SELECT {lead_value}?, c.start, c.crc, c.data
        FROM {chunk} c WHERE {blob} AND c.start >= ? AND c.start < ?
        RETURNING n.start, n.start + pg_catalog.octet_length(n.data) AS behind)
      SELECT pg_catalog.max(behind) FROM copied
      HAVING pg_catalog.sum(behind - start) = CAST(pg_catalog.max(behind) - pg_catalog.min(start) AS numeric)
        AND pg_catalog.min(start) = ?\
      """),
  STRAY_ROWS(
      """
      SELECT pg_catalog.count(*) FROM {chunk} c
      WHERE {blob} AND c.start >= (SELECT h.piece_start FROM {head} h WHERE {head_named})
      UNION ALL
      SELECT pg_catalog.count(*) FROM {piece} c
      WHERE {blob} AND c.slot < (SELECT h.piece_rows FROM {head} h WHERE {head_named})
        AND (c.start < (SELECT h.piece_start FROM {head} h WHERE {head_named})
             OR c.start + pg_catalog.octet_length(c.data) > (SELECT h.base FROM {head} h WHERE {head_named}))\
      """),

  /** Reads a table of the store because the transaction may run on the node of that table. */
  OPEN_WRITER(
      """
      SELECT pg_catalog.pg_xact_status(CAST(CAST(? AS text) AS xid8)) = 'aborted'
      FROM (SELECT pg_catalog.count(*) FROM {head} h WHERE {head_named} OFFSET 0) h\
      """);

  private static final class Parts {
    static final String STATE =
        """
        h.id, h.base + {fill}, h.piece_start, h.chunk_size, h.generation, h.sealed, h.created_at, {first}\
        """;
    // The transaction that wrote this head row, if it is the current one and still open.
    static final String OPEN_WRITER =
        """
        , CASE WHEN pg_catalog.pg_current_xact_id_if_assigned() IS NOT NULL THEN
            (SELECT x.id FROM (SELECT s.top + ((h.xmin::text::bigint - s.top + 2147483648) & 4294967295)
                                      - 2147483648 AS id, s.top, s.bottom
                               FROM (SELECT pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint AS top,
                                            pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint AS bottom) s) x
             WHERE x.id >= x.bottom AND x.id < x.top + 1000000
               AND pg_catalog.pg_xact_status(x.id::text::xid8) = 'in progress') END
        """;
    static final String OF_ROW =
        """
        {modifies}SELECT {result}
        FROM (SELECT {row_lead}{handle} AS handle, ARRAY[{key_texts}] AS key
              FROM {owner} o WHERE {row} AND {may_update} OFFSET 0) s,
             {routine}({s_lead}s.handle, {owner_literal}, {column_literal}, {row_by_texts}, s.key, {arguments}) r\
        """;
    static final String BY_KEY = " FROM {owner} o {head_left_join} WHERE {row}";
    static final String BY_ID = " FROM {head} h WHERE {head_named}";
    static final String PIN = "SELECT {handle}, " + STATE + "{head_lead_text}";
    // The chunks of a range, or the whole range through the routine if it extends beyond the
    // chunks.
    static final String RANGE =
        """
        r.start, r.data,
               CASE WHEN q.last > h.piece_start THEN
                 ({range}({head_lead}h.id, q.first, CAST(q.last - q.first AS integer))).bytes END
        FROM (SELECT CAST(? AS bigint) AS first, CAST(? AS bigint) AS last) q
        CROSS JOIN {owner} o {head_left_join}
        LEFT JOIN LATERAL (
          SELECT c.start, substring(c.data FROM CAST(greatest(q.first - c.start, 0) + 1 AS integer)
                                    FOR CAST(q.last - greatest(c.start, q.first) AS integer)) AS data
          FROM {chunk} c
          WHERE {of_head} AND c.start > q.first - h.chunk_size AND c.start < q.last AND q.last <= h.piece_start
            AND q.first >= {first}
          ORDER BY c.start LIMIT {read_rows}) r ON true
        WHERE {row}\
        """;
    static final String CHUNKS =
        """
        SELECT {generation}, c.start, c.data, c.crc, false
        FROM {chunk} c WHERE {blob} AND c.start > ? AND c.start < ?\
        """;
    // For an unknown limit the planner assumes a tenth of the rows. The generic plan is then
    // the cheapest, and is kept. Without the limit, reads of a small blob next to large ones
    // are planned each time, which takes 50 to 120 us.
    static final String UNKNOWN_LIMIT = " LIMIT ?";
    static final String PIN_AGAIN = "SELECT h.id, " + STATE + "{head_lead_text}";
    static final String FIRST = "greatest(c.start, ?)";
    static final String CLIP =
        """
        substring(c.data FROM CAST(greatest(? - c.start, 0) + 1 AS integer)
                  FOR CAST(? - greatest(c.start, ?) AS integer))\
        """;
    // Citus rejects an UPDATE that calls such a function of the row.
    static final String REWRITE =
        "UPDATE {chunk} AS c SET data = c.data || ''::bytea WHERE {blob} AND c.start = ANY (ARRAY("
            + "SELECT c.start FROM {chunk} c WHERE {which}))";
    static final String SOME =
        "{blob} AND c.start % ? < ? AND pg_catalog.pg_column_compression(c.data) IS ";

    // Does not wait for a reader that has locked its row.
    static final String UNLOCKED =
        " AND EXISTS (SELECT FROM {follower} c WHERE {blob} FOR UPDATE SKIP LOCKED)";
  }

  final String template;

  BlobSql(String template) {
    this.template = template;
  }
}
