package io.pgtoaster.hibernate.query;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Has queries translated by {@link PathTranslator} and {@link DocumentComparisons}, unless the
 * application names translators; {@link java.util.ServiceLoader} finds it.
 */
public final class TranslatorSetting implements ServiceContributor {
  /** Creates the contributor; {@link java.util.ServiceLoader} does. */
  public TranslatorSetting() {}

  @Override
  public void contribute(StandardServiceRegistryBuilder builder) {
    Map<String, Object> settings = builder.getSettings();
    settings.putIfAbsent(QuerySettings.SEMANTIC_QUERY_PRODUCER, PathTranslator.class.getName());
    settings.putIfAbsent(
        QuerySettings.SEMANTIC_QUERY_TRANSLATOR, DocumentComparisons.class.getName());
  }
}
