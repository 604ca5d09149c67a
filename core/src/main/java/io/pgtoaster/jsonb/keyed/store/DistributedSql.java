package io.pgtoaster.jsonb.keyed.store;

/**
 * Statements for distributed columns, which replace those that Citus rejects: in Citus, an UPDATE
 * must not use functions of the row, or rows of other tables. A routine of the store does the work
 * on the row's node. They have the same parameters and results as the statements that they replace.
 */
final class DistributedSql {
  /** A row of the owner's table, and the call of a routine with it. */
  private static final String WITH_ROW =
      """
      CROSS JOIN LATERAL (
        SELECT {keys} ARRAY[{key_texts}] AS key FROM {owner} o WHERE {row} AND {may_update} OFFSET 0) s
      CROSS JOIN LATERAL {routine}({row_key}, {owner_literal}, {column_literal}, {row_by_texts}, s.key, {arguments}) r\
      """;

  private static final String EDIT =
      """
      {modifies}SELECT r.outcome, r.number, r.written, r.in_row
      FROM (SELECT CAST(? AS text[]) AS raw, CAST(? AS text[]) AS stored, CAST(? AS jsonb) AS value, CAST(? AS jsonb) AS stored_value,
                   CAST(? AS text) AS op, CAST(? AS boolean) AS flag, CAST(? AS boolean) AS conditional,
                   CAST(? AS jsonb) AS expected, CAST(? AS jsonb) AS stored_expected,
                   CAST(? AS boolean) AS special, CAST(? AS integer) AS budget) p
      {source_row}
      WHERE r.outcome IS NOT NULL AND EXISTS (SELECT FROM {owner} o WHERE {row})\
      """
          .replace(
              "{source_row}",
              WITH_ROW
                  .replace("{routine}", "{change}")
                  .replace(
                      "{arguments}",
                      "p.raw, p.stored, p.value, p.stored_value, p.op, p.flag, p.conditional,"
                          + " p.expected, p.stored_expected, p.special, p.budget, {mode}"));

  private static final String UPDATE_ROW =
      """
      {modifies}SELECT r.done FROM (SELECT CAST(? AS jsonb) AS document) p
      {source_row}(done)\
      """
          .replace(
              "{source_row}",
              WITH_ROW.replace("{routine}", "{hold}").replace("{arguments}", "p.document"));

  private DistributedSql() {}

  /** Returns the statement that a distributed column uses instead, or the same one. */
  static String template(KeyedSql statement) {
    return switch (statement) {
      case EDIT_UNLOCKED -> EDIT.replace("{mode}", "false, false");
      case EDIT_IN_LOCKED_ROW -> EDIT.replace("{mode}", "true, false");
      case EDIT_TOUCHING -> EDIT.replace("{mode}", "true, true");
      case UPDATE_ROW -> UPDATE_ROW;
      case READ_MANY -> ReadSql.READ_MANY_DISTRIBUTED;
      default -> statement.template;
    };
  }
}
