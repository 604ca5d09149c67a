package io.pgtoaster.hibernate.schema;

import java.util.Collection;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;

/** The stores of dropped tables. Hibernate drops this object after it has dropped the tables. */
final class OrphanedStores extends SchemaObject {
  private static final long serialVersionUID = 1;

  OrphanedStores(Metadata metadata) {
    super(metadata);
  }

  @Override
  public boolean beforeTablesOnCreation() {
    return true;
  }

  @Override
  Stream<String> create(Collection<Attachment> columns) {
    return Stream.empty();
  }

  @Override
  String drop(Collection<Attachment> columns) {
    return DropScripts.dropRecordedStores(columns);
  }

  @Override
  public String getExportIdentifier() {
    return "pgtoaster-left-stores";
  }
}
