package io.pgtoaster.spring.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.spring.kit.TestDatabase;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Responses to a browser when a controller returns a BlobResource with an uploaded file. */
class ReturnedBlobIT {
  private static final String PAGE = "<script>alert(1)</script>";

  @AutoClose private static ConfigurableApplicationContext application;
  private static String base;

  @EnableAutoConfiguration
  @RestController
  static class Application {
    private final BlobResources resources;
    private final PgToaster toaster;

    Application(BlobResources resources, PgToaster toaster) {
      this.resources = resources;
      this.toaster = toaster;
    }

    @PostMapping("/append/{id}")
    long append(@PathVariable("id") long id, @RequestBody byte[] body) {
      return toaster.blobs("file", "content").append(id, body).end();
    }

    @PostMapping("/append-at/{id}/{offset}")
    void appendAt(
        @PathVariable("id") long id,
        @PathVariable("offset") long offset,
        @RequestBody byte[] body) {
      AppendOptions at = AppendOptions.defaults().withExpectedOffset(offset);
      toaster.blobs("file", "content").append(id, body, at);
    }

    @PostMapping("/append-resource/{id}")
    void appendResource(@PathVariable("id") long id, InputStream body) throws IOException {
      resources.get("file", "content", id).append(body);
    }

    private BlobResource uploaded() {
      return resources.get("file", "content", 1L);
    }

    @GetMapping({"/bare", "/bare.html"})
    BlobResource bare() {
      return uploaded();
    }

    @GetMapping("/named")
    Resource named() {
      return uploaded().withFilename("ü\"\r\nx.html");
    }

    @GetMapping("/entity")
    ResponseEntity<BlobResource> entity() {
      return ResponseEntity.ok(uploaded());
    }

    @GetMapping("/later")
    CompletableFuture<BlobResource> later() {
      return CompletableFuture.supplyAsync(this::uploaded);
    }

    @GetMapping(path = "/produces-any", produces = "text/*")
    Resource producesAny() {
      return uploaded();
    }

    @GetMapping(path = "/produces", produces = "audio/ogg")
    Resource produces() {
      return uploaded();
    }

    @GetMapping("/typed")
    ResponseEntity<Resource> typed() {
      return ResponseEntity.ok().contentType(MediaType.TEXT_HTML).body(uploaded());
    }

    @GetMapping("/typed-response")
    Resource typedResponse(HttpServletResponse response) {
      response.setContentType("audio/ogg");
      return uploaded();
    }

    @GetMapping("/inline")
    ResponseEntity<Resource> inline() {
      return ResponseEntity.ok()
          .header(HttpHeaders.CONTENT_DISPOSITION, "inline")
          .header("X-Content-Type-Options", "nosniff")
          .body(uploaded());
    }

    @GetMapping("/response")
    ResponseEntity<Resource> response(@RequestParam("name") String name, HttpServletRequest request)
        throws IOException {
      return BlobResponse.of(uploaded().withFilename(name), request);
    }

    @GetMapping("/response-inline")
    ResponseEntity<Resource> responseInline(
        HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "inline");
      return BlobResponse.of(uploaded().withFilename("x.pdf"), request);
    }

    @GetMapping("/response-typed")
    ResponseEntity<Resource> responseTyped(HttpServletRequest request) throws IOException {
      return BlobResponse.of(uploaded().withFilename("x.svg"), request, MediaType.TEXT_HTML);
    }

    @GetMapping("/other")
    Resource other() {
      return new ByteArrayResource(PAGE.getBytes(StandardCharsets.UTF_8));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    TestDatabase database = TestDatabase.withFiles();
    database.execute("INSERT INTO file (id) VALUES (1)");
    database.toaster().blobs("file", "content").append(1, PAGE.getBytes(StandardCharsets.UTF_8));
    application =
        new SpringApplicationBuilder(Application.class).properties(database.properties()).run();
    base = "http://localhost:" + application.getEnvironment().getProperty("local.server.port");
  }

  /** Sends the request of a browser that follows a link. */
  private static HttpResponse<String> visit(String path) throws Exception {
    return send("GET", path);
  }

