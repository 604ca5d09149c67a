package io.pgtoaster.spring.actuate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.spring.boot.AutoConfigurationFile;
import io.pgtoaster.spring.kit.TestDatabase;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application with one table of blobs and one of documents. */
final class Application {
  final TestDatabase database = TestDatabase.empty();
  final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues(database.properties())
          .withPropertyValues("management.endpoints.web.exposure.include=*")
          .withBean(MeterRegistry.class, () -> new SimpleMeterRegistry())
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class, MetricsAutoConfiguration.class))
          .withConfiguration(AutoConfigurations.of(AutoConfigurationFile.classes()));
  final PgToaster direct = PgToaster.create(database.dataSource());

  Application() {
    direct.catalog().install();
    database.run(
        "CREATE TABLE note (id int PRIMARY KEY, text bigint)",
        "CREATE TABLE paper (id int PRIMARY KEY, body jsonb)",
        "INSERT INTO note SELECT generate_series(1, 10)",
        "INSERT INTO paper VALUES (1, '{\"a\": 1}')");
    direct.catalog().attach("note", "text", BlobOptions.defaults());
    direct.catalog().attach("paper", "body", JsonOptions.defaults());
  }
}
