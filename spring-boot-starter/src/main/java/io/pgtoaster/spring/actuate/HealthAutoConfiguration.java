package io.pgtoaster.spring.actuate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.spring.boot.PgToasterDataSource;
import io.pgtoaster.spring.boot.PgToasterProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Configures the health indicator {@code pgtoaster}. */
@AutoConfiguration(
    after = MaintenanceAutoConfiguration.class,
    beforeName =
        "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Maintenance.class)
@ConditionalOnEnabledHealthIndicator("pgtoaster")
public final class HealthAutoConfiguration {
  HealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "pgtoasterHealthIndicator")
  HealthIndicator pgtoasterHealthIndicator(
      PgToaster toaster,
      PgToasterDataSource source,
      PgToasterProperties properties,
      Maintenance maintenance) {
    return new PgToasterHealthIndicator(
        toaster, source.dataSource(), properties.extension(), maintenance);
  }
}
