package io.pgtoaster.spring.actuate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.pgtoaster.column.CallListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Configures the observation of calls on columns. */
@AutoConfiguration(
    beforeName = "io.pgtoaster.spring.boot.PgToasterAutoConfiguration",
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, ObservationRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnProperty(name = "pgtoaster.metrics.calls", matchIfMissing = true)
public final class CallMetricsAutoConfiguration {
  CallMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(CallListener.class)
  ObservedCalls pgToasterObservedCalls(
      ObjectProvider<ObservationRegistry> observations, MeterRegistry meters) {
    return new ObservedCalls(observations.getIfAvailable(() -> registryOf(meters)), meters);
  }

  /**
   * Returns a registry that turns observations into meters, for applications without a registry.
   */
  private static ObservationRegistry registryOf(MeterRegistry meters) {
    ObservationRegistry registry = ObservationRegistry.create();
    registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    return registry;
  }
}
