package io.pgtoaster.cli;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.KeyColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Documents. */
final class DocumentContents extends Contents {
  private final Database database;
  private final DocumentColumn documents;

  DocumentContents(Database database, DocumentColumn documents) {
    this.database = database;
    this.documents = documents;
  }

  @Override
  AttachedColumn column() {
    return documents.describe();
  }

  @Override
  List<RowKey> keys(@Nullable RowKey after, int limit) throws SQLException {
    AttachedColumn column = column();
    List<RowKey> keys = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement s = connection.prepareStatement(keysSql(column, after != null))) {
      int next = after == null ? 1 : after.bind(s, 1);
      s.setInt(next, limit);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= column.key().size(); i++) {
            values.add(r.getString(i));
          }
          keys.add(new RowKey(values));
        }
      }
    }
    return keys;
  }

  private static String keysSql(AttachedColumn column, boolean after) {
    List<KeyColumn> key = column.key();
    String names = String.join(", ", key.stream().map(k -> "o." + k.quoted()).toList());
    String parameters = String.join(", ", key.stream().map(KeyColumn::parameter).toList());
    return "SELECT "
        + String.join(
            ", ", key.stream().map(k -> "CAST(o." + k.quoted() + " AS pg_catalog.text)").toList())
        + " FROM "
        + column.quotedTable()
        + " o WHERE o."
        + column.quotedColumn()
        + " IS NOT NULL"
        + (after ? " AND (" + names + ") > (" + parameters + ")" : "")
        + " ORDER BY "
        + names
        + " LIMIT ?";
  }

  @Override
  Optional<Entry> entry(List<String> key) {
    return documents.stat(key).map(stat -> new Entry(stat.rawBytes(), stat.split() ? 's' : ' '));
  }

  @Override
  List<String> verify(List<String> key) {
    return documents.verify(key);
  }

  @Override
  long compact(List<String> key) {
    return documents.compact(key);
  }

  @Override
  boolean remove(List<String> key) {
    boolean there = documents.exists(key, DocumentPath.root());
    if (there) {
      documents.clear(key);
    }
    return there;
  }

  @Override
  String count(long number) {
    return number + (number == 1 ? " document" : " documents");
  }

  @Override
  String compacted(long rows) {
    return rows + " rows rewritten";
  }
}
