package io.pgtoaster.spring.hibernate;

import io.pgtoaster.column.CallListener;
import io.pgtoaster.hibernate.PgToasterSettings;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import io.pgtoaster.spring.boot.PgToasterDataSource;
import io.pgtoaster.spring.boot.PgToasterProperties;
import io.pgtoaster.spring.boot.PgToasterSchemaInitializer;
import org.hibernate.integrator.spi.Integrator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/** Configures entities as the properties say, and attaches their columns. */
@AutoConfiguration(
    after = PgToasterAutoConfiguration.class,
    beforeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({
  PgToasterSettings.class,
  Integrator.class,
  HibernatePropertiesCustomizer.class
})
@ConditionalOnBean(PgToasterSchemaInitializer.class)
public final class EntitiesAutoConfiguration {
  EntitiesAutoConfiguration() {}

  /** Where the catalog is installed at start. */
  @Bean
  @ConditionalOnProperty(name = "pgtoaster.schema.attach", matchIfMissing = true)
  HibernatePropertiesCustomizer pgToasterEntityColumns(
      PgToasterDataSource source, PgToasterSchemaInitializer initializer) {
    return settings -> {
      if (initializer.isWanted()) {
        settings.put(EntityColumns.SETTING, new EntityColumns(source.dataSource()));
      }
    };
  }

  /**
   * Calls of attributes go beside the bean, and are reported and made as its calls are; objects are
   * mapped as the application maps JSON elsewhere, unless it names a mapper for Hibernate.
   */
  @Bean
  HibernatePropertiesCustomizer pgToasterEntityCalls(
      PgToasterProperties properties,
      ObjectProvider<CallListener> listener,
      ObjectProvider<JsonMapper> mapper) {
    return settings -> {
      settings.putIfAbsent(PgToasterSettings.EXTENSION, properties.extension());
      listener.ifAvailable(each -> settings.putIfAbsent(PgToasterSettings.CALL_LISTENER, each));
      mapper.ifUnique(m -> settings.putIfAbsent(PgToasterSettings.DEFAULT_JSON_MAPPER, m));
    };
  }
}
