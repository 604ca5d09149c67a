package io.pgtoaster.hibernate.schema;

import java.util.Collection;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;

/** The stores of dropped tables: Hibernate drops this object when it has dropped the tables. */
final class LeftStores implements AuxiliaryDatabaseObject {
  private static final long serialVersionUID = 1;
  private static final String[] NOTHING = {};

  private final transient Metadata metadata;

  LeftStores(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public boolean appliesToDialect(Dialect dialect) {
    return dialect instanceof PostgreSQLDialect;
  }

  @Override
  public boolean beforeTablesOnCreation() {
    return true;
  }

  @Override
  public String[] sqlCreateStrings(SqlStringGenerationContext context) {
    return NOTHING;
  }

  @Override
  public String[] sqlDropStrings(SqlStringGenerationContext context) {
    Collection<Attachment> columns = Attachments.of(metadata, context);
    return columns.isEmpty() ? NOTHING : new String[] {DropScripts.dropNotedStores(columns)};
  }

  @Override
  public String getExportIdentifier() {
    return "pgtoaster-left-stores";
  }
}
