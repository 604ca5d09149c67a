package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.spring.kit.TestDatabase;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.server.ResponseStatusException;

/** Uploads into rows chosen by the application. */
class TusUploadsIT {
  private static final byte[] NOTHING = {};

  @AutoClose private static ConfigurableApplicationContext application;
  private static TusClient client;
  private static Recordings recordings;

  /** The client names the rows. Some uploads are rejected, and some fail at the end. */
  record Recordings(BlobColumn column, JdbcClient jdbc, List<String> events) implements TusUploads {
    @Override
    public Object create(TusUpload upload) {
      assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
      String name = upload.metadata().get("name");
      if (name == null) {
        throw new Refused();
      }
      jdbc.sql("INSERT INTO recording (device, name) VALUES ('d', ?)").param(name).update();
      return List.of("d", name);
    }

    @Override
    public boolean permits(TusUpload upload, @Nullable Principal caller) {
      return !upload.metadata().containsKey("secret")
          && !events.contains("forbidden " + upload.row().values());
    }

    @Override
    public void finished(TusUpload upload) {
      assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
      events.add("finished " + upload.row().values());
      if (upload.metadata().containsKey("failing") && events.size() < 3) {
        throw new IllegalStateException("not yet");
      }
      column.seal(upload.row());
    }

    @Override
    public void terminated(TusUpload upload) {
      TusUploads.super.terminated(upload);
      events.add("terminated " + upload.row().values());
    }
  }

  private static final class Refused extends ResponseStatusException {
    private static final long serialVersionUID = 1;

    Refused() {
      super(HttpStatus.UNPROCESSABLE_CONTENT, "a name is required");
    }

    @Override
    public HttpHeaders getHeaders() {
      HttpHeaders headers = new HttpHeaders();
      headers.set("Retry-After", "never");
      return headers;
    }
  }

  @EnableAutoConfiguration
  static class Application {
    @Bean
    CorsFilter corsFilter() {
      CorsConfiguration cors = new CorsConfiguration();
      cors.setAllowedOrigins(List.of("https://example.org"));
      cors.setAllowedMethods(List.of("POST", "HEAD", "PATCH", "DELETE"));
      cors.setAllowedHeaders(List.of("*"));
      cors.setExposedHeaders(
          List.of(
              "Location",
              "Tus-Resumable",
              "Tus-Version",
              "Tus-Extension",
              "Tus-Max-Size",
              "Tus-Checksum-Algorithm",
              "Upload-Offset",
              "Upload-Length",
              "Upload-Defer-Length",
              "Upload-Metadata",
              "Upload-Expires"));
      UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
      source.registerCorsConfiguration("/tus/**", cors);
      return new CorsFilter(source);
    }

    @Bean
    Recordings recordings(PgToaster toaster, JdbcClient jdbc) {
      return new Recordings(
          toaster.blobs("recording", "audio"),
          jdbc,
          Collections.synchronizedList(new ArrayList<>()));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute("CREATE TABLE recording (device text, name text, PRIMARY KEY (device, name))");
    database.toaster().catalog().attach("recording", "audio", BlobOptions.defaults());
    application = TusApplication.run(Application.class, database.properties());
    client = new TusClient(TusApplication.port(application));
    recordings = application.getBean(Recordings.class);
  }

  @Test
  void finishedCallback_isCalledOnce_andRetriedOnFailure() throws Exception {
    recordings.events().clear();
    URI url = client.create(3, "Upload-Metadata", "name Zg==,failing");
    assertThat(client.patch(url, 0, new byte[3]).statusCode()).isEqualTo(500);
    assertThat(recordings.column().info(List.of("d", "f")).orElseThrow().sealed()).isFalse();
    assertThat(client.head(url).statusCode()).isEqualTo(500);
    assertThat(client.offset(url)).isEqualTo(3);
    assertThat(client.offset(url)).isEqualTo(3);
    assertThat(client.patch(url, 3, NOTHING).statusCode()).isEqualTo(204);
    assertThat(recordings.events()).hasSize(3).containsOnly("finished [d, f]");
    assertThat(recordings.column().info(List.of("d", "f")).orElseThrow().sealed()).isTrue();
  }

