package io.pgtoaster.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * A server that the application or its test brings: a bean tells where it is, as that of a
 * container does, and no property.
 */
final class EmbeddedServer {
  /** What Boot makes of {@code spring.datasource.*}; the class is its own. */
  private static final String OF_PROPERTIES =
      "org.springframework.boot.jdbc.autoconfigure.PropertiesJdbcConnectionDetails";

  private EmbeddedServer() {}

  /** Whether a data source leads to such a server; asks it for its URL only if there is one. */
  static boolean isBehind(DataSource dataSource, List<JdbcConnectionDetails> all)
      throws SQLException {
    List<String> brought =
        all.stream()
            .filter(details -> !details.getClass().getName().equals(OF_PROPERTIES))
            .map(details -> place(details.getJdbcUrl()))
            .toList();
    if (brought.isEmpty()) {
      return false;
    }
    try (Connection connection = dataSource.getConnection()) {
      return brought.contains(place(String.valueOf(connection.getMetaData().getURL())));
    }
  }

  /** Server and database without parameters, which a data source may add. */
  private static String place(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }
}
