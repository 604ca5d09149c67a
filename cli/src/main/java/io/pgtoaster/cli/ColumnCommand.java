package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.column.RowKey;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that works on one attached column. */
abstract class ColumnCommand extends DatabaseCommand {
  private static final int PAGE = 500;

  @Mixin ColumnOptions place;

  @Override
  final int run(Database database) throws Exception {
    return run(database, place.open(database));
  }

  abstract int run(Database database, BlobColumn blobs) throws Exception;

  /** Reads a key as the row key of the column demands. */
  static List<String> key(BlobColumn blobs, String text) {
    return KeyText.parse(text, blobs.describe().key().size());
  }

  /** Visits every blob of the column in the order of the keys. */
  static void forEach(BlobColumn blobs, Consumer<List<String>> visitor) {
    @Nullable RowKey last = null;
    while (true) {
      List<RowKey> page = blobs.keys(last, PAGE);
      page.forEach(key -> visitor.accept(key.values()));
      if (page.size() < PAGE) {
        return;
      }
      last = page.get(page.size() - 1);
    }
  }
}
