package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.RowKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Blobs. */
final class BlobContents extends Contents {
  private final BlobColumn blobs;

  BlobContents(BlobColumn blobs) {
    this.blobs = blobs;
  }

  @Override
  AttachedColumn column() {
    return blobs.describe();
  }

  @Override
  List<RowKey> keys(@Nullable RowKey after, int limit) {
    return blobs.keys(after, limit);
  }

  @Override
  Optional<Entry> entry(List<String> key) {
    return blobs.info(key).map(info -> new Entry(info.length(), info.sealed() ? 's' : ' '));
  }

  @Override
  String flagged() {
    return "sealed";
  }

  @Override
  List<String> verify(List<String> key) {
    return blobs.verify(key);
  }

  @Override
  long compact(List<String> key) {
    return blobs.compact(key);
  }

  @Override
  boolean remove(List<String> key) {
    return blobs.delete(key);
  }

  @Override
  String count(long number) {
    return number + (number == 1 ? " blob" : " blobs");
  }

  @Override
  String compacted(long rows) {
    return rows + " small chunks merged";
  }
}
