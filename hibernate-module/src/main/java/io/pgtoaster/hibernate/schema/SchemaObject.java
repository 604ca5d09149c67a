package io.pgtoaster.hibernate.schema;

import java.util.Collection;
import java.util.function.Function;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;

/**
 * Statements that Hibernate's schema tools run next to those of the tables if there are attributes
 * with content. An object that is created after the tables is dropped before them, and the reverse.
 */
final class SchemaObject implements AuxiliaryDatabaseObject {
  private static final long serialVersionUID = 1;

  private final transient Metadata metadata;
  private final String name;
  private final boolean beforeTables;
  private final transient Statements create;
  private final transient Statements drop;

  /** Returns the statements for the columns to attach. */
  interface Statements extends Function<Collection<Attachment>, String[]> {}

  SchemaObject(
      Metadata metadata, String name, boolean beforeTables, Statements create, Statements drop) {
    this.metadata = metadata;
    this.name = name;
    this.beforeTables = beforeTables;
    this.create = create;
    this.drop = drop;
  }

  @Override
  public boolean appliesToDialect(Dialect dialect) {
    return dialect instanceof PostgreSQLDialect;
  }

  @Override
  public boolean beforeTablesOnCreation() {
    return beforeTables;
  }

  @Override
  public String[] sqlCreateStrings(SqlStringGenerationContext context) {
    return statements(create, context);
  }

  @Override
  public String[] sqlDropStrings(SqlStringGenerationContext context) {
    return statements(drop, context);
  }

  private String[] statements(Statements of, SqlStringGenerationContext context) {
    Collection<Attachment> columns = Attachment.all(metadata, context);
    return columns.isEmpty() ? new String[0] : of.apply(columns);
  }

  @Override
  public String getExportIdentifier() {
    return name;
  }
}
