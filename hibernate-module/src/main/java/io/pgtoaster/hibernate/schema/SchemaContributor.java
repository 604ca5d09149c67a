package io.pgtoaster.hibernate.schema;

import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;

/**
 * Adds stores and triggers to the schema that Hibernate exports; {@link java.util.ServiceLoader}
 * finds it.
 */
public final class SchemaContributor implements AdditionalMappingContributor {
  /** Creates the contributor; {@link java.util.ServiceLoader} does. */
  public SchemaContributor() {}

  @Override
  public void contribute(
      AdditionalMappingContributions contributions,
      InFlightMetadataCollector metadata,
      ResourceStreamLocator resources,
      MetadataBuildingContext context) {
    // What the entities are is asked when a schema is exported: all is bound then.
    // Before an update both are dropped in this order, with no DROP TABLE between them.
    metadata.getDatabase().addAuxiliaryDatabaseObject(new CatalogObject(metadata));
    metadata.getDatabase().addAuxiliaryDatabaseObject(new LeftStores(metadata));
  }
}
