package io.pgtoaster.hibernate.schema;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.Metadata;
import org.hibernate.jpa.HibernatePersistenceProvider;
import org.hibernate.jpa.boot.spi.EntityManagerFactoryBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Prints the schema of a persistence unit without a database: {@code java -cp ...
 * io.pgtoaster.hibernate.schema.PrintSchema [--liquibase author] unit}.
 */
public final class PrintSchema {
  private PrintSchema() {}

  /** Builds the metadata of a unit without connecting to a database. */
  private static final class Units extends HibernatePersistenceProvider {
    private static final Map<String, Object> OFFLINE =
        Map.of(
            "hibernate.boot.allow_jdbc_metadata_access", "false",
            "jakarta.persistence.database-product-name", "PostgreSQL",
            "jakarta.persistence.database-major-version", "15",
            "jakarta.persistence.schema-generation.database.action", "none",
            "hibernate.hbm2ddl.auto", "none");

    @Nullable EntityManagerFactoryBuilder find(String unit) {
      return getEntityManagerFactoryBuilderOrNull(unit, OFFLINE);
    }
  }

  /**
   * Prints to standard output, in UTF-8.
   *
   * @param arguments the name of a unit in a {@code META-INF/persistence.xml} on the class path;
   *     for Liquibase, preceded by {@code --liquibase} and the author of the changesets
   * @throws IllegalArgumentException if the arguments are invalid, or there is no such unit
   */
  public static void main(String... arguments) {
    new PrintStream(System.out, true, StandardCharsets.UTF_8).print(print(arguments));
  }

  static String print(String... arguments) {
    List<String> given = List.of(arguments);
    boolean liquibase = given.size() == 3 && given.get(0).equals("--liquibase");
    if (!liquibase && given.size() != 1) {
      throw new IllegalArgumentException(
          "expected: [--liquibase author] name of a persistence unit");
    }
    String unit = given.get(given.size() - 1);
    EntityManagerFactoryBuilder builder = new Units().find(unit);
    if (builder == null) {
      throw new IllegalArgumentException(
          "no META-INF/persistence.xml on the class path has a unit \""
              + unit
              + "\" for Hibernate");
    }
    try {
      Metadata metadata = builder.metadata();
      return liquibase
          ? PgToasterSchema.liquibase(metadata, given.get(1))
          : PgToasterSchema.script(metadata);
    } finally {
      builder.cancel();
    }
  }
}
