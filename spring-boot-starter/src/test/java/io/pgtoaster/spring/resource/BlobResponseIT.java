package io.pgtoaster.spring.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.spring.kit.TestDatabase;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Responses of a controller that returns blobs. */
class BlobResponseIT {
  private static final byte[] CONTENT = new byte[3_000_000];

  private static TestDatabase database;
  @AutoClose private static ConfigurableApplicationContext application;
  private static BlobColumn blobs;
  private static String base;

  @EnableAutoConfiguration
  @RestController
  static class Application {
    private final BlobResources resources;

    Application(BlobResources resources) {
      this.resources = resources;
    }

    @GetMapping("/plain/{id}")
    Resource plain(@PathVariable("id") long id) {
      return resources.get("file", "content", id).withFilename("a.txt");
    }

    @GetMapping("/byRepository")
    void byRepository() {
      throw new IllegalStateException("as Spring Data wraps it", new RowNotFoundException("gone"));
    }

    @GetMapping("/response/{id}")
    ResponseEntity<Resource> response(@PathVariable("id") long id, HttpServletRequest request)
        throws IOException {
      return BlobResponse.of(resources.get("file", "content", id).withFilename("a.txt"), request);
    }

    @GetMapping("/nameless/{id}")
    ResponseEntity<Resource> nameless(@PathVariable("id") long id, HttpServletRequest request)
        throws IOException {
      BlobResource blob = resources.get("file", "content", id);
      return BlobResponse.of(blob.withLastModified(Instant.ofEpochSecond(1_000_000)), request);
    }

    @PostMapping("/append/{id}")
    String append(@PathVariable("id") long id, InputStream body) {
      return resources.get("file", "content", id).append(body).toString();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    new Random(6).nextBytes(CONTENT);
    database = TestDatabase.withFiles();
    blobs = database.toaster().blobs("file", "content");
    database.execute("INSERT INTO file (id) SELECT generate_series(1, 9)");
    blobs.append(1, CONTENT);
    application =
        new SpringApplicationBuilder(Application.class)
            .properties(database.properties("spring.datasource.hikari.maximum-pool-size=1"))
            .run();
    base = "http://localhost:" + application.getEnvironment().getProperty("local.server.port");
  }

  private static HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    return send("GET", path, headers);
  }

