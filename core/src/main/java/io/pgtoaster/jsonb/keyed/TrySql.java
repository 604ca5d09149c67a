package io.pgtoaster.jsonb.keyed;

/**
 * Statements that change one small value in the row that holds it, found and changed in one go:
 * nothing leaves, splits or folds. Those that know only the owner's row have all their conditions
 * on the version of it that they change. Of the others, all conditions that another writer could
 * break are on rows that the statement locks: the stub must be the one walked, or the leaf in the
 * version walked and the head in the generation walked; a miss changes nothing.
 */
final class TrySql {
  private static final String SLOT =
      """
      ,
      slot AS MATERIALIZED (
        SELECT w.*, p.len AS last, CASE WHEN w.rel IS NULL THEN w.value #> w.path[p.len + 1:p.len + 1]
                             ELSE w.value -> CAST(w.rel AS integer) END AS old,
               pg_catalog.jsonb_typeof(w.value) AS container
        FROM walk w, p ORDER BY w.hop DESC LIMIT 1),
      target AS MATERIALIZED (
        SELECT s.doc, l.node, l.version, coalesce(pg_column_size(s.old), -4 - octet_length(s.path[s.last + 1])) AS old_bytes, :new AS new,
               CASE WHEN l.rel IS NULL THEN s.path[l.step + 1:] ELSE array_prepend(CAST(l.rel AS text), s.path[l.step + 2:]) END AS path,
               b.value AS stub, s.leaf IS NULL AS in_row,
               (SELECT h.generation FROM {head} h WHERE h.id = s.doc AND {owned_by_slot}) AS generation
        FROM slot s
        JOIN walk b ON b.hop = 0
        JOIN walk l ON CASE WHEN s.leaf IS NULL THEN l.hop = 0 ELSE l.node = s.leaf END
        WHERE s.step = s.last AND s.value IS NOT NULL AND NOT s.broken AND :allowed),
      locked AS MATERIALIZED (
        SELECT h.generation FROM {head} h WHERE h.id = (SELECT t.doc FROM target t WHERE NOT t.in_row) FOR KEY SHARE),
      in_leaf AS (
        UPDATE {node} n SET value = pg_catalog.jsonb_set(n.value, t.path, t.new), version = n.version + 1,
               bytes = n.bytes + pg_column_size(t.new) - t.old_bytes
        FROM target t, locked k
        WHERE NOT t.in_row AND n.doc = t.doc AND n.id = t.node AND n.version = t.version AND k.generation = t.generation
          AND n.bytes + pg_column_size(t.new) - t.old_bytes <= CAST(? AS integer)
        RETURNING t.new),
      in_row AS (
        UPDATE {owner} o SET {column} = CASE WHEN t.doc IS NULL OR {ours} THEN pg_catalog.jsonb_set(o.{column}, t.path, t.new) END
        FROM target t
        WHERE t.in_row AND o.{column} = t.stub AND {row} AND (t.doc IS NULL OR t.generation IS NOT NULL)
          AND (pg_column_size(t.new) <= t.old_bytes
               OR pg_column_size(o.*) + pg_column_size(t.new) - least(t.old_bytes, 0) <= CAST(? AS integer))
        RETURNING t.new)
      SELECT CAST(l.new AS text), false FROM in_leaf l UNION ALL SELECT CAST(r.new AS text), true FROM in_row r\
      """;

  /**
   * The parameters behind the walk's: the value, whether a missing member is added, whether a value
   * is expected, and which; the most bytes of a leaf; key of the row; the most bytes of a row.
   */
  static final String SET =
      WalkSql.TO_SLOT
          + SLOT.replace(":new", "CAST(? AS jsonb)")
              .replace(
                  ":allowed",
                  "(s.old IS NULL AND s.container = 'object' AND CAST(? AS boolean)"
                      + " OR pg_catalog.jsonb_typeof(s.old) NOT IN ('object', 'array'))"
                      + " AND (NOT CAST(? AS boolean) OR s.old IS NOT DISTINCT FROM CAST(? AS jsonb))");

