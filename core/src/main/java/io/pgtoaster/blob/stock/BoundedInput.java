package io.pgtoaster.blob.stock;

import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.spi.AppendRequest;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of a request, counts and checks them, and throws an exception if the value would
 * be too long.
 */
final class BoundedInput extends InputStream {
  private final AppendRequest request;
  private final StockRules rules;
  private final long room;
  private final @Nullable Utf8Check check;
  private long count;

  BoundedInput(AppendRequest request, StockSql sql, long length) {
    this.request = request;
    this.rules = sql.rules;
    this.room = rules.maxLength() - length;
    this.check = sql.text ? new Utf8Check() : null;
  }

  long count() {
    return count;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int got;
    if (count < request.count()) {
      got = (int) Math.min(length, request.count() - count);
      System.arraycopy(request.array(), request.from() + (int) count, buffer, offset, got);
    } else {
      got = request.readRest(buffer, offset, length);
    }
    if (got == 0) {
      if (check != null) {
        check.end();
      }
      return -1;
    }
    if (check != null) {
      check.add(buffer, offset, got);
    }
    count += got;
    if (count > room) {
      throw new InvalidOffsetException(
          "a value of the toaster %s has at most %s bytes"
              .formatted(rules.toaster(), rules.maxLength()));
    }
    return got;
  }
}
