package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.spring.kit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Test slices have a PgToaster bean, and their rollback includes appends. */
class SlicesIT {
  @SpringBootApplication(proxyBeanMethods = false)
  static class Application {}

  /** Provides connection details as a bean, like a container or a service. */
  @Configuration(proxyBeanMethods = false)
  static class Server {
    @Bean
    JdbcConnectionDetails details() {
      TestDatabase database = TestDatabase.empty();
      return new JdbcConnectionDetails() {
        @Override
        public String getUsername() {
          return database.user();
        }

        @Override
        public String getPassword() {
          return database.password();
        }

        @Override
        public String getJdbcUrl() {
          return database.url();
        }
      };
    }
  }

  private static void appendsTwice(PgToaster toaster, JdbcClient jdbc) {
    // Both tests create the table, because each is rolled back.
    jdbc.sql("CREATE TABLE note (id int PRIMARY KEY, text bigint)").update();
    jdbc.sql("INSERT INTO note VALUES (1)").update();
    toaster.catalog().attach("note", "text", BlobOptions.defaults());
    toaster.blobs("note", "text").append(1, new byte[5]);
    assertThat(toaster.blobs("note", "text").length(1)).isEqualTo(5);
  }

  @Nested
  @JdbcTest
  @AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
  @Import(Server.class)
  class OfJdbc {
    @Autowired PgToaster toaster;
    @Autowired JdbcClient jdbc;

    @Test
    void append_isRolledBackAfterTheTest() {
      appendsTwice(toaster, jdbc);
    }

    @Test
    void append_doesNotSeeAnotherTestsContent() {
      appendsTwice(toaster, jdbc);
    }
  }

  @Nested
  @DataJpaTest
  @AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
  @Import(Server.class)
  class OfDataJpa {
    @Autowired PgToaster toaster;
    @Autowired JdbcClient jdbc;

    @Test
    void append_isRolledBackAfterTheTest() {
      appendsTwice(toaster, jdbc);
    }

    @Test
    void append_doesNotSeeAnotherTestsContent() {
      appendsTwice(toaster, jdbc);
    }
  }
}
