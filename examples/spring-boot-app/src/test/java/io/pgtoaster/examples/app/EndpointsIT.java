package io.pgtoaster.examples.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The requests of the page. */
@ExampleTest
final class EndpointsIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final JsonMapper JSON = JsonMapper.shared();

  @LocalServerPort private int port;

  @Test
  void branch_ofAnArray_isReadInPages() throws Exception {
    JsonNode first = get("/api/film/branch?path=/cast");
    JsonNode second = get("/api/film/branch?path=/cast&next=" + first.get("next").asString());

    assertThat(first.get("size").asInt()).isEqualTo(10_000);
    assertThat(first.get("entries")).hasSize(20);
    assertThat(second.get("entries").get(0).get("step").asString()).isEqualTo("20");
    assertThat(first.at("/cost/pgtoaster/pages").asInt())
        .isLessThan(first.at("/cost/plain/pages").asInt());
  }

  @Test
  void branch_ofAnObject_isReadInPagesToItsEnd() throws Exception {
    JsonNode first = get("/api/film/branch?path=/crew");
    JsonNode last =
        get("/api/film/branch?path=/crew&next=" + first.get("next").asString().replace(" ", "%20"));

    assertThat(first.get("entries")).hasSize(20);
    assertThat(last.get("entries")).hasSize(2);
    assertThat(last.get("next").isNull()).isTrue();
  }

  @Test
  void search_findsFilms_whereverTheWordsOccur() throws Exception {
    JsonNode found = get("/api/film/search?words=%22Wanjiru%20Quispe%22");

    assertThat(found.get("hits")).isNotEmpty().hasSizeLessThan(20);
    assertThat(found.at("/hits/0/title").asString()).startsWith("The ");
    assertThat(found.at("/hits/0/snippet").asString()).isEqualTo("<b>Wanjiru</b> <b>Quispe</b>");
    assertThat(found.at("/cost/pgtoaster/pages").asInt())
        .isLessThan(found.at("/cost/plain/pages").asInt());
    JsonNode many = get("/api/film/search?words=harbour");
    assertThat(many.get("hits")).hasSize(20);
    assertThat(many.at("/hits/19/snippet").asString()).contains("<b>harbour</b>");
    assertThat(get("/api/film/search?words=nowhere").get("hits")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "the", "-harbour"})
  void searchWithoutAWord_is400(String words) throws Exception {
    assertThat(send("GET", "/api/film/search?words=" + words, "").statusCode()).isEqualTo(400);
  }

  @Test
  void valueChange_writesAFractionOfWhatThePlainColumnWrites() throws Exception {
    String role = "Passenger " + UUID.randomUUID();

    JsonNode cost =
        JSON.readTree(
            send("PUT", "/api/film/value", change("/cast/4711/role", JSON.writeValueAsString(role)))
                .body());

    JsonNode person = get("/api/film/branch?path=/cast&next=4711").at("/entries/0/entries");
    assertThat(person.toString()).contains(role);
    assertThat(cost.at("/pgtoaster/walBytes").asLong() * 20)
        .isLessThan(cost.at("/plain/walBytes").asLong());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/cast/99999/role", "/nothing", "/title/x"})
  void missingValue_is404(String path) throws Exception {
    assertThat(send("PUT", "/api/film/value", change(path, "1")).statusCode()).isEqualTo(404);
    assertThat(send("GET", "/api/film/branch?path=" + path, "").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"path\": \"\", \"value\": 1}",
        "{\"path\": \"title\", \"value\": 1}",
        "{\"path\": \"/title\", \"value\": {}}",
        "{\"path\": \"/~2\", \"value\": 1}",
        "{\"path\": \"/title\", \"value\": \"\\u0000\"}",
        "{\"path\": \"/title\", \"value\": 1e999999}",
        "{\"path\": \"/title\", \"value\": 1e99999999999}",
        "{\"value\": 1}",
        "{"
      })
  void invalidChange_is400AndChangesNothing(String body) throws Exception {
    HttpResponse<String> response = send("PUT", "/api/film/value", body);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(get("/api/film/branch?path=").toString()).contains("Voyage");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "99999999999999999999"})
  void branch_fromAnInvalidPosition_is400(String next) throws Exception {
    assertThat(send("GET", "/api/film/branch?path=/cast&next=" + next, "").statusCode())
        .isEqualTo(400);
  }

  @Test
  void lineIsAppended_andAFollowerContinuesAfterItsLastId() throws Exception {
    long before = get("/api/log").get("bytes").asLong();

    UUID writer = UUID.fromString(json("POST", "/api/log/writers").get("id").asString());
    JsonNode cost = JSON.readTree(send("POST", "/api/log", line("first\\nline", writer, 1)).body());
    JsonNode again =
        JSON.readTree(send("POST", "/api/log", line("first\\nline", writer, 1)).body());
    send("POST", "/api/log", line("second line", writer, 2));

    assertThat(cost.at("/pgtoaster/walBytes").asLong() * 20)
        .isLessThan(cost.at("/plain/walBytes").asLong());
    assertThat(again.get("action").asString()).contains("was sent before");
    assertThat(again.get("plain").isNull()).isTrue();
    HttpRequest follow =
        request("/api/log/stream").header("Last-Event-ID", Long.toString(before)).build();
    HttpResponse<InputStream> events = CLIENT.send(follow, BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      assertThat(data(lines)).endsWith("first line");
      assertThat(data(lines)).endsWith("second line");
    }
  }

  private static String line(String text, UUID writer, int number) {
    return "{\"text\": \"%s\", \"writer\": \"%s\", \"number\": %d}".formatted(text, writer, number);
  }

  private static String data(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith("data:")) {
      line = lines.readLine();
    }
    return String.valueOf(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"text\": \" \"}", "{\"text\": \"x\"}", "{\"text\": 7, \"more\": []", ""})
  void invalidLine_is400(String body) throws Exception {
    assertThat(send("POST", "/api/log", body).statusCode()).isEqualTo(400);
    String tooLong = "x".repeat(2001);
    assertThat(send("POST", "/api/log", line(tooLong, UUID.randomUUID(), 1)).statusCode())
        .isEqualTo(400);
  }

  @Test
  void file_isSentInRanges_andIsUnchangedByAComparison() throws Exception {
    byte[] content = "0123456789".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    String url = upload("digits.mp4", content);

    HttpResponse<byte[]> range =
        CLIENT.send(
            request(url + "/content").header("Range", "bytes=500003-500007").build(),
            BodyHandlers.ofByteArray());
    JsonNode cost = JSON.readTree(send("POST", url + "/cost", "").body());
    HttpResponse<byte[]> all =
        CLIENT.send(request(url + "/content").build(), BodyHandlers.ofByteArray());

    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(range.body()).asString().isEqualTo("34567");
    assertThat(range.headers().firstValue("Content-Type")).contains("video/mp4");
    assertThat(all.body()).isEqualTo(content);
    assertThat(cost.at("/pgtoaster/walBytes").asLong()).isPositive();
    assertThat(get("/api/files").toString()).contains("\"stored\":" + content.length);
  }

  @Test
  void file_isComparedWithACopyOfTheSameSize() throws Exception {
    byte[] content = new byte[256 << 10];
    new Random(1).nextBytes(content);
    String url = upload("noise.bin", content);

    JsonNode cost = json("POST", url + "/cost");

    int written = content.length + 64_000;
    assertThat(cost.at("/pgtoaster/walBytes").asLong()).isBetween(64_000L, 80_000L);
    assertThat(cost.at("/plain/walBytes").asLong()).isBetween((long) written, written * 120L / 100);
  }

  @Test
  void file_thatIsEmpty_isSentAndCompared() throws Exception {
    String url = upload("empty.txt", new byte[0]);

    assertThat(send("GET", url + "/content", "").body()).isEmpty();
    assertThat(json("POST", url + "/cost").at("/plain/walBytes").asLong()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"page.html", "picture.svg", "script.js", "none"})
  void file_thatCouldBeAPage_isOnlyDownloaded(String name) throws Exception {
    String url = upload(name, "<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8));

    HttpResponse<String> response =
        CLIENT.send(request(url + "/content").build(), BodyHandlers.ofString());

    assertThat(response.headers().firstValue("Content-Disposition").orElseThrow())
        .startsWith("attachment");
    assertThat(response.headers().firstValue("Content-Type")).contains("application/octet-stream");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("sandbox");
  }

  @Test
  void requests_fromOtherSites_areRefused() throws Exception {
    HttpRequest foreign =
        request("/api/log")
            .header("Origin", "http://example.org")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"text\": \"x\"}"))
            .build();
    HttpRequest embedded = request("/api/files").header("Sec-Fetch-Site", "cross-site").build();

    assertThat(CLIENT.send(foreign, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    assertThat(CLIENT.send(embedded, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
  }

  @Test
  void missingFile_is404() throws Exception {
    assertThat(send("GET", "/api/files/999999/content", "").statusCode()).isEqualTo(404);
    assertThat(send("POST", "/api/files/999999/cost", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/api/files/x/content", "").statusCode()).isEqualTo(400);
  }

  /** Uploads a file and returns its path. */
  private String upload(String name, byte[] content) throws Exception {
    String encoded = Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    HttpResponse<String> created =
        CLIENT.send(
            request("/tus")
                .header("Tus-Resumable", "1.0.0")
                .header("Upload-Length", Integer.toString(content.length))
                .header("Upload-Metadata", "filename " + encoded)
                .POST(BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
    URI location = base().resolve(created.headers().firstValue("Location").orElseThrow());
    HttpResponse<String> sent =
        CLIENT.send(
            request(location.getPath())
                .header("Tus-Resumable", "1.0.0")
                .header("Upload-Offset", "0")
                .header("Content-Type", "application/offset+octet-stream")
                .method("PATCH", BodyPublishers.ofByteArray(content))
                .build(),
            BodyHandlers.ofString());
    assertThat(sent.statusCode()).isEqualTo(204);
    for (JsonNode file : get("/api/files")) {
      if (file.get("upload").asString().equals(location.getPath())) {
        return "/api/files/" + file.get("id").asLong();
      }
    }
    throw new AssertionError("the upload is not listed");
  }

  private static String change(String path, String value) {
    return "{\"path\": \"" + path + "\", \"value\": " + value + "}";
  }

  private JsonNode get(String path) throws Exception {
    return json("GET", path);
  }

  private JsonNode json(String method, String path) throws Exception {
    HttpResponse<String> response = send(method, path, "");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return CLIENT.send(
        request(path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base().resolve(path));
  }

  private URI base() {
    return URI.create("http://127.0.0.1:" + port + "/");
  }
}
