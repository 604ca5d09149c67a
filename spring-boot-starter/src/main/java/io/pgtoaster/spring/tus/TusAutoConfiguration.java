package io.pgtoaster.spring.tus;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import io.pgtoaster.spring.boot.PgToasterDataSource;
import io.pgtoaster.spring.boot.PgToasterSchemaInitializer;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Accepts uploads over the tus protocol if {@code pgtoaster.tus.enabled} is true. */
@AutoConfiguration(
    after = PgToasterAutoConfiguration.class,
    afterName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "pgtoaster.tus.enabled", havingValue = "true")
@ConditionalOnSingleCandidate(PgToaster.class)
@EnableConfigurationProperties(TusProperties.class)
@ImportRuntimeHints(TusAutoConfiguration.Hints.class)
public final class TusAutoConfiguration {
  private static final String SCRIPT = "io/pgtoaster/spring/tus/upload.sql";

  /** Runs before handlers that match all paths. */
  private static final int ORDER = -1;

  TusAutoConfiguration() {}

  @Bean
  DataSourceScriptDatabaseInitializer tusUploadTableInitializer(
      PgToasterSchemaInitializer catalog, PgToasterDataSource source) {
    DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
    settings.setSchemaLocations(List.of("classpath:" + SCRIPT));
    settings.setSeparator(ScriptUtils.EOF_STATEMENT_SEPARATOR);
    settings.setMode(
        catalog.isWanted() ? DatabaseInitializationMode.ALWAYS : DatabaseInitializationMode.NEVER);
    return new DataSourceScriptDatabaseInitializer(source.dataSource(), settings);
  }

  @Bean
  @ConditionalOnMissingBean
  TusUploads tusUploads(TusProperties tus, PgToaster toaster, PgToasterDataSource source) {
    ColumnName column =
        new ColumnName(
            tus.schema(), required("table", tus.table()), required("column", tus.column()));
    return new TableUploads(
        toaster.blobs(column), new JdbcTemplate(source.dataSource()), tus.metadata());
  }

  @Bean
  SimpleUrlHandlerMapping tusHandlerMapping(
      TusProperties tus,
      TusUploads uploads,
      PgToasterDataSource source,
      ObjectProvider<PlatformTransactionManager> transactionManagers) {
    DataSource dataSource = source.dataSource();
    UploadService service =
        new UploadService(
            uploads,
            new UploadTable(JdbcClient.create(dataSource), tus.expireAfter()),
            new TransactionTemplate(
                TransactionManagers.of(dataSource, transactionManagers.getIfUnique())),
            pieces(tus),
            memory(tus.maxMemory()),
            tus.maxSize().isNegative() ? Long.MAX_VALUE : tus.maxSize().toBytes());
    TusHandler handler = new TusHandler(service);
    String path = StringUtils.trimTrailingCharacter(tus.path(), '/');
    return new SimpleUrlHandlerMapping(
        Map.of(path, handler, path + "/", handler, path + "/{" + TusHandler.ID + "}", handler),
        ORDER);
  }

  private static StreamOptions pieces(TusProperties tus) {
    try {
      return StreamOptions.defaults().withCommitEvery(tus.commitEvery().toBytes());
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          "pgtoaster.tus.commit-every", tus.commitEvery(), String.valueOf(e.getMessage()));
    }
  }

  private static UploadMemory memory(@Nullable DataSize given) {
    if (given == null) {
      return new UploadMemory(Runtime.getRuntime().maxMemory() / 4);
    }
    if (!given.isNegative() && given.toBytes() < BodyBuffer.MEMORY) {
      throw new InvalidConfigurationPropertyValueException(
          "pgtoaster.tus.max-memory", given, "one upload takes " + BodyBuffer.MEMORY + " bytes");
    }
    return new UploadMemory(given.isNegative() ? Long.MAX_VALUE : given.toBytes());
  }

  private static String required(String name, @Nullable String value) {
    if (value == null) {
      throw new InvalidConfigurationPropertyValueException(
          "pgtoaster.tus." + name,
          null,
          "uploads need the name of a table and of its column, or a bean of type TusUploads");
    }
    return value;
  }

  static final class Hints implements RuntimeHintsRegistrar {
    Hints() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
      hints.resources().registerPattern(SCRIPT);
    }
  }
}
