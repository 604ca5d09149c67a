package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tus client that can also violate the protocol. */
record TusClient(URI base, HttpClient http) {
  private static final List<String> VERSION = List.of("Tus-Resumable", "1.0.0");

  TusClient(int port) {
    this(URI.create("http://localhost:" + port + "/tus"), HttpClient.newHttpClient());
  }

  HttpResponse<String> send(String method, URI url, byte[] body, String... headers)
      throws IOException, InterruptedException {
    BodyPublisher publisher =
        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    return http.send(
        HttpRequest.newBuilder(base.resolve(url))
            .method(method, publisher)
            .headers(headers)
            .build(),
        BodyHandlers.ofString());
  }

  /** Sends a request with the version of the protocol. */
  HttpResponse<String> tus(String method, URI url, byte[] body, String... headers)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(VERSION);
    all.addAll(List.of(headers));
    return send(method, url, body, all.toArray(new String[0]));
  }

  URI create(long length, String... headers) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("Upload-Length", Long.toString(length)));
    all.addAll(List.of(headers));
    HttpResponse<String> created = tus("POST", base, new byte[0], all.toArray(new String[0]));
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    return location(created);
  }

  URI location(HttpResponse<?> created) {
    return base.resolve(created.headers().firstValue("Location").orElseThrow());
  }

  HttpResponse<String> patch(URI url, long offset, byte[] body, String... headers)
      throws IOException, InterruptedException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "Upload-Offset",
                Long.toString(offset),
                "Content-Type",
                "application/offset+octet-stream"));
    all.addAll(List.of(headers));
    return tus("PATCH", url, body, all.toArray(new String[0]));
  }

  /** Returns the head of a PATCH request to send over a socket. */
  byte[] patchHead(URI url, long offset, long length, @Nullable String checksum) {
    List<String> lines = new ArrayList<>();
    lines.add("PATCH " + url.getPath() + " HTTP/1.1");
    lines.add("Host: localhost");
    lines.add("Tus-Resumable: 1.0.0");
    lines.add("Upload-Offset: " + offset);
    lines.add("Content-Type: application/offset+octet-stream");
    lines.add("Content-Length: " + length);
    lines.add("Connection: close");
    if (checksum != null) {
      lines.add("Upload-Checksum: " + checksum);
    }
    return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  HttpResponse<String> head(URI url) throws IOException, InterruptedException {
    return tus("HEAD", url, new byte[0]);
  }

  long offset(URI url) throws IOException, InterruptedException {
    HttpResponse<String> head = head(url);
    assertThat(head.statusCode()).isEqualTo(200);
    return offset(head);
  }

  static long offset(HttpResponse<?> response) {
    return response.headers().firstValueAsLong("Upload-Offset").orElseThrow();
  }
}
