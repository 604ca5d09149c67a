package io.pgtoaster.cli.connect;

import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database as the driver understands it.
 *
 * @param url JDBC URL, without user and password where they could be taken out
 * @param properties of the driver
 */
record Target(String url, Map<String, String> properties) {
  private static final Pattern URI =
      Pattern.compile(
          "postgres(?:ql)?://(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?"
              + "(?<hosts>[^/?@]*)(?:/(?<database>[^?]*))?(?:\\?(?<query>.*))?");

  /** Names that libpq and the driver have for the same thing. */
  private static final Map<String, String> DRIVER_NAMES =
      Map.of(
          "application_name", "ApplicationName",
          "connect_timeout", "loginTimeout",
          "target_session_attrs", "targetServerType",
          "krbsrvname", "kerberosServerName");

  Target {
    properties = Map.copyOf(properties);
  }

  /** Reads a JDBC URL, or a URI as libpq and psql take it. */
  static Target parse(String text) {
    if (text.startsWith("jdbc:postgresql:")) {
      return new Target(text, Map.of());
    }
    Matcher uri = URI.matcher(text);
    if (!uri.matches()) {
      throw new Failure(
          ExitCode.USAGE,
          "that is not the URL of a PostgreSQL database; it looks like"
              + " jdbc:postgresql://host:5432/database or postgres://user@host:5432/database");
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
      if (equals > 0) {
        properties.put(
            driverName(decode(pair.substring(0, equals))), decode(pair.substring(equals + 1)));
      }
    }
    @Nullable String database = uri.group("database");
    return of(uri.group("hosts"), database == null ? "" : database, properties);
  }

  /** The hosts and the database may also stand among the properties, by libpq's names. */
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
      throw new Failure(ExitCode.USAGE, "the URL has a % that is not followed by two digits", e);
    }
  }
}
