package io.pgtoaster.quarkus;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.CallListener;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.quarkus.PgToasterConfig.Initialize;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.transaction.TransactionSynchronizationRegistry;
import javax.sql.DataSource;
import tools.jackson.databind.json.JsonMapper;

/** Produces the bean for the default data source, and installs the catalog there. */
@Singleton
public class PgToasterProducer {
  private final PgToasterConfig config;
  private final DataSource dataSource;
  private boolean attachesEntities;

  PgToasterProducer(PgToasterConfig config, DataSource dataSource) {
    this.config = config;
    this.dataSource = dataSource;
  }

  @Produces
  @Singleton
  @DefaultBean
  PgToaster pgToaster(
      TransactionSynchronizationRegistry registry,
      Instance<CallListener> listener,
      Instance<JsonMapper> mapper) {
    PgToaster toaster = PgToaster.create(dataSource, new JtaConnections(dataSource, registry));
    if (listener.isResolvable()) {
      toaster = toaster.withListener(listener.get());
    }
    if (mapper.isResolvable()) {
      toaster = toaster.withMapper(mapper.get());
    }
    return config.extension() ? toaster : toaster.withoutExtension();
  }

  void initialize(boolean hasEntities) {
    if (config.schema().initialize() == Initialize.ALWAYS) {
      attachesEntities = hasEntities && config.schema().attach();
      Catalog catalog = PgToaster.create(dataSource).catalog();
      if (catalog.installedVersion() != ColumnLookup.CATALOG_VERSION) {
        catalog.install();
      }
    }
  }

  DataSource dataSource() {
    return dataSource;
  }

  /** Returns true if the catalog is installed at startup, and entities may have content. */
  boolean attachesEntities() {
    return attachesEntities;
  }
}
