package io.pgtoaster.hibernate;

import io.pgtoaster.hibernate.blob.BlobJavaType;
import io.pgtoaster.hibernate.jsonb.KeyedJsonJavaType;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.service.ServiceRegistry;

/** Registers the types of attributes; {@link java.util.ServiceLoader} finds it. */
public final class PgToasterTypes implements TypeContributor {
  /** Creates the contributor; {@link java.util.ServiceLoader} does. */
  public PgToasterTypes() {}

  @Override
  public void contribute(TypeContributions contributions, ServiceRegistry registry) {
    contributions.contributeJavaType(new BlobJavaType());
    contributions.contributeJavaType(new KeyedJsonJavaType());
  }
}