  private static HttpResponse<byte[]> send(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path)).method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse(null);
  }

  private static byte[] part(int from, int to) {
    return Arrays.copyOfRange(CONTENT, from, to);
  }

  @Test
  void withoutRange_everythingIsSent() throws Exception {
    HttpResponse<byte[]> all = get("/response/1");
    assertThat(all.statusCode()).isEqualTo(200);
    assertThat(all.body()).isEqualTo(CONTENT);
    assertThat(all.headers().firstValue("Accept-Ranges")).hasValue("bytes");
    assertThat(all.headers().firstValue("Content-Type")).hasValue("text/plain");
    assertThat(all.headers().firstValue("ETag"))
        .hasValueSatisfying(t -> assertThat(t).startsWith("\""));
    assertThat(all.headers().firstValueAsLong("Content-Length")).hasValue(CONTENT.length);
  }

  @Test
  void resourceOfController_servesRanges() throws Exception {
    HttpResponse<byte[]> middle = get("/plain/1", "Range", "bytes=1000000-1099999");
    assertThat(middle.statusCode()).isEqualTo(206);
    assertThat(middle.headers().firstValue("Content-Range"))
        .hasValue("bytes 1000000-1099999/3000000");
    assertThat(middle.body()).isEqualTo(part(1_000_000, 1_100_000));
    assertThat(get("/plain/1").body()).isEqualTo(CONTENT);
    assertThat(get("/plain/4711").statusCode()).isEqualTo(500);
  }

  @Test
  void suffixRange_returnsTheEnd() throws Exception {
    HttpResponse<byte[]> end = get("/response/1", "Range", "bytes=-70000");
    assertThat(end.statusCode()).isEqualTo(206);
    assertThat(end.body()).isEqualTo(part(2_930_000, 3_000_000));
    HttpResponse<byte[]> open = get("/response/1", "Range", "bytes=2999990-");
    assertThat(open.statusCode()).isEqualTo(206);
    assertThat(open.body()).isEqualTo(part(2_999_990, 3_000_000));
    HttpResponse<byte[]> all = get("/response/1", "Range", "bytes=0-");
    assertThat(all.statusCode()).isEqualTo(206);
    assertThat(header(all, "Content-Range")).isEqualTo("bytes 0-2999999/3000000");
    assertThat(all.body()).isEqualTo(CONTENT);
  }

  @Test
  void severalRanges_areSentAsParts() throws Exception {
    HttpResponse<byte[]> parts = get("/response/1", "Range", "bytes=10-19,2000000-2000009, -5,0-4");
    assertThat(parts.statusCode()).isEqualTo(206);
    String type = header(parts, "Content-Type");
    assertThat(type).startsWith("multipart/byteranges;boundary=");
    String boundary = type.substring(type.indexOf('=') + 1);
    StringBuilder expected = new StringBuilder();
    for (int[] range :
        new int[][] {{10, 20}, {2_000_000, 2_000_010}, {2_999_995, 3_000_000}, {0, 5}}) {
      expected
          .append("\r\n--" + boundary + "\r\nContent-Type: text/plain\r\nContent-Range: bytes ")
          .append(range[0] + "-" + (range[1] - 1) + "/3000000\r\n\r\n")
          .append(new String(part(range[0], range[1]), StandardCharsets.ISO_8859_1));
    }
    expected.append("\r\n--" + boundary + "--\r\n");
    assertThat(new String(parts.body(), StandardCharsets.ISO_8859_1))
        .isEqualTo(expected.toString());
    assertThat(parts.headers().firstValueAsLong("Content-Length")).hasValue(parts.body().length);
    assertThat(header(parts, "ETag")).isNotNull();
  }

  @Test
  void rangesAsLongAsTheContent_returnItOnce() throws Exception {
    for (String ranges : new String[] {"0-,0-,0-", "0-1999999,1000000-", "0-99,100-"}) {
      HttpResponse<byte[]> all = get("/response/1", "Range", "bytes=" + ranges);
      assertThat(all.statusCode()).isEqualTo(200);
      assertThat(all.body()).isEqualTo(CONTENT);
    }
  }

  @Test
  void rangeBeyondTheEnd_isOmitted() throws Exception {
    HttpResponse<byte[]> one = get("/response/1", "Range", "bytes=3000000-,5-9,-0");
    assertThat(one.statusCode()).isEqualTo(206);
    assertThat(header(one, "Content-Range")).isEqualTo("bytes 5-9/3000000");
    assertThat(one.body()).isEqualTo(part(5, 10));
  }

  @Test
  void invalidRanges_areRefusedWithoutBody() throws Exception {
    for (String range :
        new String[] {
          "3000000-", "-0", "9-5", "x", "", "-", "1-2-3", "0-0,x", "0-0" + ",0-0".repeat(100)
        }) {
      HttpResponse<byte[]> refused = get("/response/1", "Range", "bytes=" + range);
      assertThat(refused.statusCode()).as(range).isEqualTo(416);
      assertThat(header(refused, "Content-Range")).isEqualTo("bytes */3000000");
      assertThat(refused.body()).isEmpty();
    }
  }

  @Test
  void hugeNumbers_meanTheEnd() throws Exception {
    String huge = "9".repeat(30);
    assertThat(get("/response/1", "Range", "bytes=2999999-" + huge).body()).hasSize(1);
    assertThat(get("/response/1", "Range", "bytes=-" + huge).body()).isEqualTo(CONTENT);
    assertThat(get("/response/1", "Range", "bytes=" + huge + "-").statusCode()).isEqualTo(416);
  }

  @Test
  void rangeOfAnotherUnit_isIgnored() throws Exception {
    assertThat(get("/response/1", "Range", "lines=1-2").statusCode()).isEqualTo(200);
    assertThat(get("/response/1", "Range", "Bytes=1-2").statusCode()).isEqualTo(206);
  }

  @Test
  void emptyBlob_isSentCompletely() throws Exception {
    blobs.append(5, new byte[0]);
    for (String[] headers : new String[][] {{}, {"Range", "bytes=0-"}, {"Range", "bytes=-5"}}) {
      HttpResponse<byte[]> empty = get("/response/5", headers);
      assertThat(empty.statusCode()).isEqualTo(200);
      assertThat(empty.headers().firstValueAsLong("Content-Length")).hasValue(0);
    }
  }

  @Test
  void unknownType_isNotTakenFromTheClient() throws Exception {
    HttpResponse<byte[]> all = get("/nameless/1", "Accept", "text/html");
    assertThat(all.statusCode()).isEqualTo(200);
    assertThat(header(all, "Content-Type")).isEqualTo("application/octet-stream");
    assertThat(header(all, "X-Content-Type-Options")).isEqualTo("nosniff");
    HttpResponse<byte[]> range = get("/nameless/1", "Accept", "text/html", "Range", "bytes=0-9");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(header(range, "Content-Type")).isEqualTo("application/octet-stream");
    assertThat(header(range, "X-Content-Type-Options")).isEqualTo("nosniff");
  }

  @Test
  void truncatedRead_isNotSentAsComplete() {
    blobs.append(6, CONTENT);
    database.run(
        "DELETE FROM pgtoaster.store_1_chunk"
            + " WHERE blob_id = (SELECT content FROM file WHERE id = 6) AND start > 2000000");
    assertThatThrownBy(() -> get("/response/6")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> get("/response/6", "Range", "bytes=0-9,900000-2500000"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void range_readsNothingElse() throws Exception {
    blobs.append(2, CONTENT);
    database.execute(
        "DELETE FROM pgtoaster.store_1_chunk"
            + " WHERE blob_id = (SELECT content FROM file WHERE id = 2)"
            + " AND (start < 700000 OR start > 1200000)");
    HttpResponse<byte[]> middle = get("/response/2", "Range", "bytes=1000000-1190000");
    assertThat(middle.statusCode()).isEqualTo(206);
    assertThat(middle.body()).isEqualTo(part(1_000_000, 1_190_001));
  }

  @Test
  void conditions_useTheEntityTag() throws Exception {
    blobs.append(3, CONTENT);
    String tag = get("/response/3").headers().firstValue("ETag").orElseThrow();
    assertThat(get("/response/3", "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(get("/response/3", "If-Range", tag, "Range", "bytes=0-9").statusCode())
        .isEqualTo(206);
    blobs.write(3, 0, new byte[1]);
    HttpResponse<byte[]> changed = get("/response/3", "If-Range", tag, "Range", "bytes=0-9");
    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.body()).hasSize(CONTENT.length);
    assertThat(changed.headers().firstValueAsLong("Content-Length")).hasValue(CONTENT.length);
    assertThat(changed.headers().firstValue("Content-Type")).hasValue("text/plain");
    String now = changed.headers().firstValue("ETag").orElseThrow();
    assertThat(now).isNotEqualTo(tag);
    blobs.append(3, new byte[1]);
    assertThat(get("/response/3", "If-None-Match", now).statusCode()).isEqualTo(200);
  }

  @Test
  void conditions_comeBeforeRanges() throws Exception {
    String tag = header(get("/nameless/1"), "ETag");
    String[] range = {"Range", "bytes=0-9"};
    String[][] unchanged = {
      {"If-None-Match", tag},
      {"If-None-Match", "\"x\", W/" + tag},
      {"If-None-Match", "*"},
      {"If-Modified-Since", "Mon, 12 Jan 1970 13:46:40 GMT"}
    };
    String[][] failed = {
      {"If-Match", "\"x\""},
      {"If-Match", "W/" + tag},
      {"If-Unmodified-Since", "Mon, 12 Jan 1970 13:46:39 GMT"}
    };
    String[][] passed = {
      {"If-Match", "\"x\", " + tag},
      {"If-Match", "*"},
      {"If-None-Match", "\"x\""},
      {"If-Modified-Since", "Mon, 12 Jan 1970 13:46:39 GMT"},
      {"If-Unmodified-Since", "Mon, 12 Jan 1970 13:46:40 GMT"},
      {"If-Modified-Since", "soon"}
    };
    for (String[] condition : unchanged) {
      for (HttpResponse<byte[]> response : allWays("/nameless/1", condition, range)) {
        assertThat(response.statusCode()).as(Arrays.toString(condition)).isEqualTo(304);
        assertThat(header(response, "ETag")).isEqualTo(tag);
        assertThat(response.body()).isEmpty();
      }
    }
    for (String[] condition : failed) {
      for (HttpResponse<byte[]> response : allWays("/nameless/1", condition, range)) {
        assertThat(response.statusCode()).as(Arrays.toString(condition)).isEqualTo(412);
        assertThat(response.body()).isEmpty();
      }
    }
    for (String[] condition : passed) {
      assertThat(allWays("/nameless/1", condition, range).stream().map(HttpResponse::statusCode))
          .as(Arrays.toString(condition))
          .containsExactly(200, 206, 200);
    }
  }

  /** Sends a GET, a GET of a range, and a HEAD. */
  private static List<HttpResponse<byte[]>> allWays(String path, String[] headers, String[] range)
      throws Exception {
    return List.of(
        get(path, headers),
        get(path, Stream.of(headers, range).flatMap(Stream::of).toArray(String[]::new)),
        send("HEAD", path, headers));
  }

  @Test
  void head_returnsTheLength_andReadsNothing() throws Exception {
    blobs.append(7, CONTENT);
    database.execute(
        "DELETE FROM pgtoaster.store_1_chunk"
            + " WHERE blob_id = (SELECT content FROM file WHERE id = 7)");
    for (String[] headers : new String[][] {{}, {"Range", "bytes=0-9"}}) {
      HttpResponse<byte[]> head = send("HEAD", "/response/7", headers);
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(CONTENT.length);
      assertThat(header(head, "Content-Type")).isEqualTo("text/plain");
      assertThat(head.headers().firstValue("ETag")).isPresent();
    }
  }

  @Test
  void missingContent_isNotFound() throws Exception {
    assertThat(send("GET", "/byRepository").statusCode()).isEqualTo(404);
    assertThat(get("/response/4711").statusCode()).isEqualTo(404);
    assertThat(get("/response/9").statusCode()).isEqualTo(404);
  }

  @Test
  void requestBody_isAppended() throws Exception {
    blobs.append(4, new byte[] {1, 2});
    HttpResponse<String> appended =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(base + "/append/4"))
                    .header("Content-Type", "application/octet-stream")
                    .POST(BodyPublishers.ofByteArray(CONTENT))
                    .build(),
                BodyHandlers.ofString());
    assertThat(appended.statusCode()).isEqualTo(200);
    assertThat(blobs.length(4)).isEqualTo(CONTENT.length + 2);
    assertThat(blobs.read(4, 2, CONTENT.length)).isEqualTo(CONTENT);
  }

  @Test
  void truncatedRequestBody_leavesNothing() throws Exception {
    URI url = URI.create(base);
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      String head =
          "POST /append/8 HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + CONTENT.length;
      socket.getOutputStream().write((head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(CONTENT, 0, 2_000_000);
    }
    HttpRequest.Builder whole = HttpRequest.newBuilder(url.resolve("/append/8"));
    HttpClient.newHttpClient()
        .send(whole.POST(BodyPublishers.ofString("abc")).build(), BodyHandlers.discarding());
    assertThat(blobs.length(8)).isEqualTo(3);
  }
}
