package io.pgtoaster.it.cost;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.SmallJvm;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Stores a large document in a JVM with little memory, streams it, and changes it by path. Prints
 * the digests of the input and the output.
 */
final class SmallDocument {
  private SmallDocument() {}

  public static void main(String[] args) throws Exception {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(args[0]);
    source.setUser(args[1]);
    source.setPassword(SmallJvm.password());
    DocumentColumn documents = PgToaster.create(source).documents("item", "doc");
    long key = Long.parseLong(args[2]);
    long parts = Long.parseLong(args[3]);
    MessageDigest in = Bytes.sha256();
    documents.putJson(key, new DigestInputStream(new Parts(parts), in));
    MessageDigest out = Bytes.sha256();
    try (OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), out)) {
      documents.load(key, sink);
    }
    documents.at(key, "parts[" + parts / 2 + "].title").set("changed");
    documents.at(key, "parts[0]").insert("first");
    documents.at(key, "parts").append("last");
    documents.putJson(key, new Parts(parts));
    documents.at(key, "parts[" + parts / 2 + "].title").set("changed again");
    documents.at(key, "count").increment(5);
    System.out.println(Bytes.hex(in) + " " + Bytes.hex(out));
  }

  /** The text of a document about an actor in a film database, as PostgreSQL prints it. */
  static final class Parts extends InputStream {
    private static final int BATCH = 64;

    private final long parts;
    private byte[] text =
        "{\"id\": \"huge\", \"count\": 7, \"parts\": [".getBytes(StandardCharsets.UTF_8);
    private int position;
    private long next;
    private boolean ended;

    Parts(long parts) {
      this.parts = parts;
    }

    private static String part(long number) {
      SplittableRandom random = new SplittableRandom(number);
      return "{\"year\": %d, \"title\": \"Part %x of %d\", \"characters\": [\"%x\", \"No. %d\"]}"
          .formatted(
              1920 + random.nextInt(100),
              random.nextLong(),
              random.nextInt(50),
              random.nextLong(),
              random.nextInt(500));
    }

    private boolean atEnd() {
      while (position == text.length) {
        if (ended) {
          return true;
        }
        StringBuilder more = new StringBuilder();
        for (int i = 0; i < BATCH && next < parts; i++) {
          more.append(next == 0 ? "" : ", ").append(part(next++));
        }
        ended = next == parts;
        more.append(ended ? "], \"height\": \"180 cm\"}" : "");
        text = more.toString().getBytes(StandardCharsets.UTF_8);
        position = 0;
      }
      return false;
    }

    @Override
    public int read() {
      return atEnd() ? -1 : text[position++] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      if (atEnd()) {
        return -1;
      }
      int count = Math.min(length, text.length - position);
      System.arraycopy(text, position, buffer, offset, count);
      position += count;
      return count;
    }
  }
}
