package io.pgtoaster.hibernate.schema;

import io.pgtoaster.Catalog;
import io.pgtoaster.hibernate.internal.SqlArrays;
import io.pgtoaster.internal.sql.Identifiers;
import java.util.Collection;
import java.util.stream.Collectors;

/** SQL that creates the catalog, and that drops the stores of dropped tables. */
final class Scripts {
  private Scripts() {}

  /** Returns all scripts of the catalog, concatenated. */
  static String install() {
    return Catalog.scriptNames().stream().map(Catalog::script).collect(Collectors.joining("\n"));
  }

  /**
   * Returns all scripts of the catalog as one statement. It is atomic even if each statement is
   * committed separately, and tools do not split it at semicolons.
   */
  static String installAtOnce() {
    return Catalog.scriptNames().stream()
        .map(name -> "EXECUTE $pgtoaster_script$" + Catalog.script(name) + "$pgtoaster_script$;\n")
        .collect(
            Collectors.joining("", "DO $pgtoaster_install$ BEGIN\n", "END $pgtoaster_install$"));
  }

  /**
   * Returns a statement to run before {@code DROP TABLE}. It records the stores of the tables in
   * the session, because the catalog identifies a table by its oid, and discards earlier records.
   */
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
   * Returns a statement to run after {@code DROP TABLE}. It drops the recorded stores if none of
   * the tables exists: a table of the same name may have taken over the content.
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
    return SqlArrays.literal(columns.stream().map(Attachment::relation).distinct().toList());
  }

  /** Quotes the body as a string literal, because a name may contain any dollar quote. */
  private static String block(String body) {
    return "DO " + Identifiers.literal(body);
  }
}
