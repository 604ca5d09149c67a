package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.CallListener;
import io.pgtoaster.spring.actuate.PgToasterEndpoint;
import java.util.Arrays;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

/** Checks the beans under each condition, without a database. */
class ConditionsTest {
  private final ApplicationContextRunner none =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(all()))
          .withPropertyValues("pgtoaster.schema.initialize=never", "pgtoaster.schema.check=false");
  private final ApplicationContextRunner one =
      none.withBean("main", DataSource.class, PGSimpleDataSource::new);
  private final ApplicationContextRunner two =
      one.withBean("reports", DataSource.class, PGSimpleDataSource::new);

  private static Class<?>[] all() {
    return AutoConfigurationFile.classes();
  }

  @Test
  void withoutDataSource_nothingIsConfigured() {
    none.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PgToaster.class));
  }

  @Test
  void singleDataSource_isUsed() {
    one.run(context -> assertThat(context).hasSingleBean(PgToaster.class));
  }

  @Test
  void severalDataSources_requireAChoice() {
    two.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PgToaster.class));
  }

  @Test
  void namedDataSource_isUsed() {
    two.withPropertyValues("pgtoaster.datasource=reports")
        .run(
            context ->
                assertThat(context.getBean(PgToasterDataSource.class).dataSource())
                    .isSameAs(context.getBean("reports")));
  }

  @Test
  void primaryDataSource_isUsed() {
    one.withBean("better", DataSource.class, PGSimpleDataSource::new, bean -> bean.setPrimary(true))
        .run(
            context ->
                assertThat(context.getBean(PgToasterDataSource.class).dataSource())
                    .isSameAs(context.getBean("better")));
  }

  @Test
  void unknownName_failsWithTheExistingNames() {
    two.withPropertyValues("pgtoaster.datasource=report")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(UnsuitableDatabaseException.class)
                    .hasMessageContaining("main, reports"));
  }

  @Test
  void ownBean_replacesTheConfiguredOne() {
    PgToaster own = PgToaster.create(new PGSimpleDataSource());
    one.withBean("own", PgToaster.class, () -> own)
        .run(context -> assertThat(context).getBean(PgToaster.class).isSameAs(own));
  }

  @Test
  void severalBeans_areNeitherMaintainedNorMeasured() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                Arrays.stream(all())
                    .filter(c -> !c.getPackageName().matches(".*\\.(resource|tus)"))
                    .toArray(Class<?>[]::new)))
        .withPropertyValues("pgtoaster.schema.initialize=never", "pgtoaster.schema.check=false")
        .withBean("main", DataSource.class, PGSimpleDataSource::new)
        .withBean(MeterRegistry.class, () -> new SimpleMeterRegistry())
        .withBean("hot", PgToaster.class, () -> PgToaster.create(new PGSimpleDataSource()))
        .withBean("cold", PgToaster.class, () -> PgToaster.create(new PGSimpleDataSource()))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean("pgToasterMaintenance")
                    .doesNotHaveBean("pgtoasterHealthIndicator"));
  }

  @Test
  void withoutTheLibrary_nothingIsConfigured() {
    one.withClassLoader(new FilteredClassLoader(PgToaster.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("pgToaster"));
  }

  @Test
  void calls_areReportedOnlyWithAMeterRegistry() {
    one.run(context -> assertThat(context).doesNotHaveBean(CallListener.class));
    ApplicationContextRunner metered =
        one.withBean(MeterRegistry.class, () -> new SimpleMeterRegistry());
    metered.run(context -> assertThat(context).hasSingleBean(CallListener.class));
    metered
        .withPropertyValues("pgtoaster.metrics.calls=false")
        .run(context -> assertThat(context).doesNotHaveBean(CallListener.class));
    metered
        .withBean("own", CallListener.class, () -> operation -> null)
        .run(
            context ->
                assertThat(context).getBean(CallListener.class).isSameAs(context.getBean("own")));
  }

  @Test
  void withoutMicrometer_nothingIsMeasured() {
    one.withClassLoader(new FilteredClassLoader("io.micrometer"))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(PgToaster.class)
                    .doesNotHaveBean("pgToasterStoreMetrics")
                    .doesNotHaveBean(CallListener.class));
  }

  @Test
  void storeGauges_existUnlessDisabled() {
    ApplicationContextRunner metered =
        one.withBean(MeterRegistry.class, () -> new SimpleMeterRegistry());
    metered.run(context -> assertThat(context).hasBean("pgToasterStoreMetrics"));
    metered
        .withPropertyValues("pgtoaster.metrics.stores=false")
        .run(context -> assertThat(context).doesNotHaveBean("pgToasterStoreMetrics"));
  }

  @Test
  void healthIndicator_existsUnlessDisabled() {
    one.run(
        context ->
            assertThat(context)
                .hasSingleBean(HealthIndicator.class)
                .hasBean("pgtoasterHealthIndicator"));
    one.withPropertyValues("management.health.pgtoaster.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
  }

  @Test
  void endpoint_existsIfItIsExposed() {
    one.run(context -> assertThat(context).doesNotHaveBean(PgToasterEndpoint.class));
    one.withPropertyValues("management.endpoints.web.exposure.include=pgtoaster")
        .run(context -> assertThat(context).hasSingleBean(PgToasterEndpoint.class));
    one.withPropertyValues(
            "management.endpoints.web.exposure.include=pgtoaster",
            "management.endpoint.pgtoaster.access=NONE")
        .run(context -> assertThat(context).doesNotHaveBean(PgToasterEndpoint.class));
  }

  @Test
  void jobs_runOnlyIfScheduled() {
    one.run(context -> assertThat(scheduler(context).isRunning()).isFalse());
    one.withPropertyValues("pgtoaster.maintenance.gc.cron=0 0 3 * * *")
        .run(context -> assertThat(scheduler(context).isRunning()).isTrue());
    one.withInitializer(
            c -> c.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
        .withPropertyValues("pgtoaster.maintenance.gc.cron=0 0 3 * * *")
        .run(
            context ->
                assertThat(context.getBeanFactory().containsSingleton("pgToasterMaintenance"))
                    .as("also if all beans are lazy")
                    .isTrue());
    one.withPropertyValues("pgtoaster.maintenance.gc.cron=whenever")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("pgtoaster.maintenance.gc.cron"));
  }

  private static SmartLifecycle scheduler(org.springframework.context.ApplicationContext context) {
    return (SmartLifecycle) context.getBean("pgToasterMaintenanceScheduler");
  }
}
