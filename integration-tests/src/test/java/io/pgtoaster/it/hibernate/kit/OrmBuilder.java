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

/** Settings of a session factory. Without more it makes the tables and caches nothing. */
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

  /** Any setting of Hibernate. */
  public OrmBuilder set(String name, Object value) {
    settings.put(name, value);
    return this;
  }

  /** Makes the tables by these statements; Hibernate makes none. */
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

  /** Hibernate's own JSON mapper by Jackson 3, which versions before 7.3 do not have. */
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

  /** Turns the second-level cache on, with regions of this factory's own. */
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

  /** The isolation of all transactions, in SQL's words. */
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
