package io.pgtoaster.hibernate.schema;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.boot.model.relational.internal.SqlStringGenerationContextImpl;
import org.hibernate.engine.config.spi.ConfigurationService;

/**
 * Prints the SQL that attributes with content need, for Flyway, Liquibase or psql: the catalog, and
 * the statement that attaches each column. The tables must exist before it runs. Everything printed
 * can be run again. Existing objects stay unchanged, and attached columns keep their options. There
 * is one exception: a column is rejected if it is attached but does not keep in line every path
 * that the mapping requires.
 */
public final class PgToasterSchema {
  private PgToasterSchema() {}

  /**
   * Returns one SQL script, for Flyway, or for {@code psql -1 -v ON_ERROR_STOP=1 -f}.
   *
   * @param metadata metadata of the entities
   * @return the script; empty if no attribute has content
   */
  public static String script(Metadata metadata) {
    Collection<Attachment> columns = columns(metadata);
    return columns.isEmpty()
        ? ""
        : Scripts.install()
            + "\n-- The columns. The tables must exist.\n"
            + columns.stream().map(c -> c.sql() + ";\n").collect(Collectors.joining());
  }

  /**
   * Returns a changelog in Liquibase's formatted SQL. The catalog is a changeset that runs again
   * when it changes; each column has its own changeset.
   *
   * @param metadata metadata of the entities
   * @param author author of the changesets; letters, digits, dots, hyphens and underscores
   * @return the changelog; empty if no attribute has content
   * @throws IllegalArgumentException if the author contains other characters
   */
  public static String liquibase(Metadata metadata, String author) {
    if (!author.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          "an author consists only of letters, digits, dots, hyphens and underscores");
    }
    Collection<Attachment> columns = columns(metadata);
    if (columns.isEmpty()) {
      return "";
    }
    StringBuilder log = new StringBuilder("--liquibase formatted sql\n\n");
    append(log, author, "pgtoaster-catalog", " runOnChange:true", Scripts.installAtOnce());
    for (Attachment column : columns) {
      String id = column.describe().replaceAll("[^A-Za-z0-9._-]+", "_");
      String hash = Integer.toHexString(column.describe().hashCode());
      append(log, author, "pgtoaster-attach-" + id + "-" + hash, "", column.sql());
    }
    return log.toString();
  }

  /**
   * Returns the statements that attach the columns, for applications that install the catalog
   * separately. They need the catalog and the tables. They can be run again: an attached column
   * keeps its options.
   *
   * @param metadata metadata of the entities
   * @return one statement for each column, ordered by name, without a trailing semicolon; empty if
   *     no attribute has content. A statement fails if the column is attached to another toaster,
   *     or does not keep in line every path that the mapping requires
   */
  public static List<String> attachments(Metadata metadata) {
    return columns(metadata).stream().map(Attachment::sql).toList();
  }

  private static void append(StringBuilder log, String author, String id, String more, String sql) {
    log.append(
            "--changeset %s:%s splitStatements:false stripComments:false%s\n"
                .formatted(author, id, more))
        .append(sql)
        .append("\n\n");
  }

  private static Collection<Attachment> columns(Metadata metadata) {
    Database database = metadata.getDatabase();
    SqlStringGenerationContext names =
        SqlStringGenerationContextImpl.fromConfigurationMapForMigration(
            database.getJdbcEnvironment(),
            database,
            database.getServiceRegistry().requireService(ConfigurationService.class).getSettings());
    return Attachment.all(metadata, names);
  }
}