  /**
   * The parameters behind the walk's: what to add; the most bytes of a leaf; key of the row; the
   * most bytes of a row.
   */
  static final String INCREMENT =
      WalkSql.TO_SLOT
          + SLOT.replace(
                  ":new",
                  "pg_catalog.to_jsonb(coalesce(CAST(s.old #>> CAST('{}' AS text[]) AS numeric), 0) + CAST(? AS numeric))")
              .replace(
                  ":allowed",
                  "(s.old IS NULL AND s.container = 'object' OR pg_catalog.jsonb_typeof(s.old) = 'number')");

  /**
   * The owner's row alone, and its head if there is a stub. What the path meets there is no marker,
   * since a step into one finds nothing.
   */
  private static final String IN_ROW =
      """
      UPDATE {owner} AS o
      SET {column} = CASE WHEN NOT pg_catalog.jsonb_exists(o.{column}, '$pgtoaster') OR {ours}
                     THEN pg_catalog.jsonb_set(o.{column}, p.path, :new) END
      FROM (SELECT CAST(? AS text[]) AS path, CAST(? AS text[]) AS parent, :parameters, CAST(? AS integer) AS budget) p
      WHERE {row} AND CASE
        WHEN CASE coalesce(pg_catalog.jsonb_typeof(o.{column} #> p.path), 'nothing') WHEN 'nothing' THEN :added
               AND pg_catalog.jsonb_typeof(o.{column} #> p.parent) = 'object'
               AND (NOT pg_catalog.jsonb_exists(o.{column} #> p.parent, '$pgtoaster')
                    OR cardinality(p.parent) = 0 AND o.{column}->'$pgtoaster'->1 IS NULL)
             :allowed END
             AND (NOT pg_catalog.jsonb_exists(o.{column}, '$pgtoaster')
                  OR EXISTS (SELECT FROM {head} h WHERE h.id = :document AND {owned_by_row} OFFSET 0))
        THEN pg_column_size(:new) <= pg_column_size(o.{column} #> p.path)
             OR pg_column_size(o.*) + pg_column_size(:new)
                + CASE WHEN (o.{column} #> p.path) IS NULL THEN 4 + octet_length(p.path[cardinality(p.path)]) ELSE 0 END
                <= p.budget END\
      """
          .replace(":document", WalkSql.BRANCH.formatted("o.{column}->'$pgtoaster'->>0"));

  /**
   * The parameters: the path, that of the parent, the value, whether a missing member is added,
   * whether a value is expected, and which; the most bytes of a row; key of the row.
   */
  static final String SET_IN_ROW =
      IN_ROW
          .replace(
              ":parameters",
              "CAST(? AS jsonb) AS new, CAST(? AS boolean) AS adds, CAST(? AS boolean) AS"
                  + " conditional, CAST(? AS jsonb) AS expected")
          .replace(":new", "p.new")
          .replace(":added", "p.adds AND (NOT p.conditional OR p.expected IS NULL)")
          .replace(
              ":allowed",
              "WHEN 'object' THEN false WHEN 'array' THEN false"
                  + " ELSE NOT p.conditional OR o.{column} #> p.path IS NOT DISTINCT FROM p.expected");

  /**
   * The parameters: the path, that of the parent, what to add; the most bytes of a row; key of the
   * row.
   */
  static final String INCREMENT_IN_ROW =
      IN_ROW
              .replace(":parameters", "CAST(? AS numeric) AS delta")
              .replace(
                  ":new",
                  "pg_catalog.to_jsonb(coalesce(CAST(o.{column} #>> p.path AS numeric), 0) + p.delta)")
              .replace(":added", "true")
              .replace(":allowed", "WHEN 'number' THEN true ELSE false")
          + " RETURNING o.{column} #>> p.path";

  private TrySql() {}
}
