package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.jsonb.keyed.build.NewNodes;

/** The statements over a store, with placeholders for the names that differ between stores. */
public enum KeyedSql {
  READ(ReadSql.READ),
  READ_MANY(ReadSql.READ_MANY),
  OPEN(ReadSql.OPEN),
  WHOLE(WholeSql.OPEN),
  TYPE_OF(ReadSql.TYPE_OF),
  SIZE_OF(ReadSql.SIZE_OF),
  KEYS(ReadSql.KEYS),
  SET_IN_ROW(RowSql.SET_IN_ROW),
  INCREMENT_IN_ROW(RowSql.INCREMENT_IN_ROW),
  APPEND_IN_ROW(RowSql.APPEND_IN_ROW),
  EDIT_UNLOCKED(EditSql.WITHOUT_ROW_LOCK),
  EDIT_IN_LOCKED_ROW(EditSql.IN_LOCKED_ROW),
  EDIT_TOUCHING(EditSql.TOUCHING),
  EDITS(EditSql.SEVERAL),
  TRY_PUT(
      """
      UPDATE {owner} AS o SET {column} = p.new FROM (SELECT CAST(? AS jsonb) AS new) p
      WHERE {row} AND o.{column}->CAST('$pgtoaster' AS text) IS NULL
        AND (o.{column} IS DISTINCT FROM p.new OR CAST(o.{column} AS text) <> CAST(p.new AS text))
        AND ? <= greatest(? - pg_catalog.pg_column_size(o.*) + coalesce(pg_catalog.pg_column_size(o.{column}), 0), ?)\
      """),
  LOCK_ROW(
      """
      SELECT CAST(o.{column} AS text), pg_catalog.pg_column_size(o.*) - coalesce(pg_catalog.pg_column_size(o.{column}), 0)
      FROM {owner} o WHERE {row} AND {may_update} FOR NO KEY UPDATE\
      """),
  UPDATE_ROW(
      "UPDATE {owner} AS o SET {column} = CASE WHEN {ours} THEN CAST(? AS jsonb) END WHERE {row}"),
  CREATE_HEAD(
      "INSERT INTO {head} ({head_keys}) SELECT {owner_keys} FROM {owner} o WHERE {row} RETURNING"
          + " id{lead_column}"),
  /**
   * Dropping branches locks the head exclusively. Doing so for every edit made 17 % of the
   * transactions deadlock.
   */
  LOCK_HEAD_ALONE(Parts.LOCK_HEAD + " FOR UPDATE OF h"),
  BUMP_GENERATION(
      "UPDATE {head} AS h SET generation = (h.generation & 4611686018427387903) + 1 WHERE"
          + " {lead:h}h.id = ?"),
  DELETE_HEAD("DELETE FROM {head} h WHERE {lead:h}h.id = ?"),

  /** Fails in a transaction whose snapshot does not show the current version of a node. */
  LOCK_SNAPSHOT(
      """
      WITH l AS MATERIALIZED (
        SELECT n.id FROM {node} n
        WHERE {lead:n}n.doc = {doc} AND pg_catalog.current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
        FOR SHARE)
      SELECT pg_catalog.count(*) FROM l\
      """
          .replace("{doc}", Parts.OF_ROW)),
  INSERT_NODES(
      "INSERT INTO {node} (doc, {columns}{lead_column}) SELECT CAST(? AS bigint), {values}{lead_value} FROM {list}"
          .replace("{columns}", NewNodes.COLUMNS)
          .replace("{values}", NewNodes.VALUES)
          .replace("{list}", NewNodes.LIST)),

  /** Inserts a head and its nodes, and updates the row. */
  CREATE_DOCUMENT(
      Parts.WITH_NODES.replace("{new_head}", CREATE_HEAD.template)
          + "UPDATE {owner} AS o SET {column} = {stub} FROM h WHERE {row}"
              .replace("{stub}", Parts.NEW_STUB)),

