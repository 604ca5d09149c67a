package io.pgtoaster.examples.tenants;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the service at http://localhost:8081. */
@SpringBootApplication
public class TenantsApplication {
  TenantsApplication() {}

  /**
   * Starts the application.
   *
   * @param args properties, such as {@code --server.port=9000} or {@code
   *     --spring.datasource.url=...}
   */
  public static void main(String[] args) {
    SpringApplication.run(TenantsApplication.class, args);
  }
}
