package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.spring.kit.TestDatabase;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** A data source that routes each thread to its tenant's database. */
class RoutedIT {
  private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

  private static final class ByTenant extends AbstractRoutingDataSource {
    @Override
    protected @Nullable Object determineCurrentLookupKey() {
      return TENANT.get();
    }
  }

  private static TestDatabase database() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.run("CREATE TABLE note (id int PRIMARY KEY)", "INSERT INTO note VALUES (1)");
    database.toaster().catalog().attach("note", "text", BlobOptions.defaults());
    return database;
  }

  @Test
  void stream_appendsToTheTenantOfItsWriter() throws Exception {
    TestDatabase anns = database();
    TestDatabase bobs = database();
    ByTenant routed = new ByTenant();
    routed.setTargetDataSources(Map.of("bob", bobs.dataSource()));
    routed.setDefaultTargetDataSource(anns.dataSource());
    routed.afterPropertiesSet();
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PgToasterAutoConfiguration.class))
        .withBean(DataSource.class, () -> new LazyConnectionDataSourceProxy(routed))
        .run(
            context -> {
              TENANT.set("bob");
              try (BlobAppendStream out =
                  context
                      .getBean(PgToaster.class)
                      .blobs("note", "text")
                      .appendStream(1, StreamOptions.defaults().withCommitEvery(64 << 10))) {
                out.write(new byte[200_000]);
              } finally {
                TENANT.remove();
              }
            });
    assertThat(anns.toaster().blobs("note", "text").length(1)).isZero();
    assertThat(bobs.toaster().blobs("note", "text").length(1)).isEqualTo(200_000);
  }
}
