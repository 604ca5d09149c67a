package io.pgtoaster.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * Recognises a server that the application or its test starts. A bean provides its address, as for
 * a container, instead of a property.
 */
final class EmbeddedServer {
  /** Boot's class for {@code spring.datasource.*}, which is not public. */
  private static final String OF_PROPERTIES =
      "org.springframework.boot.jdbc.autoconfigure.PropertiesJdbcConnectionDetails";

  private EmbeddedServer() {}

  /**
   * Returns true if a data source connects to such a server. Gets the URL of the data source only
   * if there is such a server.
   */
  static boolean serves(DataSource dataSource, List<JdbcConnectionDetails> all)
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

  /** Returns server and database without parameters, which a data source may add. */
  private static String place(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }
}
