package io.pgtoaster.blob;

import io.pgtoaster.column.RowPlace;

/** A row, and perhaps a range of its content. */
record Place(Object key, long offset, long length) implements RowPlace {
  private static final long NONE = -1;

  static Place row(Object key) {
    return new Place(key, NONE, NONE);
  }

  @Override
  public String describe(String column) {
    StringBuilder s = new StringBuilder(RowPlace.super.describe(column));
    if (offset != NONE) {
      s.append(", offset ").append(offset);
    }
    if (length != NONE) {
      s.append(", length ").append(length);
    }
    return s.toString();
  }
}
