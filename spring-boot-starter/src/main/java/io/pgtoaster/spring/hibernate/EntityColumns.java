package io.pgtoaster.spring.hibernate;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attaches the columns of entities whose tables are there, if they are not attached. */
final class EntityColumns {
  /** Setting of a session factory that holds an instance of this. */
  static final String SETTING = "io.pgtoaster.spring.entity_columns";

  private static final Logger LOG = LoggerFactory.getLogger(EntityColumns.class);
  private static final String UNDEFINED_TABLE = "42P01";
  private static final String UNDEFINED_SCHEMA = "3F000";

  private final DataSource dataSource;

  EntityColumns(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Runs statements that attach a column each, and do nothing where it is attached. */
  void attach(List<String> statements) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement s = connection.createStatement()) {
      connection.setAutoCommit(true);
      s.setEscapeProcessing(false);
      for (String statement : statements) {
        try {
          s.execute(statement);
        } catch (SQLException e) {
          if (!UNDEFINED_TABLE.equals(e.getSQLState())
              && !UNDEFINED_SCHEMA.equals(e.getSQLState())) {
            throw e;
          }
          // Hibernate may make the table later, and attaches its columns then.
          LOG.debug("not attached, for there is no table yet: {}", statement);
        }
      }
    }
  }
}