  @Test
  void refusedCreation_leavesNothing() throws Exception {
    HttpResponse<String> refused = client.tus("POST", client.base(), NOTHING, "Upload-Length", "3");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("never");
    client.create(3, "Upload-Metadata", "name ZG91Ymxl");
    assertThat(
            client
                .tus(
                    "POST",
                    client.base(),
                    NOTHING,
                    "Upload-Length",
                    "3",
                    "Upload-Metadata",
                    "name ZG91Ymxl")
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void uploadOfAnother_isForbidden() throws Exception {
    URI url = client.create(3, "Upload-Metadata", "name cw==,secret");
    assertThat(client.head(url).statusCode()).isEqualTo(403);
    assertThat(client.patch(url, 0, new byte[3]).statusCode()).isEqualTo(403);
    assertThat(client.tus("DELETE", url, NOTHING).statusCode()).isEqualTo(403);
  }

  /**
   * Sends part of a body and waits until the server processes the request, which postpones the
   * approaching expiry.
   */
  private static void begin(URI url, Socket socket, byte[] body, int count) throws Exception {
    recordings
        .jdbc()
        .sql("UPDATE pgtoaster_upload SET expires_at = now() + interval '1 h'")
        .update();
    String before = end(url);
    socket.getOutputStream().write(client.patchHead(url, 0, body.length, null));
    socket.getOutputStream().write(body, 0, count);
    await().atMost(Duration.ofMinutes(2)).until(() -> !end(url).equals(before));
  }

  private static String end(URI url) {
    String path = url.getPath();
    return recordings
        .jdbc()
        .sql("SELECT CAST(expires_at AS text) FROM pgtoaster_upload WHERE id = CAST(? AS uuid)")
        .param(path.substring(path.lastIndexOf('/') + 1))
        .query(String.class)
        .single();
  }

  @Test
  void unauthorizedUser_cannotOvertake() throws Exception {
    byte[] body = new byte[6];
    URI url = client.create(body.length, "Upload-Metadata", "name bm8=");
    try (Socket socket = new Socket("localhost", client.base().getPort())) {
      begin(url, socket, body, 3);
      recordings.events().add("forbidden [d, no]");
      assertThat(client.head(url).statusCode()).isEqualTo(403);
      assertThat(client.patch(url, 0, body).statusCode()).isEqualTo(403);
      socket.getOutputStream().write(body, 3, 3);
      byte[] status = socket.getInputStream().readNBytes(12);
      assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 204");
    }
  }

  @Test
  void emptyUploadWithItsBody_isCompleteImmediately() throws Exception {
    HttpResponse<String> created =
        client.tus(
            "POST",
            client.base(),
            NOTHING,
            "Upload-Length",
            "0",
            "Content-Type",
            "application/offset+octet-stream",
            "Upload-Metadata",
            "name ZW1wdHk=");
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    assertThat(client.offset(client.location(created))).isZero();
    assertThat(recordings.events()).containsOnlyOnce("finished [d, empty]");
  }

  @Test
  void termination_deletesContentAndKeepsTheRow() throws Exception {
    URI url = client.create(3, "Upload-Metadata", "name dA==");
    client.patch(url, 0, new byte[2]);
    assertThat(client.tus("DELETE", url, NOTHING).statusCode()).isEqualTo(204);
    assertThat(recordings.column().info(List.of("d", "t"))).isEmpty();
    assertThat(recordings.events()).contains("terminated [d, t]");
  }

  @Test
  void terminationWithoutARow_succeeds() throws Exception {
    URI url = client.create(3, "Upload-Metadata", "name dw==");
    recordings.jdbc().sql("DELETE FROM recording WHERE name = 'w'").update();
    assertThat(client.tus("DELETE", url, NOTHING).statusCode()).isEqualTo(204);
    assertThat(client.head(url).statusCode()).isEqualTo(404);
  }

  @Test
  void terminationDuringAPatch_leavesNoContent() throws Exception {
    URI url = client.create(6, "Upload-Metadata", "name eA==");
    try (Socket socket = new Socket("localhost", client.base().getPort())) {
      socket.getOutputStream().write(client.patchHead(url, 0, 6, null));
      socket.getOutputStream().write(new byte[3]);
      assertThat(client.tus("DELETE", url, NOTHING).statusCode()).isEqualTo(204);
      socket.getOutputStream().write(new byte[3]);
      byte[] status = socket.getInputStream().readNBytes(12);
      assertThat(new String(status, StandardCharsets.US_ASCII))
          .isIn("HTTP/1.1 410", "HTTP/1.1 404");
    }
    assertThat(recordings.column().info(List.of("d", "x"))).isEmpty();
  }

  @Test
  void otherOrigins_canBeAllowedByAFilter() throws Exception {
    HttpResponse<String> asked =
        client.send(
            "OPTIONS",
            URI.create(client.base() + "/" + UUID.randomUUID()),
            NOTHING,
            "Origin",
            "https://example.org",
            "Access-Control-Request-Method",
            "PATCH",
            "Access-Control-Request-Headers",
            "tus-resumable,upload-offset,content-type");
    assertThat(asked.statusCode()).isEqualTo(200);
    assertThat(asked.headers().firstValue("Access-Control-Allow-Methods").orElse(""))
        .contains("PATCH");
    HttpResponse<String> created =
        client.tus(
            "POST",
            client.base(),
            NOTHING,
            "Origin",
            "https://example.org",
            "Upload-Length",
            "1",
            "Upload-Metadata",
            "name Y29ycw==");
    assertThat(created.headers().firstValue("Access-Control-Expose-Headers").orElse(""))
        .contains("Location", "Upload-Offset");
  }

  @Test
  void uploadSealedMeanwhile_isForbidden() throws Exception {
    URI url = client.create(3, "Upload-Metadata", "name bw==");
    client.patch(url, 0, new byte[1]);
    recordings.column().seal(List.of("d", "o"));
    assertThat(client.patch(url, 1, new byte[1]).statusCode()).isEqualTo(403);
  }

  @Test
  void onlyOneOfManyAtTheSameOffset_isAppended() throws Exception {
    for (int round = 0; round < 5; round++) {
      String name =
          Base64.getEncoder().encodeToString(("r" + round).getBytes(StandardCharsets.UTF_8));
      URI url = client.create(100_000, "Upload-Metadata", "name " + name);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Callable<Integer>> patches = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
          byte[] body = new byte[10_000 * i];
          patches.add(() -> client.patch(url, 0, body).statusCode());
        }
        List<Integer> codes = new ArrayList<>();
        for (Future<Integer> patch : threads.invokeAll(patches)) {
          codes.add(patch.get());
        }
        assertThat(codes).containsOnly(204, 409);
        assertThat(codes.stream().filter(c -> c == 204)).hasSize(1);
        assertThat(client.offset(url)).isEqualTo(10_000L * (codes.indexOf(204) + 1));
      } finally {
        threads.shutdown();
      }
    }
  }

