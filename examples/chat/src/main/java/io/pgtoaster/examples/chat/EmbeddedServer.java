package io.pgtoaster.examples.chat;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.embedded.SharedServer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Starts a PostgreSQL server if {@code spring.datasource.url} is not set. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression("'${spring.datasource.url:}'.isEmpty()")
class EmbeddedServer {
  EmbeddedServer() {}

  @Bean
  SharedServer postgres(@Value("${example.postgres}") Path directory) {
    PostgresBinaries binaries = PostgresBinaries.fromClasspath(Home.cacheDirectory());
    // Checkpoints and autovacuum should rarely run while a turn is measured.
    return SharedServer.open(
        EmbeddedPostgres.builder(binaries)
            .setting("max_wal_size", "4GB")
            .setting("checkpoint_timeout", "30min")
            .setting("autovacuum_naptime", "2min"),
        directory);
  }

  @Bean
  JdbcConnectionDetails connectionDetails(SharedServer postgres) {
    return new JdbcConnectionDetails() {
      @Override
      public String getUsername() {
        return postgres.user();
      }

      @Override
      public @Nullable String getPassword() {
        return postgres.password();
      }

      @Override
      public String getJdbcUrl() {
        return postgres.jdbcUrl("postgres");
      }
    };
  }
}
