package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.GcRun;
import java.util.List;

/**
 * Reports documents that no row owns, but that are kept because the headers of rows reference them.
 */
final class KeptDocuments {
  private static final String LIST =
      """
      SELECT k.id, k.bytes,
             'no row owns it, but ' || CAST(k.relation AS text) || '.' || pg_catalog.quote_ident(k.column_name)
               || ' names it: see pgtoaster.repair'
      FROM pgtoaster.gc_kept_documents(?, CAST(? AS interval)) k
      """;

  private KeptDocuments() {}

  private record Item(long id, long bytes, String why) {}

  static void tell(GcRun run) {
    for (Item item :
        run.<List<Item>>transaction(
            c ->
                Query.list(
                    c,
                    LIST,
                    r -> new Item(r.getLong(1), r.getLong(2), r.getString(3)),
                    run.store(),
                    run.grace().toString()))) {
      run.kept("kept", item.id(), item.bytes(), item.why());
    }
  }
}
