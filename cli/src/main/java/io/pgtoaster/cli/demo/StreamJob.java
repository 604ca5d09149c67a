package io.pgtoaster.cli.demo;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.TextTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The main test: stores a file while a second connection follows it, and reads it back. */
final class StreamJob {
  private static final String VALUE = "stream";

  private final PgToasterContender toaster;
  private final TextTable table = new TextTable("ll");
  private boolean equal;

  StreamJob(PgToasterContender toaster) {
    this.toaster = toaster;
  }

  /**
   * Returns true if the followed content and the content read back have the checksum of the file.
   */
  boolean isEqual() {
    return equal;
  }

  /** The time at which a follower received the last byte, and the checksum of its content. */
  private record Followed(String sha256, long at) {}

  TextTable run(Path file) throws SQLException, IOException {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    BlobColumn blobs = toaster.blobs();
    long bytes = Files.size(file);
    MessageDigest source = sha256();
    MessageDigest back = sha256();
    toaster.addRow(VALUE);
    blobs.append(VALUE, new byte[0]);
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), source);
        OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), back)) {
      Future<Followed> follower = executor.submit(this::follow);
      long began = System.nanoTime();
      try (OutputStream out = blobs.appendStream(VALUE)) {
        in.transferTo(out);
      }
      long appended = System.nanoTime();
      blobs.seal(VALUE);
      Followed followed = follower.get();
      long readBegan = System.nanoTime();
      toaster.read(VALUE, sink);
      long read = System.nanoTime() - readBegan;
      toaster.remove(VALUE);
      String sum = hex(source);
      equal = sum.equals(followed.sha256()) && sum.equals(hex(back));
      table.row("file", file.getFileName() + ", " + ByteSize.format(bytes));
      table.row("appended", ByteSize.rate(bytes, appended - began) + ", while it was followed");
      table.row(
          "followed",
          String.format(
              Locale.ROOT,
              "from a second connection, which received the last byte %.0f ms after its commit",
              Math.max(0, followed.at() - appended) / 1e6));
      table.row("read back", ByteSize.rate(bytes, read));
      table.row("SHA-256", (equal ? "equal: " : "DIFFERENT, expected ") + sum);
      return table;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException("the follower failed: " + e.getMessage(), e);
    } finally {
      executor.shutdownNow();
    }
  }

  private Followed follow() throws IOException {
    MessageDigest digest = sha256();
    long at = System.nanoTime();
    byte[] buffer = new byte[1 << 18];
    try (InputStream in = toaster.blobs().follow(VALUE, FollowOptions.defaults())) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        at = System.nanoTime();
      }
    }
    return new Followed(hex(digest), at);
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
