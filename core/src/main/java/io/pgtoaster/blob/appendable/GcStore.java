package io.pgtoaster.blob.appendable;

import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.UnreferencedContent;
import io.pgtoaster.spi.GcRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store of the appendable toaster as seen by gc, without its attached column.
 *
 * @param prefix the qualified prefix of its table names
 * @param operator the operator that compares its leading key, or null
 * @param leadingKeyType SQL type of its leading key, or null if it has none
 */
record GcStore(String prefix, @Nullable String operator, @Nullable String leadingKeyType) {
  private static final String STORE =
      """
      SELECT pgtoaster.store_table(s.id, ''), pgtoaster.lead_operator(s.id),
             (SELECT pg_catalog.format_type(t.atttypid, t.atttypmod) FROM pg_catalog.pg_attribute t
              WHERE t.attrelid = CAST(pg_catalog.to_regclass(pgtoaster.store_table(s.id, 'garbage')) AS oid)
                AND t.attname = 'leading_key')
      FROM pgtoaster.store s
      WHERE s.id = ? AND pg_catalog.to_regclass(pgtoaster.store_table(s.id, 'head')) IS NOT NULL
      """;

  /**
   * Collects content that no row references, then the remaining released content, then expired
   * tokens.
   */
  static void collect(GcRun run) {
    run.<Optional<GcStore>>transaction(c -> find(c, run.store()))
        .ifPresent(
            store -> {
              run.step(() -> new UnreferencedContent(run, "blob", "pgtoaster.gc_blobs").collect());
              run.step(
                  () -> {
                    new ReleasedBlobs(run, store).collect();
                    new ExpiredTokens(run, store).collect();
                  });
            });
  }

  private static Optional<GcStore> find(Connection connection, int store) throws SQLException {
    return Optional.ofNullable(
        Query.first(
            connection,
            STORE,
            r -> new GcStore(r.getString(1), r.getString(2), r.getString(3)),
            store));
  }

  /** Returns the qualified name of one of the store's tables. */
  String part(String name) {
    return prefix + name;
  }

  /** Returns the expression that selects the leading key as text. */
  String leadingKeyText() {
    return leadingKeyType == null ? "NULL" : "CAST(leading_key AS text)";
  }

  /** Returns the start of a WHERE condition, with one parameter if there is a leading key. */
  String leadingKeyIs() {
    return leadingKeyType == null
        ? ""
        : "leading_key " + operator + " CAST(? AS " + leadingKeyType + ") AND ";
  }

  /** Returns the parameter of {@link #leadingKeyIs()}, if any. */
  Query.Parameters leadingKey(@Nullable String leadingKey) {
    return (s, first) -> leadingKeyType == null ? first : Query.bind(s, first, leadingKey);
  }
}
