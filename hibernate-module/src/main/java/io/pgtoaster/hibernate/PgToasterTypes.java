package io.pgtoaster.hibernate;

import io.pgtoaster.hibernate.blob.BlobJavaType;
import io.pgtoaster.hibernate.jsonb.KeyedJsonJavaType;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.service.ServiceRegistry;

/** Registers the types of attributes. Loaded by {@link java.util.ServiceLoader}. */
public final class PgToasterTypes implements TypeContributor {
  /** Creates the contributor. Called by {@link java.util.ServiceLoader}. */
  public PgToasterTypes() {}

  @Override
  public void contribute(TypeContributions contributions, ServiceRegistry registry) {
    contributions.contributeJavaType(new BlobJavaType());
    contributions.contributeJavaType(new KeyedJsonJavaType());
  }
}
