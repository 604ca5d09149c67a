package io.pgtoaster.hibernate.query;

import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Has HQL translated by {@link PathTranslator}, unless the application names a translator; {@link
 * java.util.ServiceLoader} finds it.
 */
public final class TranslatorSetting implements ServiceContributor {
  /** Creates the contributor; {@link java.util.ServiceLoader} does. */
  public TranslatorSetting() {}

  @Override
  public void contribute(StandardServiceRegistryBuilder builder) {
    builder
        .getSettings()
        .putIfAbsent(QuerySettings.SEMANTIC_QUERY_PRODUCER, PathTranslator.class.getName());
  }
}
