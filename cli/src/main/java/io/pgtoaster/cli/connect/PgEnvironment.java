package io.pgtoaster.cli.connect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables that PostgreSQL's own programs use to find a database. The driver
 * itself reads {@code PGPASSFILE}, {@code PGSERVICEFILE} and {@code PGSYSCONFDIR}.
 */
final class PgEnvironment {
  /** Any of these selects a database; PGUSER or PGPASSWORD alone does not. */
  private static final List<String> PLACES =
      List.of("PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGSERVICE");

  private static final Map<String, String> PROPERTIES =
      Map.of(
          "PGUSER", "user",
          "PGPASSWORD", "password",
          "PGSSLMODE", "sslmode",
          "PGSSLROOTCERT", "sslrootcert",
          "PGSSLCERT", "sslcert",
          "PGSSLKEY", "sslkey",
          "PGOPTIONS", "options",
          "PGCONNECT_TIMEOUT", "loginTimeout",
          "PGAPPNAME", "ApplicationName");

  private PgEnvironment() {}

  static Optional<Target> target(Map<String, String> env) {
    @Nullable String url = value(env, "PGTOASTER_URL");
    if (url != null) {
      return Optional.of(withCredentials(Target.parse(url), env));
    }
    if (PLACES.stream().allMatch(name -> value(env, name) == null)) {
      return Optional.empty();
    }
    Map<String, String> properties = properties(env);
    @Nullable String service = value(env, "PGSERVICE");
    if (service != null && value(env, "PGHOST") == null) {
      return Optional.of(
          new Target("jdbc:postgresql:///?service=" + Target.encode(service), properties));
    }
    @Nullable String address = value(env, "PGHOSTADDR");
    put(properties, "host", address == null ? value(env, "PGHOST") : address);
    put(properties, "port", value(env, "PGPORT"));
    put(properties, "dbname", value(env, "PGDATABASE"));
    return Optional.of(Target.of("", "", properties));
  }

  /** Adds the credentials; the URL takes precedence. */
  static Target withCredentials(Target target, Map<String, String> env) {
    Map<String, String> all = properties(env);
    all.putAll(target.properties());
    return new Target(target.url(), all);
  }

  private static Map<String, String> properties(Map<String, String> env) {
    Map<String, String> properties = new LinkedHashMap<>();
    PROPERTIES.forEach((name, property) -> put(properties, property, value(env, name)));
    return properties;
  }

  private static void put(Map<String, String> map, String name, @Nullable String value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  private static @Nullable String value(Map<String, String> env, String name) {
    @Nullable String value = env.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
