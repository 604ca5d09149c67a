package io.pgtoaster.jsonb.keyed.store;

/**
 * Statements that edit a value in the owner's row. Each edit is one statement, and all its
 * conditions apply to the version of the row that it changes. It takes a third of the time of a
 * routine call.
 */
final class RowSql {
  /**
   * Updates only the owner's row, and reads its head if there is a stub. The value at the path is
   * not a marker, because a step into a marker finds nothing.
   */
  private static final String IN_ROW =
      """
      UPDATE {owner} AS o
      SET {column} = CASE WHEN NOT pg_catalog.jsonb_exists(o.{column}, '$pgtoaster') OR {ours}
                     THEN pg_catalog.jsonb_set(o.{column}, p.path, {new}) END
      FROM (SELECT CAST(? AS text[]) AS path, {parameters}, CAST(? AS integer) AS budget) p
      WHERE {row} AND CASE
        WHEN {there}
             AND (NOT pg_catalog.jsonb_exists(o.{column}, '$pgtoaster')
                  OR EXISTS (SELECT FROM {head} h
                                WHERE {lead:h}h.id = {number:o.{column}#>>CAST('{$pgtoaster,0}' AS text[])}
                                AND {owned_by_row} OFFSET 0))
        THEN {fits} END\
      """;

  /** Replaces or adds one small value. */
  private static final String IN_SLOT =
      IN_ROW
          .replace("{parameters}", "CAST(? AS text[]) AS parent, {parameters}")
          .replace(
              "{there}",
              """
              CASE coalesce(pg_catalog.jsonb_typeof(o.{column} #> p.path), 'nothing') WHEN 'nothing' THEN {added}
                     AND pg_catalog.jsonb_typeof(o.{column} #> p.parent) = 'object'
                     AND (NOT pg_catalog.jsonb_exists(o.{column} #> p.parent, '$pgtoaster')
                          OR pg_catalog.cardinality(p.parent) = 0 AND o.{column}->CAST('$pgtoaster' AS text)->1 IS NULL)
                   {allowed} END\
              """)
          .replace(
              "{fits}",
              """
              pg_catalog.pg_column_size({new}) <= pg_catalog.pg_column_size(o.{column} #> p.path)
                   OR pg_catalog.pg_column_size(o.*) + pg_catalog.pg_column_size({new})
                      + CASE WHEN (o.{column} #> p.path) IS NULL
                             THEN 4 + pg_catalog.octet_length(p.path[pg_catalog.cardinality(p.path)])
                             ELSE 0 END
                      <= p.budget\
              """);

  /**
   * The parameters: the path, the path of the parent, the value, whether to add a missing member,
   * whether a value is expected, and that value; the maximum bytes of a row; the key of the row.
   */
  static final String SET_IN_ROW =
      IN_SLOT
          .replace(
              "{parameters}",
              "CAST(? AS jsonb) AS new, CAST(? AS boolean) AS adds, CAST(? AS boolean) AS"
                  + " conditional, CAST(? AS jsonb) AS expected")
          .replace("{new}", "p.new")
          .replace("{added}", "p.adds AND (NOT p.conditional OR p.expected IS NULL)")
          .replace(
              "{allowed}",
              "WHEN 'object' THEN false WHEN 'array' THEN false ELSE NOT p.conditional OR"
                  + " o.{column} #> p.path IS NOT DISTINCT FROM p.expected");

  /**
   * The parameters: the path, the path of the parent, the number to add; the maximum bytes of a
   * row; the key of the row.
   */
  static final String INCREMENT_IN_ROW =
      IN_SLOT
              .replace("{parameters}", "CAST(? AS numeric) AS delta")
              .replace(
                  "{new}",
                  "pg_catalog.to_jsonb(coalesce(CAST(o.{column} #>> p.path AS numeric), 0) +"
                      + " p.delta)")
              .replace("{added}", "true")
              .replace("{allowed}", "WHEN 'number' THEN true ELSE false")
          + " RETURNING o.{column} #>> p.path";

  /**
   * The parameters: the path of the array, an array of the elements to append; the maximum bytes of
   * a row; the key of the row. The size of that array includes a header, so the row grows by less.
   */
  static final String APPEND_IN_ROW =
      IN_ROW
          .replace("{parameters}", "CAST(? AS jsonb) AS elements")
          .replace("{new}", "(o.{column} #> p.path) || p.elements")
          .replace("{there}", "pg_catalog.jsonb_typeof(o.{column} #> p.path) = 'array'")
          .replace(
              "{fits}",
              "pg_catalog.pg_column_size(o.*) + pg_catalog.pg_column_size(p.elements) <= p.budget");

  private RowSql() {}
}
