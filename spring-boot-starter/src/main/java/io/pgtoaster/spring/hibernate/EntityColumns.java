package io.pgtoaster.spring.hibernate;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attaches the columns of entities if their tables exist and they are not attached yet. */
record EntityColumns(DataSource dataSource) {
  /** Setting of a session factory that contains an instance of this class. */
  static final String SETTING = "io.pgtoaster.spring.entity_columns";

  private static final Logger LOG = LoggerFactory.getLogger(EntityColumns.class);
  private static final String UNDEFINED_TABLE = "42P01";
  private static final String UNDEFINED_SCHEMA = "3F000";

  /** Runs statements that attach one column each and do nothing if it is already attached. */
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
          // Hibernate may create the table later; it then also attaches its columns.
          LOG.debug("not attached, because the table does not exist yet: {}", statement);
        }
      }
    }
  }
}
