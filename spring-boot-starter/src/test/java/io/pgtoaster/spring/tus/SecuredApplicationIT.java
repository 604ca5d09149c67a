package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.spring.kit.TestDatabase;
import io.pgtoaster.spring.resource.BlobResources;
import io.pgtoaster.spring.resource.BlobResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.Resource;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Uploads to and downloads from an application with Spring Security. */
class SecuredApplicationIT {
  private static final byte[] CONTENT = new byte[2_000_000];

  @AutoClose private static ConfigurableApplicationContext application;
  private static TusClient client;

  @EnableAutoConfiguration
  @EnableWebSecurity
  @RestController
  static class Application {
    private final BlobResources blobs;

    Application(BlobResources blobs) {
      this.blobs = blobs;
    }

    @GetMapping("/files/{id}")
    ResponseEntity<Resource> download(@PathVariable("id") long id, HttpServletRequest request)
        throws IOException {
      return BlobResponse.of(blobs.get("file", "content", id), request);
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
      return http.authorizeHttpRequests(
              requests ->
                  requests
                      .requestMatchers("/files/**")
                      .hasRole("READER")
                      .anyRequest()
                      .authenticated())
          .httpBasic(Customizer.withDefaults())
          .csrf(csrf -> csrf.ignoringRequestMatchers("/tus/**"))
          .build();
    }

    @Bean
    UserDetailsService users() {
      return new InMemoryUserDetailsManager(
          User.withUsername("ada").password("{noop}ada").roles("READER").build(),
          User.withUsername("bob").password("{noop}bob").roles("WRITER").build());
    }
  }

  @BeforeAll
  static void start() {
    TestDatabase database = TestDatabase.withFiles();
    application =
        new SpringApplicationBuilder(Application.class)
            .properties(
                database.properties(
                    "pgtoaster.tus.enabled=true",
                    "pgtoaster.tus.table=file",
                    "pgtoaster.tus.column=content"))
            .run();
    client = new TusClient(TusApplication.port(application));
    new Random(3).nextBytes(CONTENT);
  }

  private static String[] as(String user) {
    String login =
        Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
    return new String[] {"Authorization", "Basic " + login};
  }

  private static HttpResponse<byte[]> download(URI file, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(file);
    return HttpClient.newHttpClient()
        .send(
            (headers.length == 0 ? request : request.headers(headers)).build(),
            BodyHandlers.ofByteArray());
  }

  @Test
  void upload_belongsToItsCreator_andReadersCanDownloadIt() throws Exception {
    assertThat(client.tus("POST", client.base(), new byte[0], "Upload-Length", "3").statusCode())
        .isEqualTo(401);
    URI url = client.create(CONTENT.length, as("bob"));
    assertThat(client.patch(url, 0, CONTENT).statusCode()).isEqualTo(401);
    assertThat(client.patch(url, 0, CONTENT, as("ada")).statusCode()).isEqualTo(403);
    assertThat(client.tus("DELETE", url, new byte[0], as("ada")).statusCode()).isEqualTo(403);
    assertThat(client.tus("HEAD", url, new byte[0], as("ada")).statusCode()).isEqualTo(403);
    assertThat(client.patch(url, 0, CONTENT, as("bob")).statusCode()).isEqualTo(204);
    long id =
        application
            .getBean(PgToaster.class)
            .blobs("file", "content")
            .keys(1)
            .get(0)
            .values()
            .stream()
            .map(key -> Long.parseLong(key.toString()))
            .findFirst()
            .orElseThrow();
    URI file = client.base().resolve("/files/" + id);
    assertThat(download(file).statusCode()).isEqualTo(401);
    assertThat(download(file, as("bob")).statusCode()).isEqualTo(403);
    HttpResponse<byte[]> whole = download(file, as("ada"));
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.body()).isEqualTo(CONTENT);
  }
}
