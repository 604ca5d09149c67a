package io.pgtoaster.spring.actuate;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Configures the gauges of stores and the meters of maintenance. */
@AutoConfiguration(
    after = MaintenanceAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, Maintenance.class})
public final class MetricsAutoConfiguration {
  MetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnProperty(name = "pgtoaster.metrics.stores", matchIfMissing = true)
  StoreMetrics pgToasterStoreMetrics(StoreStatistics statistics) {
    return new StoreMetrics(statistics);
  }

  @Bean
  JobMetrics pgToasterJobMetrics(Maintenance maintenance) {
    return new JobMetrics(maintenance);
  }
}
