package io.pgtoaster.spring.test;

import com.github.dockerjava.api.command.InspectContainerResponse;
import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A PostgreSQL server in a container. The catalog is installed in its database, and the server
 * extension if the image contains it. With {@code @ServiceConnection} Spring Boot connects the
 * {@code DataSource} to it:
 *
 * <pre>
 * &#064;Bean
 * &#064;ServiceConnection
 * PgToasterContainer postgres() {
 *   return new PgToasterContainer("postgres:18");
 * }
 * </pre>
 *
 * <p>Use it like any Testcontainers container. The test class path needs Testcontainers ({@code
 * org.testcontainers:testcontainers-postgresql}, {@code
 * org.springframework.boot:spring-boot-testcontainers}).
 */
public final class PgToasterContainer extends PostgreSQLContainer {
  /** The default image. */
  public static final String DEFAULT_IMAGE = "postgres:18";

  /** Creates a container of {@link #DEFAULT_IMAGE}. */
  public PgToasterContainer() {
    this(DEFAULT_IMAGE);
  }

  /**
   * Creates a container.
   *
   * @param image name of an image of PostgreSQL 15 to 19 that starts like the official one, such as
   *     {@code postgres:16} or your own image with the extension
   */
  public PgToasterContainer(String image) {
    this(DockerImageName.parse(image));
  }

  /**
   * Creates a container.
   *
   * @param image image of PostgreSQL 15 to 19 that starts like the official one
   */
  public PgToasterContainer(DockerImageName image) {
    super(image.asCompatibleSubstituteFor("postgres"));
  }

  @Override
  protected void containerIsStarted(InspectContainerResponse container) {
    super.containerIsStarted(container);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(getJdbcUrl());
    source.setUser(getUsername());
    source.setPassword(getPassword());
    PgToaster.create(source).catalog().install();
    try (Connection connection = source.getConnection();
        Statement s = connection.createStatement()) {
      if (hasExtension(s)) {
        s.execute("CREATE EXTENSION IF NOT EXISTS pgtoaster");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the extension of the image " + getDockerImageName() + " cannot be created", e);
    }
  }

  private static boolean hasExtension(Statement s) throws SQLException {
    try (ResultSet rows =
        s.executeQuery("SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'pgtoaster'")) {
      return rows.next();
    }
  }
}
