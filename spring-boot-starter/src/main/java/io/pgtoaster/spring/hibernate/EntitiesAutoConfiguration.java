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

/** Configures entities according to the properties, and attaches their columns. */
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

  /** Applies if the catalog is installed at startup. */
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
   * Calls of entity attributes do not go through the PgToaster bean, but are reported and executed
   * like its calls. Objects are mapped with the application's JSON mapper, unless the application
   * names a mapper for Hibernate.
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
