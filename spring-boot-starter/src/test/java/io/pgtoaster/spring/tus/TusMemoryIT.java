package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.spring.kit.TestDatabase;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Uploads with less memory than a piece of the usual size needs. */
class TusMemoryIT {
  private static final int PARTS = 12;
  private static final byte[] PART = new byte[512 << 10];

  @AutoClose private static ConfigurableApplicationContext application;
  private static TusClient client;
  private static TestDatabase database;
  private static BlobColumn blobs;

  @BeforeAll
  static void start() throws Exception {
    new Random(3).nextBytes(PART);
    database = TestDatabase.withFiles();
    blobs = database.toaster().blobs("file", "content");
    application = TusApplication.run(database.properties("pgtoaster.tus.max-memory=4MB"));
    client = new TusClient(TusApplication.port(application));
  }

  private static long newestRow() {
    return Long.parseLong(database.value("SELECT max(id) FROM file"));
  }

  private static Socket open(URI url, long length) throws IOException {
    Socket socket = new Socket("localhost", client.base().getPort());
    socket.getOutputStream().write(client.patchHead(url, 0, length, null));
    return socket;
  }

  /** Sends requests that start and then stall. */
  @Test
  void memory_isLimited_andReleasedWhenRequestsEnd() throws Exception {
    URI url = client.create(100);
    List<Socket> stalled = new ArrayList<>();
    try {
      HttpResponse<String> answer = client.patch(url, 0, new byte[1]);
      while (answer.statusCode() == 204 && stalled.size() < 60) {
        stalled.add(open(client.create(PART.length), PART.length));
        answer = client.patch(url, TusClient.offset(answer), new byte[1]);
      }
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      long before = newestRow();
      String[] creation = {"Upload-Length", "1", "Content-Type", "application/offset+octet-stream"};
      assertThat(client.tus("POST", client.base(), new byte[1], creation).statusCode())
          .isEqualTo(503);
      assertThat(newestRow()).isEqualTo(before);
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> client.patch(url, client.offset(url), new byte[1]).statusCode() == 204);
  }

  @Test
  void lowMemory_makesPiecesSmaller() throws Exception {
    URI url = client.create(PARTS * (long) PART.length);
    long row = newestRow();
    try (Socket socket = open(url, PARTS * (long) PART.length)) {
      for (int i = 0; i < PARTS / 2; i++) {
        socket.getOutputStream().write(PART);
      }
      // This is less than a piece of the usual size, while the request continues.
      await().atMost(Duration.ofMinutes(2)).until(() -> length(row) > 0);
      for (int i = PARTS / 2; i < PARTS; i++) {
        socket.getOutputStream().write(PART);
      }
      assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 204");
    }
    for (int i = 0; i < PARTS; i++) {
      assertThat(blobs.read(row, i * (long) PART.length, PART.length)).isEqualTo(PART);
    }
  }

  private static long length(long row) {
    return blobs.info(row).map(BlobInfo::length).orElse(0L);
  }
}
