package io.pgtoaster.hibernate.schema;

import java.util.Collection;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;

/**
 * The catalog, and the attached columns: made behind the tables. Hibernate drops it before it drops
 * the tables, and before it updates a schema: their stores are noted then, and {@link LeftStores}
 * drops those that the tables leave behind.
 */
final class CatalogObject implements AuxiliaryDatabaseObject {
  private static final long serialVersionUID = 1;
  private static final String[] NOTHING = {};

  private final transient Metadata metadata;

  CatalogObject(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public boolean appliesToDialect(Dialect dialect) {
    return dialect instanceof PostgreSQLDialect;
  }

  @Override
  public boolean beforeTablesOnCreation() {
    return false;
  }

  @Override
  public String[] sqlCreateStrings(SqlStringGenerationContext context) {
    Collection<Attachment> columns = Attachments.of(metadata, context);
    return columns.isEmpty()
        ? NOTHING
        : Stream.concat(Stream.of(Scripts.installAtOnce()), columns.stream().map(Attachment::sql))
            .toArray(String[]::new);
  }

  @Override
  public String[] sqlDropStrings(SqlStringGenerationContext context) {
    Collection<Attachment> columns = Attachments.of(metadata, context);
    return columns.isEmpty() ? NOTHING : new String[] {DropScripts.noteStores(columns)};
  }

  @Override
  public String getExportIdentifier() {
    return "pgtoaster-catalog";
  }
}
