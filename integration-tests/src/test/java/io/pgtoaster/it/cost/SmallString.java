package io.pgtoaster.it.cost;

import io.pgtoaster.PgToaster;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.it.kit.SmallJvm;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Streams a document with one long string into {@code put} in a JVM with little memory. Prints
 * "stored", or the reason why it was refused.
 */
final class SmallString {
  private SmallString() {}

  public static void main(String[] args) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(args[0]);
    source.setUser(args[1]);
    source.setPassword(SmallJvm.password());
    DocumentColumn documents = PgToaster.create(source).documents("item", "doc");
    long key = Long.parseLong(args[2]);
    try {
      documents.putJson(key, text(args[3], Long.parseLong(args[5]), args[4]));
      System.out.println("stored");
    } catch (InvalidJsonException e) {
      System.out.println(e.getMessage());
    }
  }

  /** A text with many equal letters in the middle. */
  private static InputStream text(String begin, long letters, String end) {
    return new SequenceInputStream(
        Collections.enumeration(List.of(bytes(begin), new Letters(letters), bytes(end))));
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final class Letters extends InputStream {
    private long left;

    Letters(long count) {
      left = count;
    }

    @Override
    public int read() {
      return left-- > 0 ? 'x' : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      int count = (int) Math.min(length, left);
      Arrays.fill(buffer, offset, offset + count, (byte) 'x');
      left -= count;
      return count;
    }
  }
}
