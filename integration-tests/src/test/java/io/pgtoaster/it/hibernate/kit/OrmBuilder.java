package io.pgtoaster.it.hibernate.kit;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Recorder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.MappingSettings;
import org.junit.jupiter.api.Assumptions;

/** Settings of a session factory. By default it creates the tables and caches nothing. */
public final class OrmBuilder {
  private final Database database;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private String isolation = "read committed";
  private List<Class<?>> entities = List.of();

  OrmBuilder(Database database) {
    this.database = database;
    set("hibernate.hbm2ddl.auto", "create");
    set("hibernate.cache.use_second_level_cache", false);
  }

  public OrmBuilder entities(Class<?>... classes) {
    entities = List.of(classes);
    return this;
  }

  /** Sets any property of Hibernate. */
  public OrmBuilder set(String name, Object value) {
    settings.put(name, value);
    return this;
  }

  /** Creates the tables with these statements in place of Hibernate. */
  public OrmBuilder schema(String... statements) {
    database.run(statements);
    return set("hibernate.hbm2ddl.auto", "none");
  }

  public OrmBuilder batches(int size) {
    return set("hibernate.jdbc.batch_size", size).set("hibernate.order_inserts", true);
  }

  public OrmBuilder statistics() {
    return set("hibernate.generate_statistics", true);
  }

  /** Hibernate's JSON mapper for Jackson 3, which versions before 7.3 do not have. */
  public OrmBuilder jackson3() {
    String mapper = "org.hibernate.type.format.jackson.Jackson3JsonFormatMapper";
    try {
      return set(
          MappingSettings.JSON_FORMAT_MAPPER,
          Class.forName(mapper).getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException e) {
      return Assumptions.abort("this Hibernate has no " + mapper);
    }
  }

  /** Turns on the second-level cache, with separate regions for this factory. */
  public OrmBuilder cache() {
    return set("hibernate.cache.use_second_level_cache", true)
        .set("hibernate.cache.region.factory_class", "jcache")
        .set(
            "hibernate.javax.cache.provider",
            "com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider")
        .set("hibernate.javax.cache.missing_cache_strategy", "create")
        .set("hibernate.cache.region_prefix", database.name());
  }

  public OrmBuilder queryCache() {
    return cache().set("hibernate.cache.use_query_cache", true);
  }

  /** Sets the isolation level of all transactions, in SQL syntax. */
  public OrmBuilder isolation(String level) {
    isolation = level;
    return this;
  }

  public Orm build() {
    Recorder recorder = new Recorder();
    HikariDataSource pool =
        database.pool(
            10, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + isolation);
    settings.put("hibernate.connection.datasource", recorder.record(pool));
    MetadataSources sources =
        new MetadataSources(new StandardServiceRegistryBuilder().applySettings(settings).build());
    entities.forEach(sources::addAnnotatedClass);
    Orm orm = new Orm(database, pool, recorder, sources.buildMetadata().buildSessionFactory());
    recorder.clear();
    return orm;
  }
}
