package io.pgtoaster.spring.actuate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.spring.boot.PgToasterProperties;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Configures the actuator endpoint {@code pgtoaster}. */
@AutoConfiguration(after = MaintenanceAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Maintenance.class)
@ConditionalOnAvailableEndpoint(PgToasterEndpoint.class)
public final class EndpointAutoConfiguration {
  EndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  PgToasterEndpoint pgToasterEndpoint(
      PgToaster toaster,
      PgToasterProperties properties,
      StoreStatistics statistics,
      Maintenance maintenance) {
    return new PgToasterEndpoint(toaster, properties.extension(), statistics, maintenance);
  }
}
