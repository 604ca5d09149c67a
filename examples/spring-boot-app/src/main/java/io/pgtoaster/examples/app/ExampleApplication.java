package io.pgtoaster.examples.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the page at http://localhost:8080. */
@SpringBootApplication
public class ExampleApplication {
  ExampleApplication() {}

  /**
   * Starts the application.
   *
   * @param args properties, such as {@code --server.port=9000} or {@code
   *     --spring.datasource.url=...}
   */
  public static void main(String[] args) {
    SpringApplication.run(ExampleApplication.class, args);
  }
}
