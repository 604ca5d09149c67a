package io.pgtoaster.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.spring.actuate.PgToasterEndpoint.Report;
import io.pgtoaster.spring.actuate.PgToasterEndpoint.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class EndpointIT {
  private final Application application = new Application();

  @Test
  void report_listsStoresWithSizesAndOptions() {
    application.direct.blobs("note", "text").append(1, new byte[20_000]);
    application.runner.run(
        context -> {
          Report report = context.getBean(PgToasterEndpoint.class).stores();
          assertThat(report.catalogVersion()).isEqualTo(ColumnLookup.CATALOG_VERSION);
          assertThat(report.extension().used()).isFalse();
          assertThat(report.jobs()).isEmpty();
          assertThat(report.stores())
              .extracting(Store::column)
              .satisfiesExactly(
                  column -> assertThat(column).endsWith(".note.text"),
                  column -> assertThat(column).endsWith(".paper.body"));
          Store note = report.stores().get(0);
          assertThat(note.bytes()).isEqualTo(20_000);
          assertThat(note.contents()).isEqualTo(1);
          assertThat(note.executor()).isEqualTo("sql");
          assertThat(note.options()).containsEntry("chunk_size", "8100");
        });
  }

  @Test
  void job_runsAndIsReported() {
    application.direct.blobs("note", "text").append(1, new byte[20_000]);
    application.runner.run(
        context -> {
          PgToasterEndpoint endpoint = context.getBean(PgToasterEndpoint.class);
          assertThat(endpoint.run("verify").outcome()).isEqualTo("done");
          assertThat(endpoint.stores().jobs().get("verify").visited()).isEqualTo(2);
          assertThatThrownBy(() -> endpoint.run("drop"))
              .isInstanceOf(InvalidEndpointRequestException.class)
              .hasMessageContaining("gc, verify and compact");
        });
  }

  @SpringBootApplication
  static class Served {}

  private HttpResponse<String> answer(String method, String path, String... properties)
      throws IOException, InterruptedException {
    try (ConfigurableApplicationContext served =
        new SpringApplicationBuilder(Served.class)
            .properties(application.database.properties(properties))
            .properties("management.endpoints.web.exposure.include=pgtoaster")
            .run()) {
      URI uri =
          URI.create(
              "http://localhost:"
                  + served.getEnvironment().getProperty("local.server.port")
                  + "/actuator/pgtoaster"
                  + path);
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(uri)
                  .header("Content-Type", "application/json")
                  .method(method, BodyPublishers.ofString("{}"))
                  .build(),
              BodyHandlers.ofString());
    }
  }

  @Test
  void report_isServedAsJson() throws Exception {
    HttpResponse<String> answer = answer("GET", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"column\":\"public.note.text\"")
        .contains("\"extension\":{");
  }

  @Test
  void writing_isDisabledByDefault() throws Exception {
    String unrestricted = "management.endpoint.pgtoaster.access=unrestricted";
    assertThat(answer("POST", "/verify").statusCode()).isIn(404, 405);
    HttpResponse<String> run = answer("POST", "/verify", unrestricted);
    assertThat(run.statusCode()).isEqualTo(200);
    assertThat(run.body()).contains("\"outcome\":\"done\"");
    assertThat(answer("POST", "/drop", unrestricted).statusCode()).isEqualTo(400);
  }
}
