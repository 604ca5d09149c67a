package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.UnreferencedContent;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.GcRun;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Implements the toaster {@code keyed}: a stub in the row, large members in a tree of small rows.
 */
public final class KeyedToaster implements JsonToaster {
  private static final String TABLES =
      """
      SELECT pgtoaster.store_table(s.id, '') FROM pgtoaster.store s
      WHERE s.id = ? AND pg_catalog.to_regclass(pgtoaster.store_table(s.id, 'head')) IS NOT NULL
      """;

  private static final Set<JsonCapability> ALL = Set.copyOf(EnumSet.allOf(JsonCapability.class));

  /** Creates the toaster; called by {@link java.util.ServiceLoader}. */
  public KeyedToaster() {}

  @Override
  public String name() {
    return JsonOptions.TOASTER;
  }

  @Override
  public Set<JsonCapability> capabilities() {
    return ALL;
  }

  @Override
  public Executor executor() {
    return Executor.EXTENSION;
  }

  @Override
  public JsonVtable vtable(AttachedColumn column) {
    KeyedStore store = KeyedStore.of(column);
    return column.extension() ? new ExtensionVtable(column, store) : new KeyedVtable(store);
  }

  /** Collects content that no row references, then the remaining released content. */
  @Override
  public void collect(GcRun run) {
    run.<Optional<String>>transaction(c -> tables(c, run.store()))
        .ifPresent(
            tables -> {
              run.step(
                  () -> {
                    new UnreferencedContent(run, "document", "pgtoaster.gc_documents").collect();
                    KeptDocuments.tell(run);
                  });
              run.step(() -> new ReleasedDocuments(run, tables).collect());
            });
  }

  /** Returns the prefix of a store's table names; empty if the tables do not exist. */
  private static Optional<String> tables(Connection connection, int store) throws SQLException {
    return Optional.ofNullable(Query.first(connection, TABLES, r -> r.getString(1), store));
  }
}
