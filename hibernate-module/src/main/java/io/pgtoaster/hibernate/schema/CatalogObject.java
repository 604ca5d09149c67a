package io.pgtoaster.hibernate.schema;

import java.util.Collection;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;

/**
 * The catalog and the attached columns, created after the tables. Hibernate drops this object
 * before it drops the tables or updates a schema. The stores are recorded at that time, and {@link
 * OrphanedStores} drops those whose tables have been dropped.
 */
final class CatalogObject extends SchemaObject {
  private static final long serialVersionUID = 1;

  private final boolean installed;

  CatalogObject(Metadata metadata, boolean installed) {
    super(metadata);
    this.installed = installed;
  }

  @Override
  public boolean beforeTablesOnCreation() {
    return false;
  }

  @Override
  Stream<String> create(Collection<Attachment> columns) {
    return Stream.concat(
        Stream.of(Scripts.installAtOnce()).filter(script -> !installed),
        columns.stream().map(Attachment::sql));
  }

  @Override
  String drop(Collection<Attachment> columns) {
    return DropScripts.recordStores(columns);
  }

  @Override
  public String getExportIdentifier() {
    return "pgtoaster-catalog";
  }
}
