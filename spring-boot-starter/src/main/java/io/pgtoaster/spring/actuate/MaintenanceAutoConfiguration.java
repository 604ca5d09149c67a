package io.pgtoaster.spring.actuate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import io.pgtoaster.spring.boot.PgToasterDataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Configures scheduled maintenance. No job runs until its schedule is set. */
@AutoConfiguration(after = PgToasterAutoConfiguration.class)
@ConditionalOnBean(PgToasterDataSource.class)
@ConditionalOnSingleCandidate(PgToaster.class)
@EnableConfigurationProperties({MaintenanceProperties.class, MetricsProperties.class})
public final class MaintenanceAutoConfiguration {
  MaintenanceAutoConfiguration() {}

  @Bean
  Maintenance pgToasterMaintenance(
      PgToaster toaster, PgToasterDataSource source, MaintenanceProperties properties) {
    return new Maintenance(toaster, source.dataSource(), properties);
  }

  @Bean
  MaintenanceScheduler pgToasterMaintenanceScheduler(
      Maintenance maintenance, MaintenanceProperties properties) {
    return new MaintenanceScheduler(maintenance, properties);
  }

  @Bean
  StoreStatistics pgToasterStoreStatistics(PgToaster toaster, MetricsProperties properties) {
    return new StoreStatistics(toaster.catalog(), properties.storeInterval());
  }
}
