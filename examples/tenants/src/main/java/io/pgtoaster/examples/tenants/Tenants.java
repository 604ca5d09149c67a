package io.pgtoaster.examples.tenants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.Catalog;
import io.pgtoaster.Distributable;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.JsonOptions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Finds the location of each tenant in the table {@code tenant} of the home database. */
@Component
class Tenants implements DisposableBean {
  /** Valid names of tenants. */
  static final String NAME = "[a-z][a-z0-9_]{0,39}";

  /** Prefix of the names of tenants' schemas and databases. */
  private static final String PREFIX = "tenant_";

  /** The location of a tenant's content. */
  enum Home {
    /** A schema of the home database. */
    SCHEMA,
    /** A separate database on the same server. */
    DATABASE
  }

  private static final Pattern URL = Pattern.compile("(jdbc:postgresql://[^/]*/)[^?]*(.*)");

  private final JdbcClient home;
  private final PgToaster toaster;
  private final JdbcConnectionDetails server;
  private final int connections;
  private final Map<String, Tenant> known = new ConcurrentHashMap<>();
  private final Map<String, HikariDataSource> pools = new ConcurrentHashMap<>();

  Tenants(
      DataSource home,
      PgToaster toaster,
      JdbcConnectionDetails server,
      @Value("${example.tenant-connections}") int connections) {
    this.home = JdbcClient.create(home);
    this.toaster = toaster;
    this.server = server;
    this.connections = connections;
    this.home
        .sql("CREATE TABLE IF NOT EXISTS tenant (name text PRIMARY KEY, home text NOT NULL)")
        .update();
  }

  Optional<Tenant> find(String name) {
    Tenant tenant = known.get(name);
    if (tenant != null) {
      return Optional.of(tenant);
    }
    Optional<Tenant> found = home(name).map(at -> open(name, at));
    found.ifPresent(t -> known.put(name, t));
    return found;
  }

  private Optional<Home> home(String name) {
    return home.sql("SELECT home FROM tenant WHERE name = CAST(? AS text)")
        .param(name)
        .query(String.class)
        .optional()
        .map(Home::valueOf);
  }

  /**
   * Creates a schema or a database for a tenant. After a failure, call it again to continue.
   *
   * @return false if the tenant exists in another location; nothing is changed
   */
  synchronized boolean add(String name, Home at) {
    Optional<Home> present = home(name);
    if (present.isPresent()) {
      return present.get() == at;
    }
    if (at == Home.DATABASE) {
      createDatabase(PREFIX + name);
    }
    prepare(open(name, at), at == Home.DATABASE ? PgToaster.create(pool(name)) : toaster);
    home.sql("INSERT INTO tenant VALUES (?, ?)").param(name).param(at.name()).update();
    return true;
  }

  private Tenant open(String name, Home at) {
    if (at == Home.SCHEMA) {
      return Tenant.of(PREFIX + name, home, toaster);
    }
    DataSource pool = pool(name);
    return Tenant.of(PREFIX + name, JdbcClient.create(pool), PgToaster.create(pool));
  }

  /** Returns a pool that connects on demand. */
  private DataSource pool(String name) {
    return pools.computeIfAbsent(
        name,
        n -> {
          Matcher url = URL.matcher(server.getJdbcUrl());
          if (!url.matches()) {
            throw new IllegalStateException(
                "spring.datasource.url is not of the form jdbc:postgresql://host/database");
          }
          HikariConfig config = new HikariConfig();
          config.setJdbcUrl(url.group(1) + PREFIX + n + url.group(2));
          config.setUsername(server.getUsername());
          config.setPassword(server.getPassword());
          config.setMaximumPoolSize(connections);
          config.setMinimumIdle(0);
          config.setInitializationFailTimeout(-1);
          return new HikariDataSource(config);
        });
  }

  private void createDatabase(String database) {
    boolean there =
        home.sql(
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_database WHERE datname = CAST(? AS"
                    + " text))")
            .param(database)
            .query(Boolean.class)
            .single();
    if (!there) {
      home.sql("CREATE DATABASE " + database).update();
    }
  }

  /** Creates the tables. The stores are in the tenant's schema, so Citus moves them with it. */
  private static void prepare(Tenant tenant, PgToaster toaster) {
    Catalog catalog = toaster.catalog();
    catalog.install();
    tenant.sql().sql("CREATE SCHEMA IF NOT EXISTS " + tenant.schema()).update();
    tenant
        .sql()
        .sql(
            "CREATE TABLE IF NOT EXISTS "
                + tenant.table()
                + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL)")
        .update();
    catalog.attachIfAbsent(
        ColumnName.of(tenant.schema(), Tenant.TABLE, "audio"),
        BlobOptions.defaults().withInOwnerSchema(true));
    catalog.attachIfAbsent(
        ColumnName.of(tenant.schema(), Tenant.TABLE, "notes"),
        JsonOptions.defaults().withInOwnerSchema(true));
    boolean citus =
        tenant
            .sql()
            .sql("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')")
            .query(Boolean.class)
            .single();
    if (citus
        && catalog.distributedSchemas().stream()
            .noneMatch(schema -> schema.schema().equals(tenant.schema()))) {
      catalog.distribute(Distributable.ofSchema(tenant.schema()));
    }
  }

  @Override
  public void destroy() {
    pools.values().forEach(HikariDataSource::close);
  }
}
