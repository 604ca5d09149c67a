package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.spring.kit.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The limits of uploads, and when they apply. */
class TusLimitsIT {
  private static final String CHECKSUM = "crc32 AAAAAA==";
  private static final byte[] PART = new byte[1000];

  @AutoClose private static ConfigurableApplicationContext application;
  private static TusClient client;
  private static BlobColumn blobs;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() throws Exception {
    TestDatabase database = TestDatabase.withFiles();
    blobs = database.toaster().blobs("file", "content");
    jdbc = JdbcClient.create(database.dataSource());
    application = TusApplication.run(database.properties("pgtoaster.tus.expire-after=8s"));
    client = new TusClient(TusApplication.port(application));
  }

  private static long uploads() {
    return jdbc.sql("SELECT count(*) FROM pgtoaster_upload").query(Long.class).single();
  }

  private static long row(URI url) {
    return jdbc.sql("SELECT CAST(row_key[1] AS bigint) FROM pgtoaster_upload WHERE id = ?")
        .param(UUID.fromString(url.getPath().substring("/tus/".length())))
        .query(Long.class)
        .single();
  }

  @Test
  void size_hasADefaultLimit() throws Exception {
    long limit = 1L << 30;
    assertThat(client.send("OPTIONS", client.base(), new byte[0], "X-Any", "1").headers())
        .satisfies(h -> assertThat(h.firstValueAsLong("Tus-Max-Size")).hasValue(limit));
    client.create(limit);
    long before = uploads();
    assertThat(
            client
                .tus("POST", client.base(), new byte[0], "Upload-Length", "" + (limit + 1))
                .statusCode())
        .isEqualTo(413);
    assertThat(uploads()).isEqualTo(before);
  }

  @Test
  void concatenation_createsNoUpload() throws Exception {
    long before = uploads();
    for (String concat : new String[] {"partial", "final;/tus/a /tus/b"}) {
      assertThat(
              client
                  .tus(
                      "POST",
                      client.base(),
                      new byte[0],
                      "Upload-Length",
                      "5",
                      "Upload-Concat",
                      concat)
                  .statusCode())
          .isEqualTo(400);
    }
    assertThat(uploads()).isEqualTo(before);
  }

  @Test
  void bodyWithChecksum_longerThanTheUpload_isRefusedBeforeItEnds() throws Exception {
    URI url = client.create(300_000); // more than fits in memory
    String head = new String(client.patchHead(url, 0, 1, CHECKSUM), StandardCharsets.US_ASCII);
    String chunked = head.replace("Content-Length: 1", "Transfer-Encoding: chunked");
    try (Socket socket = new Socket("localhost", client.base().getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(chunked.getBytes(StandardCharsets.US_ASCII));
      while (socket.getInputStream().available() == 0) {
        out.write("3e8\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write(PART);
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(firstLine(socket)).contains(" 413 ");
    }
    assertThat(blobs.length(row(url))).isZero();
  }

  @Test
  void bodyWithChecksum_whoseOffsetIsPassedMeanwhile_isRefusedBeforeItEnds() throws Exception {
    URI url = client.create(1L << 30);
    long row = row(url);
    String head =
        new String(client.patchHead(url, 0, 1L << 30, CHECKSUM), StandardCharsets.US_ASCII);
    try (Socket socket = new Socket("localhost", client.base().getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(PART);
      blobs.append(row, PART);
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> {
                out.write(1);
                return socket.getInputStream().available() > 0;
              });
      assertThat(firstLine(socket)).contains(" 409 ");
    }
    assertThat(blobs.length(row)).isEqualTo(PART.length);
  }

  private static String firstLine(Socket socket) throws IOException {
    return new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
        .readLine();
  }
}
