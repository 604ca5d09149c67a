package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.jsonb.keyed.build.NewNodes;

/** The statements over one store. */
public final class KeyedSql {
  private static final String NODE_COLUMNS =
      "n.id, n.version, n.kind, n.bytes, n.kids, n.starts, n.lows, CAST(n.value AS text)";

  private static final String CREATE_HEAD =
      "INSERT INTO {head} ({head_keys}) SELECT {owner_keys} FROM {owner} o WHERE {row} RETURNING id";

  private static final String NEW_HEAD =
      "INSERT INTO {head} ({head_keys}) VALUES ({key_values}) RETURNING id";

  /** The row's stub names the document as 0. */
  private static final String NEW_STUB =
      "CASE WHEN {ours} THEN pg_catalog.jsonb_set(CAST(? AS jsonb), '{$pgtoaster,0}',"
          + " pg_catalog.to_jsonb(h.id)) END";

  private static final String INSERT_NODES =
      """
      WITH h AS (:head),
      n AS (
        INSERT INTO {node} (doc, :columns)
        SELECT h.id, :values
        FROM h, :list)
      """
          .replace(":columns", NewNodes.COLUMNS)
          .replace(":values", NewNodes.VALUES)
          .replace(":list", NewNodes.LIST);

  /** A head, its nodes, and the row. */
  private static final String CREATE_DOCUMENT =
      INSERT_NODES.replace(":head", CREATE_HEAD)
          + "UPDATE {owner} AS o SET {column} = "
          + NEW_STUB
          + " FROM h WHERE {row}";

  /** The same for a new row. */
  private static final String INSERT_DOCUMENT =
      INSERT_NODES.replace(":head", NEW_HEAD)
          + "INSERT INTO {owner} ({key_columns}, {column}) SELECT {key_values}, "
          + NEW_STUB
          + " FROM h";

  public final String read;
  public final String readMany;
  public final String open;
  public final String whole;
  public final String typeOf;
  public final String sizeOf;
  public final String keys;
  public final String setInRow;
  public final String incrementInRow;
  public final String editBesideOthers;
  public final String editInLockedRow;
  public final String editTouching;
  public final String tryPut;
  final String lockRow;
  public final String updateRow;
  public final String createHead;
  final String lockHeadShared;
  final String lockHeadAlone;
  public final String bumpGeneration;
  public final String deleteHead;
  final String lockSnapshot;
  public final String insertNodes;
  public final String createDocument;
  public final String insertDocument;
  public final String deleteNodes;
  public final String deleteBranches;
  public final String deleteAllNodes;
  final String firstDigests;
  public final String leafDigests;
  public final String innerNodes;
  public final String recompress;
  public final String compressSome;
  public final String compressed;
  public final String everything;
  public final String stat;

