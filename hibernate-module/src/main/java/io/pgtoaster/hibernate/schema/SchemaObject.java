package io.pgtoaster.hibernate.schema;

import java.util.Collection;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;

/** An object that Hibernate's schema tools create and drop if there are attributes with content. */
abstract class SchemaObject implements AuxiliaryDatabaseObject {
  private static final long serialVersionUID = 1;

  private final transient Metadata metadata;

  SchemaObject(Metadata metadata) {
    this.metadata = metadata;
  }

  abstract Stream<String> create(Collection<Attachment> columns);

  abstract String drop(Collection<Attachment> columns);

  @Override
  public final boolean appliesToDialect(Dialect dialect) {
    return dialect instanceof PostgreSQLDialect;
  }

  @Override
  public final String[] sqlCreateStrings(SqlStringGenerationContext context) {
    Collection<Attachment> columns = Attachments.of(metadata, context);
    return columns.isEmpty() ? new String[0] : create(columns).toArray(String[]::new);
  }

  @Override
  public final String[] sqlDropStrings(SqlStringGenerationContext context) {
    Collection<Attachment> columns = Attachments.of(metadata, context);
    return columns.isEmpty() ? new String[0] : new String[] {drop(columns)};
  }
}
