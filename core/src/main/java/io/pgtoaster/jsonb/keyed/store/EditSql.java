package io.pgtoaster.jsonb.keyed.store;

/**
 * Statements that edit with the store's routine. It starts with the value in the owner's row, and
 * changes the node where the path ends. If that is the row, it returns the row's new content.
 */
final class EditSql {
  /** True if the document passed to the store's routine is split. */
  private static final String IS_SPLIT = "s.d->CAST('$pgtoaster' AS text) IS NOT NULL";

  /**
   * The parameters: the path and the value, both as given and as split documents store them, with a
   * NULL for a value that they store as given; the operation; its flag; whether a value is
   * expected, and that value in both forms; whether there are keys that a plain document cannot
   * have; the maximum bytes of a row; the key twice.
   */
  private static final String EDIT =
      """
      WITH p AS (
        SELECT CAST(? AS text[]) AS raw, CAST(? AS text[]) AS stored, CAST(? AS jsonb) AS value, CAST(? AS jsonb) AS stored_value,
               CAST(? AS text) AS op, CAST(? AS boolean) AS flag, CAST(? AS boolean) AS conditional,
               CAST(? AS jsonb) AS expected, CAST(? AS jsonb) AS stored_expected,
               CAST(? AS boolean) AS special, CAST(? AS integer) AS budget),
      e AS MATERIALIZED (
        SELECT s.version, p.budget, r.outcome, r.number, r.result, r.grows
        FROM p CROSS JOIN LATERAL ({source_row}) s
        CROSS JOIN LATERAL {edit}({row_key}, s.d, {generation},
          CASE WHEN {split} THEN p.stored ELSE p.raw END, p.op,
          CASE WHEN {split} THEN coalesce(p.stored_value, p.value) ELSE p.value END, p.flag, p.conditional,
          CASE WHEN {split} THEN coalesce(p.stored_expected, p.expected) ELSE p.expected END, {room}, p.special) r),
      u AS (
        UPDATE {owner} AS o
        SET {column} = CASE WHEN NOT pg_catalog.jsonb_exists({becomes}, '$pgtoaster') OR {ours} THEN {becomes} END
        FROM e WHERE {changes} AND {row} {unchanged}
        RETURNING true AS done)
      SELECT e.outcome, e.number, {written}, e.result IS NOT NULL FROM e\
      """
          .replace("{split}", IS_SPLIT);

  private static final String WRITTEN = "NOT ({changes}) OR EXISTS (SELECT FROM u)";

  private static final String EDIT_UNLOCKED =
      EDIT.replace("{written}", WRITTEN)
          .replace(
              "{source_row}",
              """
              SELECT {keys} o.{column} #> CAST('{}' AS text[]) AS d, o.xmin AS version
                      FROM {owner} o WHERE {row} AND {may_update} OFFSET 0\
              """)
          .replace(
              "{generation}",
              "(SELECT h.generation FROM {head} h WHERE {lead:h}{owned}"
                  + " AND h.id = {number:s.d#>>CAST('{$pgtoaster,0}' AS text[])})")
          .replace("{room}", "CAST(NULL AS integer)")
          .replace(
              "{unchanged}",
              "AND o.xmin = e.version AND (e.grows <= 0 OR pg_catalog.pg_column_size(o.*) + e.grows"
                  + " <= e.budget)");

  /** Fails with 22012, and so changes nothing, if a trigger prevents the update of the row. */
  private static final String EDIT_IN_LOCKED_ROW =
      EDIT.replace("{written}", "1 / CAST(" + WRITTEN + " AS integer) = 1")
          .replace(
              "{source_row}",
              """
              SELECT {keys} o.{column} #> CAST('{}' AS text[]) AS d, o.xmin AS version,
                             pg_catalog.pg_column_size(o.*) - coalesce(pg_catalog.pg_column_size(o.{column}), 0) AS others
                      FROM {owner} o WHERE {row} FOR NO KEY UPDATE\
              """)
          .replace("{generation}", "CAST(NULL AS bigint)")
          .replace("{room}", "p.budget - s.others")
          .replace("{unchanged}", "");