  /**
   * Inserts a head and its nodes, and inserts the row. Does nothing if policies apply, because the
   * policy of the head requires the row to exist before the statement.
   */
  INSERT_DOCUMENT(
      Parts.WITH_NODES.replace(
              "{new_head}",
              "INSERT INTO {head} ({head_keys}) SELECT {key_values} WHERE NOT"
                  + " pg_catalog.row_security_active({owner_literal}) RETURNING id{lead_column}")
          + "INSERT INTO {owner} ({key_columns}, {column}) SELECT {key_values}, {stub} FROM h WHERE {on_path}"
              .replace("{stub}", Parts.NEW_STUB)),
  DELETE_NODES("DELETE FROM {node} n WHERE {lead:n}n.doc = ? AND n.id = ANY (CAST(? AS bigint[]))"),
  DELETE_BRANCHES(
      """
      WITH RECURSIVE below AS (
        SELECT CAST(? AS bigint) AS doc, k.id FROM pg_catalog.unnest(CAST(? AS bigint[])) k(id) WHERE k.id {any}
        UNION
        SELECT b.doc, k.id FROM below b
          CROSS JOIN LATERAL (SELECT m.kids FROM {node} m WHERE {lead:m}m.doc = b.doc AND m.id = b.id LIMIT 1) n,
            pg_catalog.unnest(n.kids) k(id)
        WHERE k.id {any})
      DELETE FROM {node} d USING below b WHERE {lead:d}d.doc = ANY (ARRAY[b.doc]) AND d.id = ANY (ARRAY[b.id])\
      """),
  DELETE_ALL_NODES("DELETE FROM {node} n WHERE {lead:n}n.doc = ?"),
  FIRST_DIGESTS(
      """
      SELECT n.id, n.version, n.kind, n.bytes, CASE WHEN n.value IS NULL THEN n.kids END, n.starts, n.lows, NULL,
             CASE WHEN n.value IS NOT NULL THEN {digest} END, {cut_length}
      FROM {node} n WHERE {lead:n}n.doc = {doc} ORDER BY n.id LIMIT ?\
      """
          .replace("{doc}", Parts.OF_ROW)
          .replace("{digest}", Parts.DIGEST)
          .replace("{cut_length}", Parts.CUT_LENGTH)),
  LEAF_DIGESTS(
      "SELECT n.id, {digest}, {cut_length} FROM {node} n WHERE {lead:n}n.doc = ? AND n.id > ? AND n.value IS NOT NULL ORDER BY n.id"
          .replace("{digest}", Parts.DIGEST)
          .replace("{cut_length}", Parts.CUT_LENGTH)),
  INNER_NODES(
      """
      SELECT n.id, n.version, n.kind, n.bytes, n.kids, n.starts, n.lows, CAST(n.value AS text)
      FROM {node} n WHERE {lead:n}n.doc = ? AND n.id > ? AND n.value IS NULL ORDER BY n.id\
      """),

  /** Citus rejects an UPDATE that calls such a function of the row. */
  RECOMPRESS(
      Parts.REWRITE
          + """
          n.id = ANY (ARRAY(
            SELECT m.id FROM {node} m WHERE {lead:m}m.doc = ?
              AND coalesce(pg_catalog.pg_column_compression(m.value), CAST(? AS text)) <> CAST(? AS text)))\
          """),

  /** Selects rows of a size that PostgreSQL tries to compress. */
  COMPRESS_SOME(
      Parts.REWRITE
          + """
          n.id IN (
            SELECT m.id FROM {node} m WHERE {lead:m}m.doc = ? AND m.value IS NOT NULL
              AND pg_catalog.pg_column_compression(m.value) IS NULL AND pg_catalog.pg_column_size(m.*) > 2032
            ORDER BY m.id LIMIT ?)\
          """),
  COMPRESSED(
      "SELECT pg_catalog.count(*) FROM {node} n WHERE {lead:n}n.doc = ? AND"
          + " pg_catalog.pg_column_compression(n.value) IS NOT NULL"),
  EVERYTHING(CheckSql.EVERYTHING),
  STAT(CheckSql.STAT);

  private static final class Parts {
    static final String OF_ROW =
        "(SELECT {number:o.{column}#>>CAST('{$pgtoaster,0}' AS text[])} FROM {owner} o WHERE"
            + " {row})";
    static final String LOCK_HEAD =
        """
        SELECT h.generation FROM {owner} o JOIN {head} h ON {lead:h}{owned_by_row}
        WHERE {row} AND h.id = {number:o.{column}#>>CAST('{$pgtoaster,0}' AS text[])} AND {may_update}\
        """;
    static final String WITH_NODES =
        """
        WITH h AS ({new_head}),
        n AS (
          INSERT INTO {node} (doc, {columns}{lead_column})
          SELECT h.id, {values}{lead_of_head}
          FROM h, {list})
        """
            .replace("{columns}", NewNodes.COLUMNS)
            .replace("{values}", NewNodes.VALUES)
            .replace("{list}", NewNodes.LIST);

    /** The stub has 0 as the number of the document; this expression replaces it. */
    static final String NEW_STUB =
        "CASE WHEN {ours} THEN pg_catalog.jsonb_set(CAST(? AS jsonb), '{$pgtoaster,0}',"
            + " pg_catalog.to_jsonb(h.id)) END";

    static final String DIGEST =
        "substring(pg_catalog.sha256(pg_catalog.convert_to(CAST(n.value AS text), 'UTF8')) FOR 16)";
    static final String CUT_LENGTH =
        "CASE WHEN n.bytes <= {leaf_size} / 2 THEN pg_catalog.length(CAST(n.value AS text)) END";
    static final String REWRITE =
        "UPDATE {node} AS n SET value = CAST(CAST(n.value AS text) AS jsonb)"
            + " WHERE {lead:n}n.doc = ? AND n.value IS NOT NULL AND ";
  }

  final String template;

  KeyedSql(String template) {
    this.template = template;
  }
}
