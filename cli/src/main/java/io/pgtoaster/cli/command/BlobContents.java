package io.pgtoaster.cli.command;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AttachedColumn;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The contents of a column of blobs. */
final class BlobContents extends Contents {
  private final BlobColumn blobs;

  BlobContents(BlobColumn blobs) {
    this.blobs = blobs;
  }

  @Override
  public AttachedColumn column() {
    return ColumnAccess.column(blobs);
  }

  @Override
  List<RowKey> keys(@Nullable RowKey after, int limit) {
    return blobs.keys(after, limit);
  }

  @Override
  public Optional<Entry> entry(List<String> key) {
    return blobs.info(key).map(info -> new Entry(info.length(), info.sealed() ? 's' : ' '));
  }

  @Override
  public String flagged() {
    return "sealed";
  }

  @Override
  public List<String> verify(List<String> key) {
    return blobs.verify(key);
  }

  @Override
  public long compact(List<String> key) {
    return blobs.compact(key);
  }

  @Override
  public boolean remove(List<String> key) {
    return blobs.delete(key);
  }

  @Override
  public String count(long number) {
    return number + (number == 1 ? " blob" : " blobs");
  }

  @Override
  public String compacted(long rows) {
    return rows + " small chunks merged";
  }
}
