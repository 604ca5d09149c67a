package io.pgtoaster.examples.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.embedded.SharedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

@Tag("ci")
@ExampleTest
@DirtiesContext
final class DatabaseGoneIT {
  @LocalServerPort private int port;
  @Autowired private SharedServer postgres;

  @Test
  void requests_areAnsweredWithAMessage() throws Exception {
    postgres.close();

    for (String path : new String[] {"api/log", "api/film", "api/film/branch?path=", "api/files"}) {
      HttpResponse<String> response =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path))
                      .build(),
                  BodyHandlers.ofString());

      assertThat(response.statusCode()).as(path).isEqualTo(503);
      assertThat(response.body()).contains("The database does not respond.");
    }
  }
}
