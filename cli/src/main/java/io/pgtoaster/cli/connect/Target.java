package io.pgtoaster.cli.connect;

import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database in the driver's terms.
 *
 * @param url JDBC URL, without user and password, so that no message can repeat them
 * @param properties properties of the driver
 */
record Target(String url, Map<String, String> properties) {
  private static final Pattern URI =
      Pattern.compile(
          "postgres(?:ql)?://(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?"
              + "(?<hosts>HOST(?:,HOST)*)(?:/(?<database>[^?@]*))?(?:\\?(?<query>.*))?"
                  .replace("HOST", "(?:\\[[^\\]/?@]*\\]|[^/?@:,\\[\\]]*)(?::[0-9]*)?"));

  /** Parameters that must not stay in the URL, because the driver repeats URLs in messages. */
  private static final Set<String> SECRETS = Set.of("user", "password", "sslpassword");

  /** Names that differ between libpq and the driver. */
  private static final Map<String, String> DRIVER_NAMES =
      Map.of(
          "application_name", "ApplicationName",
          "connect_timeout", "loginTimeout",
          "target_session_attrs", "targetServerType",
          "krbsrvname", "kerberosServerName");

  Target {
    properties = Map.copyOf(properties);
  }

  /** Parses a JDBC URL, or a URI in the syntax of libpq and psql. */
  static Target parse(String text) {
    if (text.startsWith("jdbc:postgresql:")) {
      return ofJdbc(text);
    }
    Matcher uri = URI.matcher(text);
    if (!uri.matches()) {
      throw notAUrl();
    }
    Map<String, String> properties = new LinkedHashMap<>();
    @Nullable String user = uri.group("user");
    if (user != null && !user.isEmpty()) {
      properties.put("user", decode(user));
    }
    @Nullable String password = uri.group("password");
    if (password != null) {
      properties.put("password", decode(password));
    }
    @Nullable String query = uri.group("query");
    for (String pair : query == null ? new String[0] : query.split("&")) {
      int equals = pair.indexOf('=');
      if (equals <= 0 && !pair.isEmpty()) {
        throw notAUrl();
      }
      if (equals > 0) {
        properties.put(
            driverName(decode(pair.substring(0, equals))), decode(pair.substring(equals + 1)));
      }
    }
    @Nullable String database = uri.group("database");
    return of(uri.group("hosts"), database == null ? "" : database, properties);
  }

  private static Failure notAUrl() {
    return new Failure(
        ExitCode.USAGE,
        "that is not the URL of a PostgreSQL database; give"
            + " jdbc:postgresql://host:5432/database or postgres://user@host:5432/database;"
            + " in a name or password, write / ? : @ as %2F %3F %3A %40");
  }

  private static Target ofJdbc(String text) {
    int query = text.indexOf('?');
    String place = query < 0 ? text : text.substring(0, query);
    if (place.contains("@")) {
      throw new Failure(
          ExitCode.USAGE,
          "a JDBC URL cannot contain a user before its host: begin with postgres:// in place of"
              + " jdbc:postgresql://, or end with ?user=NAME");
    }
    Map<String, String> properties = new LinkedHashMap<>();
    List<String> kept = new ArrayList<>();
    for (String pair : query < 0 ? new String[0] : text.substring(query + 1).split("&")) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals);
      if (SECRETS.contains(name)) {
        // Like the driver, decode a plus as a space.
        properties.put(name, decode(pair.substring(equals + 1).replace("+", "%20")));
      } else {
        kept.add(pair);
      }
    }
    String rest = String.join("&", kept);
    return new Target(rest.isEmpty() ? place : place + "?" + rest, properties);
  }

  /**
   * Creates a target. The properties may also contain the hosts and the database, under libpq's
   * names.
   */
  static Target of(String hosts, String database, Map<String, String> properties) {
    @Nullable String host = properties.remove("host");
    @Nullable String port = properties.remove("port");
    @Nullable String name = properties.remove("dbname");
    String place = host == null ? (hosts.isEmpty() ? "localhost" : hosts) : host;
    if (place.startsWith("/") || place.startsWith("%2F") || place.startsWith("%2f")) {
      throw new Failure(
          ExitCode.USAGE,
          "the host "
              + place
              + " is a directory of Unix sockets, which the driver cannot use; name a host");
    }
    return new Target(
        "jdbc:postgresql://"
            + place
            + (port == null ? "" : ":" + port)
            + "/"
            + (name == null ? database : encode(name)),
        properties);
  }

  private static String driverName(String name) {
    return DRIVER_NAMES.getOrDefault(name, name);
  }

  static String encode(String text) {
    return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Failure(
          ExitCode.USAGE, "the URL contains a % that is not followed by two digits", e);
    }
  }
}
