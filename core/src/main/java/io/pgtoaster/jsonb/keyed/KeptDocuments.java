package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.GcRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Documents that no row owns, but that stay because rows name them by their header. */
final class KeptDocuments {
  private static final String LIST =
      """
      SELECT k.id, k.bytes,
             'no row owns it, but ' || k.relation || '.' || pg_catalog.quote_ident(k.column_name)
               || ' names it: see pgtoaster.repair'
      FROM pgtoaster.gc_kept_documents(?, CAST(? AS interval)) k
      """;

  private KeptDocuments() {}

  private record Item(long id, long bytes, String why) {}

  static void tell(GcRun run) {
    for (Item item : run.<List<Item>>transaction(c -> list(c, run))) {
      run.kept("kept", item.id(), item.bytes(), item.why());
    }
  }

  private static List<Item> list(Connection connection, GcRun run) throws SQLException {
    List<Item> found = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(LIST)) {
      s.setInt(1, run.store());
      s.setString(2, run.grace().toString());
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          found.add(new Item(r.getLong(1), r.getLong(2), r.getString(3)));
        }
      }
    }
    return found;
  }
}
