package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.spring.kit.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Uploads while the connection breaks, the database fails, or the server is killed. */
@Tag("ci")
@Tag("turn-2")
class TusCutIT {
  private static final long SIZE = Long.getLong("pgtoaster.test.upload", 100 << 20);

  /** Less than the upload. */
  private static final String HEAP = "-Xmx96m";

  private static final int CUTS = 10;
  private static final int CUT_OF_DATABASE = 4;
  private static final int CUT_OF_SERVER = 7;

  @Test
  void uploadInterruptedTenTimes_arrivesOnce() throws Exception {
    long seed = Long.getLong("pgtoaster.test.seed", 20_261_120);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    GeneratedContent content = new GeneratedContent(seed, SIZE);
    TestDatabase database = TestDatabase.withFiles();
    String[] properties = database.properties();
    long[] cuts = random.longs(CUTS, 1, SIZE).sorted().toArray();
    ChildApplication application = ChildApplication.start(HEAP, properties);
    long wasted = 0;
    try {
      TusClient client = new TusClient((int) application.report("port"));
      long start = System.nanoTime();
      URI url = client.create(SIZE);
      for (int cut = 0; cut < CUTS; cut++) {
        long offset = offset(client, url);
        try (Socket socket = open(client, url, offset, SIZE - offset)) {
          wasted += Math.max(0, cuts[cut] - offset);
          boolean endsDatabase = cut == CUT_OF_DATABASE;
          write(socket, content, offset, cuts[cut], endsDatabase ? database : null);
          if (random.nextBoolean()) {
            socket.setSoLinger(true, 0);
          }
        }
        if (cut == CUT_OF_SERVER) {
          application.close();
          application = ChildApplication.start(HEAP, properties);
          client = new TusClient((int) application.report("port"));
          url = URI.create(client.base() + url.getPath().substring("/tus".length()));
        }
        wasted -= offset(client, url) - offset;
        System.out.printf("cut %d after %.1f s%n", cut, (System.nanoTime() - start) / 1e9);
      }
      int requests = 0;
      long end;
      do {
        long offset = offset(client, url);
        end = offset == SIZE ? SIZE : patch(client, url, content, offset);
      } while (end < SIZE && ++requests < 20);
      assertThat(client.offset(url)).isEqualTo(SIZE);
      System.out.printf(
          "%d bytes in %.1f s, %d bytes sent again%n",
          SIZE, (System.nanoTime() - start) / 1e9, wasted);
      System.out.println("peak of the heap: " + application.end() + " bytes");
    } finally {
      application.close();
    }
    BlobColumn blobs = database.toaster().blobs("file", "content");
    assertThat(blobs.length(1)).isEqualTo(SIZE);
    assertThat(blobs.verify(1)).isEmpty();
    assertThat(sha256(blobs)).isEqualTo(content.sha256());
  }

  /** Repeats the request if the pool gave the server a connection that had just been terminated. */
  private static long offset(TusClient client, URI url) throws Exception {
    HttpResponse<String> head =
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> client.head(url), answer -> answer.statusCode() != 500);
    assertThat(head.statusCode()).isEqualTo(200);
    return TusClient.offset(head);
  }

  private static byte[] sha256(BlobColumn blobs) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream in = new DigestInputStream(blobs.inputStream(1), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return digest.digest();
  }

  private static Socket open(TusClient client, URI url, long offset, long length)
      throws IOException {
    Socket socket = new Socket(client.base().getHost(), client.base().getPort());
    socket.getOutputStream().write(client.patchHead(url, offset, length, null));
    return socket;
  }

  /** Sends a part of a body; may terminate the server's database connections halfway. */
  private static void write(
      Socket socket, GeneratedContent content, long from, long to, TestDatabase ended) {
    try {
      OutputStream out = socket.getOutputStream();
      boolean end = ended != null;
      for (long at = from; at < to; ) {
        byte[] bytes = content.from(at);
        int count = (int) Math.min(bytes.length, to - at);
        out.write(bytes, 0, count);
        at += count;
        if (end && at - from > (to - from) / 2) {
          end = false;
          JdbcClient.create(ended.dataSource())
              .sql(
                  "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                      + " WHERE datname = current_database() AND pid <> pg_backend_pid()")
              .query()
              .singleValue();
        }
      }
    } catch (IOException e) {
      System.out.println("the server closed the connection: " + e);
    }
  }

  /**
   * Sends the rest; returns the offset after it, or 0 if it was rejected. A server that rejects a
   * body closes the connection, so the client may not receive a response.
   */
  private static long patch(TusClient client, URI url, GeneratedContent content, long offset)
      throws IOException {
    try (Socket socket = open(client, url, offset, content.length() - offset)) {
      write(socket, content, offset, content.length(), null);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      String status = in.readLine();
      if (status == null) {
        return 0;
      }
      assertThat(status).containsAnyOf(" 204", " 409", " 500");
      return status.contains(" 204") ? content.length() : 0;
    } catch (SocketException e) {
      return 0;
    }
  }
}
