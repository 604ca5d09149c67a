package io.pgtoaster.spring.boot;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.CallListener;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures a {@link PgToaster} whose calls join Spring's transactions, and installs the catalog.
 */
@AutoConfiguration(
    after = DataSourceAutoConfiguration.class,
    beforeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({PgToaster.class, DataSource.class})
@Conditional(OnDataSource.class)
@EnableConfigurationProperties(PgToasterProperties.class)
@ImportRuntimeHints(Hints.class)
public final class PgToasterAutoConfiguration {
  PgToasterAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  PgToasterDataSource pgToasterDataSource(
      PgToasterProperties properties,
      ListableBeanFactory beans,
      ObjectProvider<DataSource> dataSources) {
    return new PgToasterDataSource(DataSources.find(properties.datasource(), beans, dataSources));
  }

  @Bean
  @ConditionalOnMissingBean
  PgToasterSchemaInitializer pgToasterSchemaInitializer(
      PgToasterProperties properties,
      PgToasterDataSource source,
      ObjectProvider<JdbcConnectionDetails> details) {
    return new PgToasterSchemaInitializer(
        source.dataSource(), properties.schema().initialize(), details.stream().toList());
  }

  @Bean
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  PgToaster pgToaster(
      PgToasterProperties properties,
      PgToasterDataSource source,
      ObjectProvider<CallListener> listeners,
      ObjectProvider<JsonMapper> mapper) {
    DataSource dataSource = source.dataSource();
    PgToaster toaster = PgToaster.create(dataSource, new SpringTransactions(dataSource));
    if (DataSources.isRouted(dataSource)) {
      toaster = toaster.inCallersThread();
    }
    CallListener listener = listeners.getIfAvailable();
    if (listener != null) {
      toaster = toaster.withListener(listener);
    }
    JsonMapper objects = mapper.getIfUnique();
    if (objects != null) {
      toaster = toaster.withMapper(objects);
    }
    return properties.extension() ? toaster : toaster.withoutExtension();
  }

  @Bean
  @ConditionalOnProperty(name = "pgtoaster.schema.check", matchIfMissing = true)
  @DependsOnDatabaseInitialization
  SchemaCheck pgToasterSchemaCheck(PgToasterDataSource source) {
    return new SchemaCheck(PgToaster.create(source.dataSource()).catalog());
  }
}
