package io.pgtoaster.examples.tenants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Knows where each tenant is. The table {@code tenant} of the home database says so: {@code url} is
 * that of the database of a tenant that has its own, else NULL.
 */
@Component
class Tenants implements DisposableBean {
  /** What a tenant may be called. Its schema and database are named {@code tenant_...}. */
  static final String NAME = "[a-z][a-z0-9_]{0,39}";

  /** Where the content of a tenant is. */
  enum Home {
    /** A schema of the home database. */
    SCHEMA,
    /** A database of its own. */
    DATABASE
  }

  private static final Map<String, String> IN_OWNERS_SCHEMA = Map.of("store_schema", "owner");
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
    this.home.sql("CREATE TABLE IF NOT EXISTS tenant (name text PRIMARY KEY, url text)").update();
  }

  /** Finds a tenant. */
  Optional<Tenant> find(String name) {
    Tenant tenant = known.get(name);
    if (tenant == null) {
      tenant =
          home.sql("SELECT url FROM tenant WHERE name = ?")
              .param(name)
              .query((r, i) -> open(name, r.getString(1)))
              .optional()
              .orElse(null);
      if (tenant != null) {
        known.put(name, tenant);
      }
    }
    return Optional.ofNullable(tenant);
  }

  /** Makes a place for a tenant. What failed half-way is gone on with by calling this again. */
  void add(String name, Home at) {
    if (find(name).isPresent()) {
      return;
    }
    String url = at == Home.DATABASE ? createDatabase(name) : null;
    prepare(open(name, url), url == null ? toaster : PgToaster.create(pool(url)));
    home.sql("INSERT INTO tenant VALUES (?, ?) ON CONFLICT DO NOTHING")
        .param(name)
        .param(url)
        .update();
  }

  private Tenant open(String name, @Nullable String url) {
    String schema = "tenant_" + name;
    if (url == null) {
      return Tenant.of(schema, home, toaster);
    }
    HikariDataSource pool = pool(url);
    return Tenant.of(schema, JdbcClient.create(pool), PgToaster.create(pool));
  }

  private HikariDataSource pool(String url) {
    return pools.computeIfAbsent(
        url,
        u -> {
          HikariConfig config = new HikariConfig();
          config.setJdbcUrl(u);
          config.setUsername(server.getUsername());
          config.setPassword(server.getPassword());
          config.setMaximumPoolSize(connections);
          config.setMinimumIdle(0);
          return new HikariDataSource(config);
        });
  }

  /** Returns the address of a database of the same server, which is made if it is not there. */
  private String createDatabase(String name) {
    String database = "tenant_" + name;
    Matcher url = URL.matcher(server.getJdbcUrl());
    if (!url.matches()) {
      throw new IllegalStateException("no database can be made beside that of " + URL);
    }
    boolean there =
        home.sql("SELECT EXISTS (SELECT FROM pg_database WHERE datname = ?)")
            .param(database)
            .query(Boolean.class)
            .single();
    if (!there) {
      home.sql("CREATE DATABASE " + database).update();
    }
    return url.group(1) + database + url.group(2);
  }

  /**
   * Makes the tables. The stores stand in the schema of the tenant, so that Citus, where it is
   * there, moves them with it.
   */
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
    catalog.attachIfAbsent(tenant.schema(), Tenant.TABLE, "audio", "appendable", IN_OWNERS_SCHEMA);
    catalog.attachIfAbsent(tenant.schema(), Tenant.TABLE, "notes", "keyed", IN_OWNERS_SCHEMA);
    boolean citus =
        tenant
            .sql()
            .sql("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')")
            .query(Boolean.class)
            .single();
    if (citus
        && catalog.distributedSchemas().stream()
            .noneMatch(schema -> schema.schema().equals(tenant.schema()))) {
      catalog.distribute(tenant.schema());
    }
  }

  @Override
  public void destroy() {
    pools.values().forEach(HikariDataSource::close);
  }
}
