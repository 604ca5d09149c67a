package io.pgtoaster.spring.actuate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of metrics.
 *
 * @param calls Whether calls on columns are counted and timed.
 * @param stores Whether the sizes of the stores are measured.
 * @param storeInterval Minimum interval between two readings of the store sizes, however often
 *     metrics are scraped. Each reading counts rows.
 */
@ConfigurationProperties("pgtoaster.metrics")
record MetricsProperties(
    @DefaultValue("true") boolean calls,
    @DefaultValue("true") boolean stores,
    @DefaultValue("10m") Duration storeInterval) {}
