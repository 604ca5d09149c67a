package io.pgtoaster.quarkus.deployment;

import io.pgtoaster.quarkus.PgToasterProducer;
import io.pgtoaster.quarkus.PgToasterRecorder;
import io.quarkus.agroal.spi.JdbcDataSourceBuildItem;
import io.quarkus.agroal.spi.JdbcDataSourceSchemaReadyBuildItem;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.datasource.common.runtime.DataSourceUtil;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.Consume;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.util.List;

/** Adds the beans to applications whose default data source is PostgreSQL. */
class PgToasterProcessor {
  @BuildStep
  FeatureBuildItem feature() {
    return new FeatureBuildItem("pgtoaster");
  }

  @BuildStep
  void beans(
      PgToasterBuildConfig config,
      List<JdbcDataSourceBuildItem> sources,
      BuildProducer<AdditionalBeanBuildItem> beans,
      BuildProducer<HealthBuildItem> checks) {
    if (isUsed(sources)) {
      beans.produce(AdditionalBeanBuildItem.unremovableOf(PgToasterProducer.class));
      checks.produce(
          new HealthBuildItem("io.pgtoaster.quarkus.PgToasterHealthCheck", config.healthEnabled()));
    }
  }

  /** Runs before Hibernate, which waits for the schemas of its data sources. */
  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  @Consume(BeanContainerBuildItem.class)
  void initialize(
      PgToasterRecorder recorder,
      List<JdbcDataSourceBuildItem> sources,
      BuildProducer<JdbcDataSourceSchemaReadyBuildItem> ready) {
    if (isUsed(sources)) {
      recorder.initialize();
      ready.produce(
          new JdbcDataSourceSchemaReadyBuildItem(List.of(DataSourceUtil.DEFAULT_DATASOURCE_NAME)));
    }
  }

  private static boolean isUsed(List<JdbcDataSourceBuildItem> sources) {
    return sources.stream().anyMatch(s -> s.isDefault() && s.getDbKind().equals("postgresql"));
  }
}
