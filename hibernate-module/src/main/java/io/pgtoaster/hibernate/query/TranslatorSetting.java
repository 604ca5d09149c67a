package io.pgtoaster.hibernate.query;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Makes Hibernate translate queries with {@link PathTranslator} and {@link DocumentComparisons},
 * unless the application names translators. Loaded by {@link java.util.ServiceLoader}.
 */
public final class TranslatorSetting implements ServiceContributor {
  /** Creates the contributor. Called by {@link java.util.ServiceLoader}. */
  public TranslatorSetting() {}

  @Override
  public void contribute(StandardServiceRegistryBuilder builder) {
    Map<String, Object> settings = builder.getSettings();
    settings.putIfAbsent(QuerySettings.SEMANTIC_QUERY_PRODUCER, PathTranslator.class.getName());
    settings.putIfAbsent(
        QuerySettings.SEMANTIC_QUERY_TRANSLATOR, DocumentComparisons.class.getName());
  }
}
