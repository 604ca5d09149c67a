package io.pgtoaster.examples.tenants;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service responds in the same way to tenants in schemas and in databases. */
@SpringBootTest(
    classes = TenantsApplication.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = "example.postgres=target/test-postgres/${random.uuid}")
final class TenantsIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final JsonMapper JSON = JsonMapper.shared();

  @LocalServerPort private int port;
  @Autowired private JdbcClient home;

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  private HttpRequest.Builder request(String tenant, String path) {
    return request(path).header("X-Tenant", tenant);
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static JsonNode json(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(new String(response.body(), UTF_8)).isBetween(200, 201);
    return JSON.readTree(response.body());
  }

  private void add(String tenant, Tenants.Home at) throws Exception {
    for (int i = 0; i < 2; i++) {
      HttpResponse<byte[]> added =
          send(request("/tenants/" + tenant + "?in=" + at).PUT(BodyPublishers.noBody()));
      assertThat(added.statusCode()).as(new String(added.body(), UTF_8)).isEqualTo(204);
    }
  }

  private long record(String tenant, String title) throws Exception {
    return json(send(
            request(tenant, "/recordings")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"title\": \"" + title + "\"}"))))
        .get("id")
        .asLong();
  }

  private HttpResponse<byte[]> append(String tenant, String path, byte[] part) throws Exception {
    return send(
        request(tenant, path)
            .header("Content-Type", "application/octet-stream")
            .POST(BodyPublishers.ofByteArray(part)));
  }

  @ParameterizedTest
  @EnumSource
  void recordingsAndNotesOfTenants_areSeparate(Tenants.Home at) throws Exception {
    String one = "one_" + at.name().toLowerCase(Locale.ROOT);
    String two = "two_" + at.name().toLowerCase(Locale.ROOT);
    byte[] audio = new byte[100_000];
    new Random(7).nextBytes(audio);
    for (String tenant : new String[] {one, two}) {
      add(tenant, at);
      assertThat(record(tenant, "of " + tenant)).isEqualTo(1);
    }
    byte[] first = Arrays.copyOf(audio, 60_000);
    byte[] second = Arrays.copyOfRange(audio, 60_000, audio.length);

    assertThat(json(append(one, "/recordings/1/audio", first)).get("end").asLong())
        .isEqualTo(60_000);
    assertThat(append(one, "/recordings/1/audio?offset=50000", second).statusCode()).isEqualTo(409);
    assertThat(json(append(one, "/recordings/1/audio?offset=60000", second)).get("end").asLong())
        .isEqualTo(100_000);
    assertThat(
            send(request(one, "/recordings/1/notes")
                    .header("Content-Type", "application/json")
                    .method("PATCH", BodyPublishers.ofString("{\"by\": {\"name\": \"Ann\"}}")))
                .statusCode())
        .isEqualTo(204);

    assertThat(send(request(one, "/recordings/1/audio")).body()).isEqualTo(audio);
    HttpResponse<byte[]> part =
        send(request(one, "/recordings/1/audio").header("Range", "bytes=50000-69999"));
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).isEqualTo(Arrays.copyOfRange(audio, 50_000, 70_000));
    assertThat(json(send(request(one, "/recordings/1/notes?path=by.name"))).asString())
        .isEqualTo("Ann");
    assertThat(json(send(request(two, "/recordings"))).get(0).get("title").asString())
        .isEqualTo("of " + two);
    assertThat(send(request(two, "/recordings/1/audio")).statusCode()).isEqualTo(404);
    assertThat(send(request(two, "/recordings/1/notes")).statusCode()).isEqualTo(404);
    Tenants.Home other = at == Tenants.Home.SCHEMA ? Tenants.Home.DATABASE : Tenants.Home.SCHEMA;
    assertThat(
            send(request("/tenants/" + one + "?in=" + other).PUT(BodyPublishers.noBody()))
                .statusCode())
        .isEqualTo(409);
    long databases =
        home.sql("SELECT count(*) FROM pg_database WHERE datname = ?")
            .param("tenant_" + one)
            .query(Long.class)
            .single();
    assertThat(databases).isEqualTo(at == Tenants.Home.DATABASE ? 1 : 0);
  }

  @Test
  void tenantsOfBothKinds_existAfterARestart(@TempDir Path directory) {
    String postgres = "--example.postgres=" + directory.resolve("postgres");
    for (int start = 0; start < 2; start++) {
      try (ConfigurableApplicationContext context =
          SpringApplication.run(TenantsApplication.class, "--server.port=0", postgres)) {
        Tenants tenants = context.getBean(Tenants.class);
        for (Tenants.Home at : Tenants.Home.values()) {
          String name = "kept_" + at.name().toLowerCase(Locale.ROOT);
          if (start == 0) {
            assertThat(tenants.add(name, at)).isTrue();
            Tenant tenant = tenants.find(name).orElseThrow();
            tenant.sql().sql("INSERT INTO " + tenant.table() + " (title) VALUES ('x')").update();
            tenant.audio().append(1, new byte[] {1, 2, 3});
          } else {
            assertThat(tenants.find(name).orElseThrow().audio().read(1, 0, 9))
                .containsExactly(1, 2, 3);
          }
        }
      }
    }
  }

  @Test
  void requestWithoutATenant_isRefused() throws Exception {
    assertThat(send(request("/recordings")).statusCode()).isEqualTo(400);
    assertThat(send(request("nobody", "/recordings")).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "1a", "a-b", "a%22", "a.b", "a%20b"})
  void unsuitableName_isRefused(String name) throws Exception {
    assertThat(send(request("/tenants/" + name).PUT(BodyPublishers.noBody())).statusCode())
        .isBetween(400, 404);
  }

  @Test
  void malformedRequest_isRefused() throws Exception {
    add("four", Tenants.Home.SCHEMA);
    record("four", "x");
    HttpResponse<byte[]> path = send(request("four", "/recordings/1/notes?path=by%5B"));
    assertThat(path.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(path.body()).get("detail").asString()).contains("character 4");
    assertThat(append("four", "/recordings/1/audio?offset=-1", new byte[1]).statusCode())
        .isEqualTo(400);
    assertThat(
            send(request("four", "/recordings")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{}")))
                .statusCode())
        .isEqualTo(400);
    assertThat(
            send(request("four", "/recordings/1/audio")
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofByteArray(new byte[3_000_000])))
                .statusCode())
        .isEqualTo(415);
  }

  @Test
  void missingRecording_isNotFound() throws Exception {
    add("three", Tenants.Home.SCHEMA);
    assertThat(append("three", "/recordings/7/audio", new byte[9]).statusCode()).isEqualTo(404);
    assertThat(send(request("three", "/recordings/7/audio")).statusCode()).isEqualTo(404);
  }
}