  @Test
  void truncatedBody_isStored() throws Exception {
    URI url = client.create(100_000, "Upload-Metadata", "name Yw==");
    try (Socket socket = new Socket("localhost", client.base().getPort())) {
      socket.getOutputStream().write(client.patchHead(url, 0, 100_000, null));
      socket.getOutputStream().write("abc".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(client.offset(url)).isEqualTo(3));
    assertThat(recordings.column().read(List.of("d", "c"), 0, 10))
        .isEqualTo("abc".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void stalledBody_isOvertaken() throws Exception {
    byte[] body = "abcdef".getBytes(StandardCharsets.US_ASCII);
    URI url = client.create(body.length, "Upload-Metadata", "name eQ==");
    try (Socket old = new Socket("localhost", client.base().getPort());
        Socket next = new Socket("localhost", client.base().getPort())) {
      begin(url, old, body, 3);
      assertThat(client.offset(url)).isZero();
      begin(url, next, body, 1);
      old.shutdownOutput();
      old.getInputStream().readNBytes(12);
      next.getOutputStream().write(body, 1, 5);
      byte[] status = next.getInputStream().readNBytes(12);
      assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 204");
    }
    assertThat(recordings.column().read(List.of("d", "y"), 0, 10)).isEqualTo(body);
  }

  @Test
  void keyOfAnUploadWithoutARow_throws() {
    TusUpload wanted = new TusUpload(new UUID(1, 1), null, 1L, Map.of(), null, false);
    assertThatThrownBy(wanted::row).isInstanceOf(IllegalStateException.class);
  }
}
