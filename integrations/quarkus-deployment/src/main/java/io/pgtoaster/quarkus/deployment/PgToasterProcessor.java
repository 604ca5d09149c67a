package io.pgtoaster.quarkus.deployment;

import io.pgtoaster.quarkus.PgToasterProducer;
import io.pgtoaster.quarkus.PgToasterRecorder;
import io.quarkus.agroal.spi.JdbcDataSourceBuildItem;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerListenerBuildItem;
import io.quarkus.arc.deployment.SynthesisFinishedBuildItem;
import io.quarkus.arc.runtime.appcds.JvmStartupOptimizerArchiveRecorder;
import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.Consume;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Produce;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.pkg.builditem.JvmStartupOptimizerArchiveRequestedBuildItem;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.util.List;
import java.util.Optional;

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

  /**
   * Runs before Flyway, Liquibase and Hibernate, which wait for the bean container. All beans are
   * usable when the recorder runs.
   */
  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  @Consume(SynthesisFinishedBuildItem.class)
  @Produce(BeanContainerListenerBuildItem.class)
  void initialize(
      PgToasterRecorder recorder,
      JvmStartupOptimizerArchiveRecorder archive,
      Optional<JvmStartupOptimizerArchiveRequestedBuildItem> archiveRequested,
      List<JdbcDataSourceBuildItem> sources) {
    if (isUsed(sources)) {
      if (archiveRequested.isPresent()) {
        // A run that records an archive of classes ends before it connects to a database.
        archive.controlGenerationAndExit();
      }
      recorder.initialize(
          QuarkusClassLoader.isClassPresentAtRuntime(
              "io.pgtoaster.hibernate.schema.PgToasterSchema"));
    }
  }

  private static boolean isUsed(List<JdbcDataSourceBuildItem> sources) {
    return sources.stream().anyMatch(s -> s.isDefault() && s.getDbKind().equals("postgresql"));
  }
}
