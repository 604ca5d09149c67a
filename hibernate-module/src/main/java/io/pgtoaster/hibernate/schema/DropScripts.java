package io.pgtoaster.hibernate.schema;

import io.pgtoaster.hibernate.internal.SqlLiterals;
import java.util.Collection;

/**
 * Two statements that run before and after {@code DROP TABLE}. The catalog identifies a table by
 * its oid, so the first statement records the stores of the tables in the session. If nothing is
 * dropped between them, as in a schema update, they do nothing.
 */
final class DropScripts {
  private DropScripts() {}

  /** Records the stores of the tables, and discards earlier records. */
  static String recordStores(Collection<Attachment> columns) {
    return block(
        """
        BEGIN
          PERFORM pg_catalog.set_config('pgtoaster.noted_stores', '{}', false);
          IF pg_catalog.to_regclass('pgtoaster.attached_column') IS NOT NULL THEN
            PERFORM pg_catalog.set_config('pgtoaster.noted_stores',
                coalesce(pg_catalog.array_agg(a.store), '{}')::text, false)
            FROM pgtoaster.attached_column a
            WHERE a.column_exists AND CAST(a.owner AS oid) IN (
              SELECT CAST(pg_catalog.to_regclass(t.name) AS oid) FROM pg_catalog.unnest(%s::text[]) t(name));
          END IF;
        END\
        """
            .formatted(relations(columns)));
  }

  /**
   * Drops the recorded stores if their tables no longer exist. Drops nothing if one of the tables
   * exists, because a table of the same name may have taken over the content.
   */
  static String dropRecordedStores(Collection<Attachment> columns) {
    return block(
        """
        DECLARE
          noted integer[] := nullif(pg_catalog.current_setting('pgtoaster.noted_stores', true), '')::integer[];
        BEGIN
          PERFORM pg_catalog.set_config('pgtoaster.noted_stores', '{}', false);
          IF pg_catalog.cardinality(noted) > 0 AND NOT EXISTS (
               SELECT FROM pg_catalog.unnest(%s::text[]) t(name)
               WHERE pg_catalog.to_regclass(t.name) IS NOT NULL) THEN
            PERFORM pgtoaster.drop_orphaned_stores(noted);
          END IF;
        END\
        """
            .formatted(relations(columns)));
  }

  private static String relations(Collection<Attachment> columns) {
    return SqlLiterals.array(columns.stream().map(Attachment::relation).distinct().toList());
  }

  /** Quotes the body as a string literal, because a name may contain any dollar quote. */
  private static String block(String body) {
    return "DO " + SqlLiterals.text(body);
  }
}
