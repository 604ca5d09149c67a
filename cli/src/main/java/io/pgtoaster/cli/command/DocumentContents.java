package io.pgtoaster.cli.command;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The contents of a column of documents. */
final class DocumentContents extends Contents {
  private final Database database;
  private final DocumentColumn documents;

  DocumentContents(Database database, DocumentColumn documents) {
    this.database = database;
    this.documents = documents;
  }

  @Override
  public AttachedColumn column() {
    return ColumnAccess.column(documents);
  }

  @Override
  List<RowKey> keys(@Nullable RowKey after, int limit) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return OwnerRows.keys(connection, column(), after, limit);
    }
  }

  @Override
  public Optional<Entry> entry(List<String> key) {
    return documents.stat(key).map(stat -> new Entry(stat.rawBytes(), stat.split() ? 's' : ' '));
  }

  @Override
  public String flagged() {
    return "split";
  }

  @Override
  public List<String> verify(List<String> key) {
    return documents.verify(key);
  }

  @Override
  public long compact(List<String> key) {
    return documents.compact(key);
  }

  @Override
  public boolean remove(List<String> key) {
    boolean there = documents.at(key, DocumentPath.root()).exists();
    if (there) {
      documents.clear(key);
    }
    return there;
  }

  @Override
  public String count(long number) {
    return number + (number == 1 ? " document" : " documents");
  }

  @Override
  public String compacted(long rows) {
    return rows + " rows rewritten";
  }
}
