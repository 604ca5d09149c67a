package io.pgtoaster.quarkus.deployment;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.quarkus.deployment.builditem.Startable;
import org.jspecify.annotations.Nullable;

/** A temporary server that Quarkus starts before the application, and stops at the end. */
final class EmbeddedServer implements Startable {
  private final EmbeddedPostgres postgres =
      EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
          .temporary()
          .setting("fsync", "off")
          .build();

  @Override
  public void start() {
    postgres.start();
  }

  @Override
  public String getConnectionInfo() {
    return postgres.jdbcUrl("postgres");
  }

  String user() {
    return postgres.user();
  }

  String password() {
    return String.valueOf(postgres.password());
  }

  @Override
  public @Nullable String getContainerId() {
    return null;
  }

  @Override
  public void close() {
    postgres.close();
  }
}