  private static final String RESULT = "e.result";

  /** Does not lock the row; changes it only if no other transaction has changed it. */
  static final String WITHOUT_ROW_LOCK = row(EDIT_UNLOCKED);

  /** Locks the row first, so that the routine can do everything that an edit may need. */
  static final String IN_LOCKED_ROW = row(EDIT_IN_LOCKED_ROW);

  /** Locks the row first, and updates it in any case. */
  static final String TOUCHING =
      EDIT_IN_LOCKED_ROW
          .replace("{changes}", "e.outcome = 'applied'")
          .replace("{becomes}", "coalesce(e.result, o.{column})");

  /**
   * Makes several edits of one or more documents: locks their rows in the order of the list, passes
   * each document from one call of the routine to the next, and updates each row once. Skips the
   * remaining edits of a document after the first one that is not applied. Selects the position of
   * each row that exists, and how many of its edits were made, or -1 if the row could not be
   * updated. The parameters: the maximum bytes of a row; whether to update the rows in any case;
   * the edits as an array of objects, with each value in an array of the value as given and, if it
   * differs, as stored; the keys; the minimum number of edits made. With fewer, it fails with
   * 22012.
   */
  static final String SEVERAL =
      """
      WITH RECURSIVE p AS MATERIALIZED (
        SELECT j.*, CAST(? AS integer) AS budget, CAST(? AS boolean) AS touch
        FROM pg_catalog.jsonb_to_recordset(CAST(? AS jsonb)) AS
          j(place bigint, step bigint, op text, flag boolean, special boolean, raw text[], stored text[], value jsonb,
            conditional boolean, expected jsonb)),
      l AS MATERIALIZED (
        SELECT {keys} q.n AS place, o.{column} #> CAST('{}' AS text[]) AS d,
               pg_catalog.pg_column_size(o.*) - coalesce(pg_catalog.pg_column_size(o.{column}), 0) AS others
        FROM {key_list} CROSS JOIN {owner} o WHERE {listed_row} ORDER BY q.n FOR NO KEY UPDATE OF o),
      e AS (
        SELECT s.*, CAST(0 AS bigint) AS n, true AS goes_on, false AS changed FROM l s
        UNION ALL
        SELECT {row_key}, s.place, coalesce(r.result, s.d), s.others, p.step,
               r.outcome = 'applied' OR r.outcome = 'missed' AND p.op = 'remove',
               s.changed OR r.result IS NOT NULL OR p.touch AND r.outcome = 'applied'
        FROM e s JOIN p ON p.place = s.place AND p.step = s.n + 1
        CROSS JOIN LATERAL {edit}({row_key}, s.d, CAST(NULL AS bigint),
          CASE WHEN {split} THEN p.stored ELSE p.raw END, p.op, coalesce(CASE WHEN {split} THEN p.value->1 END, p.value->0), p.flag,
          p.conditional, coalesce(CASE WHEN {split} THEN p.expected->1 END, p.expected->0), p.budget - s.others, p.special) r
        WHERE s.goes_on),
      f AS MATERIALIZED (SELECT DISTINCT ON (s.place) s.* FROM e s ORDER BY s.place, s.n DESC),
      u AS (
        UPDATE {owner} AS o SET {column} = CASE WHEN NOT pg_catalog.jsonb_exists(f.d, '$pgtoaster') OR {ours} THEN f.d END
        FROM f WHERE f.changed AND {same_row} RETURNING f.place)
      SELECT m.place, m.made, 1 / CASE WHEN CAST(pg_catalog.sum(m.made) OVER () AS bigint) >= CAST(? AS bigint) THEN 1 ELSE 0 END
      FROM (SELECT f.place, CASE WHEN f.changed AND u.place IS NULL THEN -1 WHEN f.goes_on THEN f.n ELSE f.n - 1 END AS made
            FROM f LEFT JOIN u ON u.place = f.place) m\
      """
          .replace("{split}", IS_SPLIT);

  private EditSql() {}

  private static String row(String edit) {
    return edit.replace("{changes}", "e.result IS NOT NULL").replace("{becomes}", RESULT);
  }
}
