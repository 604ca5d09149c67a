package io.pgtoaster.cli.command;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The contents of a column's rows, blobs or documents, for commands that work on both. */
public abstract class Contents {
  private static final int PAGE = 500;

  /** An entry of a list: a length, and a letter or a space. */
  public record Entry(long length, char flag) {}

  public static Contents of(Database database, TargetColumn place) throws SQLException {
    return TargetColumn.holdsDocuments(place.find(database))
        ? new DocumentContents(database, place.documents(database))
        : new BlobContents(place.blobs(database));
  }

  public abstract AttachedColumn column();

  /** Returns one page of keys, in key order, of the rows that have content. */
  abstract List<RowKey> keys(@Nullable RowKey after, int limit) throws SQLException;

  public abstract Optional<Entry> entry(List<String> key);

  public abstract List<String> verify(List<String> key);

  public abstract long compact(List<String> key);

  public abstract boolean remove(List<String> key);

  /** Returns what the letter of an entry means. */
  public abstract String flagged();

  /** Formats a number of blobs or documents. */
  public abstract String count(long number);

  /** Formats the number that compact returns. */
  public abstract String compacted(long rows);

  /** Visits every row that has content, in key order. */
  public final void forEach(Consumer<List<String>> visitor) throws SQLException {
    @Nullable RowKey last = null;
    while (true) {
      List<RowKey> page = keys(last, PAGE);
      page.forEach(key -> visitor.accept(key.values()));
      if (page.size() < PAGE) {
        return;
      }
      last = page.get(page.size() - 1);
    }
  }
}