  private static HttpResponse<String> send(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .method(method, BodyPublishers.noBody())
            .header("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static void assertIsNotRendered(HttpResponse<String> response) {
    assertThat(response.headers().allValues("Content-Type"))
        .containsExactly("application/octet-stream");
    assertThat(response.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
    assertThat(response.headers().allValues("Content-Disposition"))
        .singleElement()
        .asString()
        .startsWith("attachment");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bare", "/bare.html", "/named", "/entity", "/later", "/produces-any"})
  void uploadedPage_isSaved_andNotDisplayed(String path) throws Exception {
    HttpResponse<String> page = visit(path);
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).isEqualTo(PAGE);
    assertIsNotRendered(page);
    HttpResponse<String> head = send("HEAD", path);
    assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(PAGE.length());
    assertIsNotRendered(head);
  }

  @Test
  void name_isUsedOnlyForTheSavedFile() throws Exception {
    assertThat(visit("/named").headers().firstValue("Content-Disposition"))
        .hasValueSatisfying(d -> assertThat(d).endsWith("filename*=UTF-8''%C3%BC%22%0D%0Ax.html"));
  }

  @Test
  void ranges_areServed_andNotShownInline() throws Exception {
    HttpResponse<String> range = send("GET", "/bare", "Range", "bytes=1-6");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(range.body()).isEqualTo("script");
    assertThat(range.headers().firstValue("Content-Range")).hasValue("bytes 1-6/25");
    assertIsNotRendered(range);
    HttpResponse<String> several = send("GET", "/entity", "Range", "bytes=0-0,8-8");
    assertThat(several.statusCode()).isEqualTo(206);
    assertThat(several.headers().firstValue("Content-Type"))
        .hasValueSatisfying(t -> assertThat(t).startsWith("multipart/byteranges"));
    assertThat(several.body()).contains("Content-Type: application/octet-stream", "bytes 8-8/25");
    assertThat(several.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    HttpResponse<String> none = send("GET", "/bare", "Range", "bytes=99-");
    assertThat(none.statusCode()).isEqualTo(416);
    assertIsNotRendered(none);
  }

  @Test
  void typeSetByTheApplication_isThatOfTheResponse() throws Exception {
    for (String[] said :
        new String[][] {
          {"/typed", "text/html"}, {"/produces", "audio/ogg"}, {"/typed-response", "audio/ogg"}
        }) {
      HttpResponse<String> response = visit(said[0]);
      assertThat(response.headers().allValues("Content-Type")).as(said[0]).containsExactly(said[1]);
      assertThat(response.headers().firstValue("Content-Disposition")).as(said[0]).isEmpty();
      assertThat(response.headers().firstValue("X-Content-Type-Options"))
          .as(said[0])
          .hasValue("nosniff");
    }
  }

  @Test
  void dispositionSetByTheApplication_isKept_andImpliesNoType() throws Exception {
    HttpResponse<String> inline = visit("/inline");
    assertThat(inline.headers().allValues("Content-Disposition")).containsExactly("inline");
    assertThat(inline.headers().allValues("Content-Type"))
        .containsExactly("application/octet-stream");
    assertThat(inline.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
  }

  @Test
  void blobResponse_showsNoActiveContentInline() throws Exception {
    for (String name :
        new String[] {
          "x.html", "x.HTM", "x.xhtml", "x.svg", "x.xml", "x.js", "x.mjs", "x.css", "x.pdf"
        }) {
      for (String[] range : new String[][] {{}, {"Range", "bytes=0-1"}}) {
        HttpResponse<String> page = send("GET", "/response?name=" + name, range);
        assertThat(page.headers().firstValue("Content-Disposition"))
            .as(name)
            .hasValueSatisfying(d -> assertThat(d).startsWith("attachment").endsWith("''" + name));
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      }
    }
    for (String name : new String[] {"x.png", "x.ogg", "x.txt", "x"}) {
      assertThat(visit("/response?name=" + name).headers().firstValue("Content-Disposition"))
          .as(name)
          .isEmpty();
    }
  }

  @Test
  void blobResponse_keepsTheApplicationsDisposition() throws Exception {
    assertThat(visit("/response-inline").headers().allValues("Content-Disposition"))
        .containsExactly("inline");
  }

  @Test
  void blobResponse_ofAScriptOrStyleSheet_cannotBeIncluded() throws Exception {
    for (String name : new String[] {"x.js", "x.mjs", "x.css"}) {
      assertThat(visit("/response?name=" + name).headers().allValues("Content-Type"))
          .as(name)
          .containsExactly("application/octet-stream");
    }
    assertThat(visit("/response?name=x.pdf").headers().allValues("Content-Type"))
        .containsExactly("application/pdf");
  }

  @Test
  void blobResponse_showsAPageDeclaredByTheApplication() throws Exception {
    HttpResponse<String> page = visit("/response-typed");
    assertThat(page.headers().allValues("Content-Type")).containsExactly("text/html");
    assertThat(page.headers().firstValue("Content-Disposition")).isEmpty();
    assertThat(page.body()).isEqualTo(PAGE);
  }

  @Test
  void otherResources_areNotAffected() throws Exception {
    HttpResponse<String> other = visit("/other");
    assertThat(other.headers().allValues("Content-Type")).containsExactly("text/html");
    assertThat(other.headers().firstValue("Content-Disposition")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "append-resource"})
  void appendToAMissingRow_is404(String path) throws Exception {
    HttpResponse<String> response = post("/" + path + "/77");
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("there is no row with this key").doesNotContain("file");
  }

  @Test
  void appendAtAnotherOffset_is409() throws Exception {
    HttpResponse<String> response = post("/append-at/1/3");
    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(response.body())
        .contains("the content has " + PAGE.length() + " bytes")
        .doesNotContain("file");
  }

  private static HttpResponse<String> post(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .POST(BodyPublishers.ofString("x"))
            .header("Content-Type", "application/octet-stream")
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
