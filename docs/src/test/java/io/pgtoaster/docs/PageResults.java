package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Compares the results on a page with those of its samples. */
public final class PageResults {
  private int results;

  /** Returns the number of compared results. */
  int results() {
    return results;
  }

  /** Compares a result with the one on the page. */
  public void is(String expected, Object actual) {
    results++;
    assertThat(String.valueOf(actual)).isEqualTo(expected);
  }

  /** Runs a statement. */
  public void sql(DataSource dataSource, String sql) throws SQLException {
    try (Connection c = dataSource.getConnection();
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  /** Runs a query that returns one value. */
  public String query(DataSource dataSource, String sql) throws SQLException {
    try (Connection c = dataSource.getConnection();
        Statement s = c.createStatement();
        ResultSet rows = s.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
