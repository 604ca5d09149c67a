package io.pgtoaster.cli.demo;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.FollowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The main job: a file goes in, a second connection follows it, and it comes back. */
final class StreamJob {
  private static final String VALUE = "stream";
  private static final int BUFFER = 1 << 18;

  private final PgToasterContender toaster;

  StreamJob(PgToasterContender toaster) {
    this.toaster = toaster;
  }

  StreamResult run(Path file) throws SQLException, IOException {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (InputStream in = Files.newInputStream(file)) {
      Followed empty = new Followed("", 0);
      Callable<Followed> follow = this::follow;
      toaster.addRow(VALUE);
      BlobColumn blobs = toaster.blobs();
      blobs.append(VALUE, new byte[0]);
      Future<Followed> follower = executor.submit(follow);
      MessageDigest source = sha256();
      long began = System.nanoTime();
      append(in, source);
      long appended = System.nanoTime();
      blobs.seal(VALUE);
      Followed followed = blobs.info(VALUE).isEmpty() ? empty : follower.get();
      MessageDigest back = sha256();
      long readBegan = System.nanoTime();
      toaster.read(VALUE, back::update);
      long read = System.nanoTime() - readBegan;
      toaster.remove(VALUE);
      String expected = hex(source);
      return new StreamResult(
          Files.size(file),
          appended - began,
          Math.max(0, followed.at - appended) / 1e6,
          read,
          expected,
          expected.equals(followed.sha256) && expected.equals(hex(back)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException("the follower failed: " + e.getMessage(), e);
    } finally {
      executor.shutdownNow();
    }
  }

  private record Followed(String sha256, long at) {}

  private void append(InputStream in, MessageDigest digest) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (var out = toaster.blobs().appendStream(VALUE)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        out.write(buffer, 0, n);
      }
    }
  }

  private Followed follow() throws IOException {
    MessageDigest digest = sha256();
    long at = System.nanoTime();
    byte[] buffer = new byte[BUFFER];
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
