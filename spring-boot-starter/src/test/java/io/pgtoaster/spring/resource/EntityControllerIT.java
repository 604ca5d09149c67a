package io.pgtoaster.spring.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.spring.kit.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/**
 * Controllers that load entities and read their content, or save a client's input, on a pool of one
 * connection. Spring Boot's open session in view also keeps that connection.
 */
class EntityControllerIT {
  private static final byte[] CONTENT = new byte[3_000_000];
  private static final byte[] LARGE = new byte[16_000_000];

  private static TestDatabase database;
  @AutoClose private static ConfigurableApplicationContext application;
  private static URI base;

  @EnableAutoConfiguration
  @EnableJpaRepositories(considerNestedRepositories = true)
  @RestController
  static class Application {
    private final Recording.Repository recordings;
    private final BlobResources blobs;
    private final PgToaster toaster;
    private final EntityManager entities;

    Application(
        Recording.Repository recordings,
        BlobResources blobs,
        PgToaster toaster,
        EntityManager entities) {
      this.recordings = recordings;
      this.blobs = blobs;
      this.toaster = toaster;
      this.entities = entities;
    }

    @GetMapping("/download/{id}")
    ResponseEntity<Resource> download(@PathVariable("id") long id, HttpServletRequest request)
        throws IOException {
      Recording found = recordings.findById(id).orElseThrow();
      return BlobResponse.of(blobs.get("recording", "audio", found.id), request);
    }

    @PutMapping("/recordings")
    void save(@RequestBody Recording recording) {
      recordings.save(recording);
    }

    @GetMapping("/notes/{id}")
    JsonNode notes(@PathVariable("id") long id, @RequestParam("path") String path) {
      return toaster.documents("recording", "notes").at(id, path).get().orElseThrow();
    }

    @PutMapping("/notes/{id}")
    int replace(@PathVariable("id") long id, @RequestBody Map<String, Object> notes) {
      return recordings.replaceNotes(id, KeyedJson.of(notes));
    }

    @PutMapping("/notes/{id}/{key}")
    int set(
        @PathVariable("id") long id, @PathVariable("key") String key, @RequestBody String value) {
      return recordings.setNote(id, key, value);
    }

    @GetMapping("/lengths")
    String lengths() {
      try (Stream<Recording> all =
          entities
              .createQuery("from Recording where id < 3 order by id", Recording.class)
              .getResultStream()) {
        return all.map(each -> toaster.blobs("recording", "audio").length(each.id))
            .toList()
            .toString();
      }
    }
  }

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.create();
    application =
        new SpringApplicationBuilder(Application.class)
            .properties(
                database.properties(
                    "spring.jpa.hibernate.ddl-auto=create",
                    "spring.datasource.hikari.maximum-pool-size=1",
                    "spring.datasource.hikari.connection-timeout=5000"))
            .run();
    base =
        URI.create(
            "http://localhost:" + application.getEnvironment().getProperty("local.server.port"));
    Random random = new Random(5);
    random.nextBytes(CONTENT);
    random.nextBytes(LARGE);
    save(1, CONTENT, Map.of("secret", "s".repeat(20_000)));
    save(2, LARGE, Map.of());
  }

  private static void save(long id, byte[] content, Map<String, Object> notes) {
    Recording recording = new Recording();
    recording.id = id;
    recording.audio = AppendableBlob.of(content);
    recording.notes = KeyedJson.of(notes);
    application.getBean(Recording.Repository.class).save(recording);
  }

  @Test
  void downloads_doNotWaitForEachOther() {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(base.resolve("/download/1")).build();
    List<CompletableFuture<HttpResponse<byte[]>>> downloads =
        Stream.generate(() -> client.sendAsync(request, BodyHandlers.ofByteArray()))
            .limit(4)
            .toList();
    assertThat(downloads)
        .allSatisfy(
            download -> {
              assertThat(download.join().statusCode()).isEqualTo(200);
              assertThat(download.join().body()).isEqualTo(CONTENT);
            });
  }

  @Test
  void clientThatDoesNotRead_blocksNoConnection() throws Exception {
    try (Socket slow = new Socket()) {
      slow.setReceiveBufferSize(4096);
      slow.connect(new InetSocketAddress(base.getHost(), base.getPort()));
      slow.getOutputStream()
          .write("GET /download/2 HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(slow.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
      HttpResponse<byte[]> other =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(base.resolve("/download/1")).build(),
                  BodyHandlers.ofByteArray());
      assertThat(other.body()).isEqualTo(CONTENT);
    }
  }

  @Test
  void callDuringAQuery_usesItsConnection() throws Exception {
    HttpResponse<String> lengths =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(base.resolve("/lengths")).build(), BodyHandlers.ofString());
    assertThat(lengths.body()).isEqualTo("[3000000, 16000000]");
  }

  private static HttpResponse<String> put(String recording) throws Exception {
    return put("/recordings", recording);
  }

  private static HttpResponse<String> put(String path, String json) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(json))
                .build(),
            BodyHandlers.ofString());
  }

  private static HttpResponse<String> notes(long id, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(base.resolve("/notes/" + id + "?path=" + path)).build(),
            BodyHandlers.ofString());
  }

  @Test
  void handleSentByAClient_isRefused() throws Exception {
    String handle = database.value("SELECT audio FROM recording WHERE id = 1");
    assertThat(put("{\"id\": 3, \"audio\": " + handle + "}").statusCode()).isEqualTo(400);
    assertThat(database.value("SELECT count(*) FROM recording WHERE id = 3")).isEqualTo("0");
  }

  @Test
  void stubSentByAClient_isAnOrdinaryDocument() throws Exception {
    String stub = database.value("SELECT notes FROM recording WHERE id = 1");
    assertThat(stub).contains("$pgtoaster").doesNotContain("sss");
    assertThat(put("{\"id\": 4, \"notes\": " + stub + "}").statusCode()).isEqualTo(200);
    assertThat(notes(4, "").body()).contains("$pgtoaster").doesNotContain("sss");
    assertThat(notes(4, "secret").body()).doesNotContain("sss");
    database.run("DELETE FROM recording WHERE id = 4");
    assertThat(notes(1, "secret").body()).contains("sss");
  }

  @Test
  void malformedPathSentByAClient_is400_withoutTableNames() throws Exception {
    HttpResponse<String> answer = notes(1, "a%5B");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("the path cannot be read").doesNotContain("recording");
  }

  @Test
  void reservedRootKeySentByAClient_inAQuery_is400() throws Exception {
    HttpResponse<String> answer = put("/notes/2", "{\"$pgtoaster\": [5], \"a\": 1}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("JSON that cannot be stored").doesNotContain("recording");
    assertThat(put("/notes/2", "{\"a\": {\"$pgtoaster\": [5]}}").statusCode()).isEqualTo(200);
    assertThat(notes(2, "a").body()).isEqualTo("{\"$pgtoaster\":[5]}");
    assertThat(put("/notes/2/$pgtoaster", "1").statusCode()).isEqualTo(400);
    assertThat(put("/notes/2/$$pgtoaster", "1").statusCode()).isEqualTo(200);
  }
}