  KeyedSql(AttachedColumn column) {
    StoreNames names = new StoreNames(column);
    read = names.fill(ReadSql.READ);
    readMany = names.fill(ReadSql.READ_MANY);
    open = names.fill(ReadSql.OPEN);
    whole = names.fill(WholeSql.OPEN);
    typeOf = names.fill(ReadSql.TYPE_OF);
    sizeOf = names.fill(ReadSql.SIZE_OF);
    keys = names.fill(ReadSql.KEYS);
    setInRow = names.fill(RowSql.SET_IN_ROW);
    incrementInRow = names.fill(RowSql.INCREMENT_IN_ROW);
    editBesideOthers = names.fill(EditSql.BESIDE_OTHERS);
    editInLockedRow = names.fill(EditSql.IN_LOCKED_ROW);
    editTouching = names.fill(EditSql.TOUCHING);
    tryPut =
        names.fill(
            """
            UPDATE {owner} AS o SET {column} = p.new FROM (SELECT CAST(? AS jsonb) AS new) p
            WHERE {row} AND o.{column}->'$pgtoaster' IS NULL
              AND (o.{column} IS DISTINCT FROM p.new OR CAST(o.{column} AS text) <> CAST(p.new AS text))
              AND ? <= greatest(? - pg_column_size(o.*) + coalesce(pg_column_size(o.{column}), 0), ?)\
            """);
    lockRow =
        names.fill(
            """
            SELECT CAST(o.{column} AS text), pg_column_size(o.*) - coalesce(pg_column_size(o.{column}), 0)
            FROM {owner} o WHERE {row} AND {may_update} FOR NO KEY UPDATE\
            """);
    updateRow =
        names.fill(
            "UPDATE {owner} AS o SET {column} = CASE WHEN {ours} THEN CAST(? AS jsonb) END WHERE {row}");
    createHead = names.fill(CREATE_HEAD);
    String named = "{number:o.{column}#>>CAST('{$pgtoaster,0}' AS text[])}";
    String ofRow = "(SELECT " + named + " FROM {owner} o WHERE {row})";
    String lockHead =
        "SELECT h.generation FROM {owner} o JOIN {head} h ON {owned_by_row} WHERE {row} AND h.id = "
            + named
            + " AND {may_update} FOR ";
    lockHeadShared = names.fill(lockHead + "KEY SHARE OF h");
    lockHeadAlone = names.fill(lockHead + "UPDATE OF h");
    bumpGeneration =
        names.fill(
            "UPDATE {head} SET generation = (generation & 4611686018427387903) + 1 WHERE id = ?");
    deleteHead = names.fill("DELETE FROM {head} WHERE id = ?");
    // An error in a transaction whose snapshot does not show a node as it is now.
    lockSnapshot =
        names.fill(
            """
            WITH l AS MATERIALIZED (
              SELECT n.id FROM {node} n
              WHERE n.doc = :doc AND current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
              FOR SHARE)
            SELECT count(*) FROM l\
            """
                .replace(":doc", ofRow));
    insertNodes =
        names.fill(
            "INSERT INTO {node} (doc, "
                + NewNodes.COLUMNS
                + ") SELECT CAST(? AS bigint), "
                + NewNodes.VALUES
                + " FROM "
                + NewNodes.LIST);
    createDocument = names.fill(CREATE_DOCUMENT);
    insertDocument = names.fill(INSERT_DOCUMENT);
    deleteNodes = names.fill("DELETE FROM {node} WHERE doc = ? AND id = ANY (CAST(? AS bigint[]))");
    deleteBranches =
        names.fill(
            """
            WITH RECURSIVE below AS (
              SELECT CAST(? AS bigint) AS doc, k.id FROM unnest(CAST(? AS bigint[])) k(id) WHERE k.id {any}
              UNION
              SELECT b.doc, k.id FROM below b CROSS JOIN LATERAL (SELECT m.kids FROM {node} m WHERE m.doc = b.doc AND m.id = b.id LIMIT 1) n, unnest(n.kids) k(id)
              WHERE k.id {any})
            DELETE FROM {node} d USING below b WHERE d.doc = ANY (ARRAY[b.doc]) AND d.id = ANY (ARRAY[b.id])\
            """);
    deleteAllNodes = names.fill("DELETE FROM {node} WHERE doc = ?");
    String anew =
        "UPDATE {node} AS n SET value = CAST(CAST(n.value AS text) AS jsonb)"
            + " WHERE n.doc = ? AND n.value IS NOT NULL AND ";
    recompress = names.fill(anew + "coalesce(pg_column_compression(n.value), ?) <> ?");
    // What makes a row that PostgreSQL tries to compress.
    compressSome =
        names.fill(
            anew
                + """
                n.id IN (
                  SELECT m.id FROM {node} m WHERE m.doc = ? AND m.value IS NOT NULL
                    AND pg_column_compression(m.value) IS NULL AND pg_column_size(m.*) > 2032
                  ORDER BY m.id LIMIT ?)\
                """);
    compressed =
        names.fill(
            "SELECT count(*) FROM {node} n WHERE n.doc = ? AND pg_column_compression(n.value) IS"
                + " NOT NULL");
    everything = names.fill(CheckSql.EVERYTHING);
    stat = names.fill(CheckSql.STAT);
    String digest = "substring(sha256(convert_to(CAST(n.value AS text), 'UTF8')) FOR 16)";
    int leafSize = Integer.parseInt(column.option("leaf_size"));
    String cutLength =
        "CASE WHEN n.bytes <= %d THEN length(CAST(n.value AS text)) END".formatted(leafSize / 2);
    firstDigests =
        names.fill(
            "SELECT n.id, n.version, n.kind, n.bytes, CASE WHEN n.value IS NULL THEN n.kids END,"
                + " n.starts, n.lows, NULL, CASE WHEN n.value IS NOT NULL THEN "
                + digest
                + " END, "
                + cutLength
                + " FROM {node} n WHERE n.doc = "
                + ofRow
                + " ORDER BY n.id LIMIT ?");
    leafDigests =
        names.fill(
            "SELECT n.id, "
                + digest
                + ", "
                + cutLength
                + " FROM {node} n WHERE n.doc = ? AND n.id > ? AND n.value IS NOT NULL ORDER BY"
                + " n.id");
    innerNodes =
        names.fill(
            "SELECT "
                + NODE_COLUMNS
                + " FROM {node} n WHERE n.doc = ? AND n.id > ? AND n.value IS NULL ORDER BY n.id");
  }
}
