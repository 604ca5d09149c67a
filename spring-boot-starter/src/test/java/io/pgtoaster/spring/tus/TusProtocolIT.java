package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.spring.kit.TestDatabase;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The protocol from the client's point of view. */
class TusProtocolIT {
  private static final byte[] NOTHING = {};
  private static final long MAX_SIZE = 100 << 20;

  @AutoClose private static ConfigurableApplicationContext application;
  private static TusClient client;
  private static BlobColumn blobs;
  private static JdbcClient jdbc;

  private final byte[] content = new byte[700_000];

  @BeforeAll
  static void start() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute(
        "CREATE TABLE file (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text,"
            + " expected_size int)");
    database.toaster().catalog().attach("file", "content", BlobOptions.defaults());
    blobs = database.toaster().blobs("file", "content");
    jdbc = JdbcClient.create(database.dataSource());
    application =
        TusApplication.run(
            database.properties(
                "pgtoaster.tus.metadata.filename=name",
                "pgtoaster.tus.metadata.size=expected_size",
                "pgtoaster.tus.max-size=100MB",
                "pgtoaster.tus.commit-every=64KB",
                "pgtoaster.tus.expire-after=" + untilTheFifth()));
    client = new TusClient(TusApplication.port(application));
  }

  /** Makes expiry dates have a one-digit day. */
  private static Duration untilTheFifth() {
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    return Duration.between(now, now.plusMonths(1).withDayOfMonth(5));
  }

  @BeforeEach
  void fill() {
    new Random(Long.getLong("pgtoaster.test.seed", 7)).nextBytes(content);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String checksum(String name, String algorithm, byte[] body) throws Exception {
    return name
        + " "
        + Base64.getEncoder().encodeToString(MessageDigest.getInstance(algorithm).digest(body));
  }

  private static Object row(URI url) {
    return jdbc.sql("SELECT row_key[1] FROM pgtoaster_upload WHERE id = ?")
        .param(id(url))
        .query(String.class)
        .single();
  }

  private static UUID id(URI url) {
    return UUID.fromString(url.getPath().substring(url.getPath().lastIndexOf('/') + 1));
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse(null);
  }

  @Test
  void options_listsTheExtensions() throws Exception {
    HttpResponse<String> options = client.send("OPTIONS", client.base(), NOTHING, "X-Any", "1");
    assertThat(options.statusCode()).isEqualTo(204);
    assertThat(header(options, "Tus-Resumable")).isEqualTo("1.0.0");
    assertThat(header(options, "Tus-Version")).isEqualTo("1.0.0");
    assertThat(header(options, "Tus-Max-Size")).isEqualTo("" + MAX_SIZE);
    assertThat(header(options, "Tus-Extension").split(","))
        .contains(
            "creation",
            "creation-defer-length",
            "creation-with-upload",
            "checksum",
            "termination",
            "expiration");
    assertThat(header(options, "Tus-Checksum-Algorithm").split(","))
        .contains("sha1", "md5", "sha256", "crc32", "crc32c");
    assertThat(client.send("OPTIONS", client.create(1), NOTHING, "X-Any", "1").statusCode())
        .isEqualTo(204);
  }

  @Test
  void uploadInParts_arrivesInTheRow() throws Exception {
    String metadata = "filename " + base64("Übung.wav") + ",size " + base64("17") + ",flag";
    URI url = client.create(content.length, "Upload-Metadata", metadata);
    HttpResponse<String> head = client.head(url);
    assertThat(TusClient.offset(head)).isZero();
    assertThat(header(head, "Upload-Length")).isEqualTo("" + content.length);
    assertThat(header(head, "Upload-Metadata")).isEqualTo(metadata);
    assertThat(header(head, "Cache-Control")).contains("no-store");
    byte[] first = Arrays.copyOf(content, 300_000);
    HttpResponse<String> patched = client.patch(url, 0, first);
    assertThat(patched.statusCode()).isEqualTo(204);
    assertThat(TusClient.offset(patched)).isEqualTo(300_000);
    assertThat(header(patched, "Upload-Expires")).matches("\\w{3}, 05 \\w{3} \\d{4} [\\d:]{8} GMT");
    assertThat(client.offset(url)).isEqualTo(300_000);
    byte[] second = Arrays.copyOfRange(content, 300_000, content.length);
    assertThat(client.patch(url, 300_000, second).statusCode()).isEqualTo(204);
    assertThat(client.offset(url)).isEqualTo(content.length);
    HttpResponse<String> nothing = client.patch(url, content.length, NOTHING);
    assertThat(nothing.statusCode()).isEqualTo(204);
    assertThat(header(nothing, "Upload-Expires")).isNotNull();
    assertThat(blobs.read(row(url), 0, content.length)).isEqualTo(content);
    assertThat(
            jdbc.sql("SELECT name || expected_size FROM file WHERE id = CAST(? AS bigint)")
                .param(row(url))
                .query(String.class)
                .single())
        .isEqualTo("Übung.wav17");
  }

  @Test
  void emptyMetadataOfANumericColumn_isNull() throws Exception {
    for (String empty : new String[] {"size", "size "}) {
      URI url = client.create(5, "Upload-Metadata", "filename " + base64("a") + "," + empty);
      assertThat(
              jdbc.sql(
                      "SELECT name || coalesce(expected_size, -1) FROM file"
                          + " WHERE id = CAST(? AS bigint)")
                  .param(row(url))
                  .query(String.class)
                  .single())
          .isEqualTo("a-1");
    }
  }

  @Test
  void wrongOffset_isAConflict() throws Exception {
    URI url = client.create(content.length);
    assertThat(client.patch(url, 10, new byte[5]).statusCode()).isEqualTo(409);
    assertThat(client.patch(url, 0, new byte[5]).statusCode()).isEqualTo(204);
    assertThat(client.patch(url, 0, new byte[5]).statusCode()).isEqualTo(409);
    assertThat(client.offset(url)).isEqualTo(5);
  }

  @Test
  void wrongContentType_isRefused() throws Exception {
    URI url = client.create(5);
    HttpResponse<String> refused =
        client.tus(
            "PATCH", url, new byte[5], "Upload-Offset", "0", "Content-Type", "application/json");
    assertThat(refused.statusCode()).isEqualTo(415);
    assertThat(client.offset(url)).isZero();
  }

  @Test
  void missingUpload_isNotFound() throws Exception {
    for (String id : new String[] {UUID.randomUUID().toString(), "nonsense", "..%2Ffile"}) {
      URI url = URI.create(client.base() + "/" + id);
      assertThat(client.head(url).statusCode()).isIn(404, 400);
      assertThat(client.patch(url, 0, new byte[1]).statusCode()).isIn(404, 400);
      assertThat(client.tus("DELETE", url, NOTHING).statusCode()).isIn(404, 400);
    }
  }

  @Test
  void otherVersion_isRefused() throws Exception {
    URI url = client.create(5);
    HttpResponse<String> refused = client.send("HEAD", url, NOTHING, "Tus-Resumable", "0.2.2");
    assertThat(refused.statusCode()).isEqualTo(412);
    assertThat(header(refused, "Tus-Version")).isEqualTo("1.0.0");
    assertThat(client.send("POST", client.base(), NOTHING, "Upload-Length", "5").statusCode())
        .isEqualTo(412);
  }

  @Test
  void tooLarge_isRefused() throws Exception {
    assertThat(
            client
                .tus("POST", client.base(), NOTHING, "Upload-Length", "" + (MAX_SIZE + 1))
                .statusCode())
        .isEqualTo(413);
    URI url = client.create(5);
    assertThat(client.patch(url, 0, new byte[6]).statusCode()).isEqualTo(413);
    assertThat(client.offset(url)).isZero();
  }

  @Test
  void badHeaders_areRefused() throws Exception {
    URI url = client.create(5);
    String type = "application/offset+octet-stream";
    assertThat(client.tus("PATCH", url, new byte[5], "Content-Type", type).statusCode())
        .isEqualTo(400);
    for (String offset : new String[] {"-1", "+0", "x", "", "99999999999999999999"}) {
      assertThat(
              client
                  .tus("PATCH", url, new byte[5], "Content-Type", type, "Upload-Offset", offset)
                  .statusCode())
          .isEqualTo(400);
    }
    for (String metadata : new String[] {"name %%%", "a,a", ",", "filename AA==,size AA=="}) {
      assertThat(
              client
                  .tus(
                      "POST",
                      client.base(),
                      NOTHING,
                      "Upload-Length",
                      "5",
                      "Upload-Metadata",
                      metadata)
                  .statusCode())
          .as(metadata)
          .isEqualTo(400);
    }
    assertThat(client.tus("POST", client.base(), NOTHING).statusCode()).isEqualTo(400);
    assertThat(
            client
                .tus(
                    "POST",
                    client.base(),
                    NOTHING,
                    "Upload-Length",
                    "5",
                    "Upload-Defer-Length",
                    "1")
                .statusCode())
        .isEqualTo(400);
    assertThat(client.tus("PUT", url, NOTHING).statusCode()).isEqualTo(405);
    assertThat(client.tus("GET", client.base(), NOTHING).statusCode()).isEqualTo(405);
  }

  @Test
  void checksumThatMatches_isAppended() throws Exception {
    CRC32 crc = new CRC32();
    crc.update(content);
    String crc32 =
        "crc32 "
            + Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    for (String checksum :
        new String[] {
          checksum("sha1", "SHA-1", content),
          checksum("md5", "MD5", content),
          checksum("sha256", "SHA-256", content),
          crc32
        }) {
      URI url = client.create(content.length);
      HttpResponse<String> patched = client.patch(url, 0, content, "Upload-Checksum", checksum);
      assertThat(patched.statusCode()).as(patched.body()).isEqualTo(204);
      assertThat(blobs.read(row(url), 0, content.length)).isEqualTo(content);
    }
  }

  @Test
  void checksumThatDoesNotMatch_keepsNothing() throws Exception {
    URI url = client.create(content.length);
    for (int length : new int[] {10, 700_000}) {
      byte[] body = Arrays.copyOf(content, length);
      String other = checksum("sha1", "SHA-1", new byte[1]);
      assertThat(client.patch(url, 0, body, "Upload-Checksum", other).statusCode()).isEqualTo(460);
      assertThat(client.offset(url)).isZero();
    }
    for (String bad : new String[] {"sha3 AAAA", "sha1", "sha1 %%"}) {
      assertThat(client.patch(url, 0, content, "Upload-Checksum", bad).statusCode()).isEqualTo(400);
    }
    String right = checksum("sha1", "SHA-1", content);
    assertThat(client.patch(url, 9, content, "Upload-Checksum", right).statusCode()).isEqualTo(409);
    assertThat(client.patch(url, 0, content, "Upload-Checksum", right).statusCode()).isEqualTo(204);
  }

  @Test
  void termination_removesRowAndUpload() throws Exception {
    URI url = client.create(content.length);
    client.patch(url, 0, new byte[5]);
    Object row = row(url);
    assertThat(client.tus("DELETE", url, NOTHING).statusCode()).isEqualTo(204);
    assertThat(client.head(url).statusCode()).isEqualTo(404);
    assertThat(client.tus("DELETE", url, NOTHING).statusCode()).isEqualTo(404);
    assertThat(
            jdbc.sql("SELECT count(*) FROM file WHERE id = CAST(? AS bigint)")
                .param(row)
                .query(Long.class)
                .single())
        .isZero();
  }

  @Test
  void methodOverride_replacesTheMethod() throws Exception {
    URI url = client.create(5);
    HttpResponse<String> patched =
        client.tus(
            "POST",
            url,
            new byte[5],
            "X-HTTP-Method-Override",
            "PATCH",
            "Upload-Offset",
            "0",
            "Content-Type",
            "application/offset+octet-stream");
    assertThat(patched.statusCode()).isEqualTo(204);
    assertThat(client.offset(url)).isEqualTo(5);
    assertThat(client.tus("POST", url, NOTHING).statusCode()).isEqualTo(405);
    assertThat(client.tus("POST", url, NOTHING, "X-HTTP-Method-Override", "DELETE").statusCode())
        .isEqualTo(204);
  }

  @Test
  void creationWithUpload_appends() throws Exception {
    HttpResponse<String> created =
        client.tus(
            "POST",
            client.base(),
            content,
            "Upload-Length",
            "" + content.length,
            "Content-Type",
            "application/offset+octet-stream");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(TusClient.offset(created)).isEqualTo(content.length);
    assertThat(client.offset(client.location(created))).isEqualTo(content.length);
  }

  @Test
  void deferredLength_canBeSetLater() throws Exception {
    HttpResponse<String> created =
        client.tus("POST", client.base(), NOTHING, "Upload-Defer-Length", "1");
    assertThat(created.statusCode()).isEqualTo(201);
    URI url = client.location(created);
    assertThat(client.patch(url, 0, new byte[5]).statusCode()).isEqualTo(204);
    HttpResponse<String> head = client.head(url);
    assertThat(header(head, "Upload-Defer-Length")).isEqualTo("1");
    assertThat(header(head, "Upload-Length")).isNull();
    assertThat(client.patch(url, 5, new byte[5], "Upload-Length", "3").statusCode()).isEqualTo(400);
    assertThat(client.patch(url, 5, new byte[5], "Upload-Length", "10").statusCode())
        .isEqualTo(204);
    assertThat(header(client.head(url), "Upload-Length")).isEqualTo("10");
    assertThat(client.patch(url, 10, NOTHING, "Upload-Length", "11").statusCode()).isEqualTo(400);
  }

  @Test
  void emptyUpload_isCompleteImmediately() throws Exception {
    URI url = client.create(0);
    assertThat(client.offset(url)).isZero();
    assertThat(blobs.info(row(url))).isPresent();
    assertThat(finished(url)).isTrue();
  }

  private static boolean finished(URI url) {
    return jdbc.sql("SELECT finished_at IS NOT NULL FROM pgtoaster_upload WHERE id = ?")
        .param(id(url))
        .query(Boolean.class)
        .single();
  }

  @Test
  void deferredLengthOfARefusedPatch_isNotStored() throws Exception {
    for (String bad : new String[] {"2", "0", ""}) {
      HttpResponse<String> refused =
          client.tus(
              "POST", client.base(), NOTHING, "Upload-Length", "5", "Upload-Defer-Length", bad);
      assertThat(refused.statusCode()).as(bad).isEqualTo(400);
    }
    URI url =
        client.location(client.tus("POST", client.base(), NOTHING, "Upload-Defer-Length", "1"));
    assertThat(client.patch(url, 3, new byte[5], "Upload-Length", "8").statusCode()).isEqualTo(409);
    assertThat(header(client.head(url), "Upload-Length")).isNull();
    assertThat(client.patch(url, 0, new byte[5], "Upload-Length", "7").statusCode()).isEqualTo(204);
    assertThat(header(client.head(url), "Upload-Length")).isEqualTo("7");
  }

  @Test
  void bodyLongerThanTheNewUpload_createsNothing() throws Exception {
    long before = uploads();
    HttpResponse<String> refused =
        client.tus(
            "POST",
            client.base(),
            new byte[6],
            "Upload-Length",
            "5",
            "Content-Type",
            "application/offset+octet-stream");
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(uploads()).isEqualTo(before);
  }

  private static long uploads() {
    return jdbc.sql("SELECT count(*) FROM pgtoaster_upload").query(Long.class).single();
  }

  @Test
  void truncatedBodyWithChecksum_isNotStored() throws Exception {
    URI url = client.create(content.length);
    String right = checksum("sha1", "SHA-1", content);
    try (Socket socket = new Socket("localhost", client.base().getPort())) {
      socket.getOutputStream().write(client.patchHead(url, 0, content.length, right));
      socket.getOutputStream().write(content, 0, 500_000);
    }
    assertThat(client.offset(url)).isZero();
    assertThat(client.patch(url, 0, content, "Upload-Checksum", right).statusCode()).isEqualTo(204);
  }

  @Test
  void deletedRow_is410() throws Exception {
    URI url = client.create(5);
    jdbc.sql("DELETE FROM file WHERE id = CAST(? AS bigint)").param(row(url)).update();
    assertThat(client.head(url).statusCode()).isEqualTo(410);
    assertThat(client.patch(url, 0, new byte[5]).statusCode()).isEqualTo(410);
  }

  @Test
  void expiredUpload_is410_andRemoved() throws Exception {
    URI unfinished = client.create(5);
    URI finished = client.create(5);
    client.patch(finished, 0, new byte[5]);
    Object row = row(unfinished);
    Object kept = row(finished);
    jdbc.sql("UPDATE pgtoaster_upload SET expires_at = now() - interval '1 s' WHERE id IN (?, ?)")
        .params(id(unfinished), id(finished))
        .update();
    assertThat(client.head(unfinished).statusCode()).isEqualTo(410);
    assertThat(client.patch(unfinished, 0, new byte[5]).statusCode()).isEqualTo(410);
    client.create(1);
    assertThat(client.head(unfinished).statusCode()).isEqualTo(404);
    assertThat(client.head(finished).statusCode()).isEqualTo(404);
    assertThat(
            jdbc.sql("SELECT array_agg(id) FROM file WHERE CAST(id AS text) IN (?, ?)")
                .params(row, kept)
                .query(String.class)
                .single())
        .isEqualTo("{" + kept + "}");
  }
}
