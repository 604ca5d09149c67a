package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.column.DocumentPath;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Plain {@code jsonb} and its operators. */
final class StockDocuments extends PostgresDocuments {
  StockDocuments(String compression, int budget) throws SQLException {
    super(Kind.PLAIN);
    Names.store(database(), "bench.docs", "data", compression);
    if (budget != 0) {
      database().run("ALTER TABLE bench.docs SET (toast_tuple_target = " + budget + ")");
    }
  }

  @Override
  Session session(Connection connection) {
    return new Statements(connection);
  }

  /** The statements of an application with a {@code jsonb} column. */
  private record Statements(Connection connection) implements Session {
    private Array steps(DocumentPath path) throws SQLException {
      return connection.createArrayOf("text", path.steps().toArray());
    }

    @Override
    public void insert(long id, String json) throws SQLException {
      String sql = "INSERT INTO docs (id, data) VALUES (?, CAST(? AS jsonb))";
      Sql.update(connection, sql, id, json);
    }

    @Override
    public void put(long id, String json) throws SQLException {
      Sql.update(connection, "UPDATE docs SET data = CAST(? AS jsonb) WHERE id = ?", json, id);
    }

    @Override
    public String load(long id) throws SQLException {
      return String.valueOf(
          Sql.get(connection, String.class, "SELECT data FROM docs WHERE id = ?", id));
    }

    @Override
    public @Nullable String get(long id, DocumentPath path) throws SQLException {
      String sql = "SELECT data #>> ? FROM docs WHERE id = ?";
      return Sql.get(connection, String.class, sql, steps(path), id);
    }

    @Override
    public Map<Long, String> getAll(Collection<Long> ids, DocumentPath path) throws SQLException {
      Map<Long, String> found = new LinkedHashMap<>();
      String sql = "SELECT id, data #>> ? FROM docs WHERE id = ANY (?)";
      Array keys = connection.createArrayOf("bigint", ids.toArray());
      try (PreparedStatement s = Sql.prepare(connection, sql, steps(path), keys);
          ResultSet r = s.executeQuery()) {
        while (r.next()) {
          found.put(r.getLong(1), r.getString(2));
        }
      }
      return found;
    }

    @Override
    public void set(long id, DocumentPath path, Object value) throws SQLException {
      edit("jsonb_set(data, ?, CAST(? AS jsonb))", id, path, value);
    }

    @Override
    public void append(long id, DocumentPath array, Object value) throws SQLException {
      edit("jsonb_insert(data, ?, CAST(? AS jsonb), true)", id, array.index(-1), value);
    }

    @Override
    public void insertAt(long id, DocumentPath element, Object value) throws SQLException {
      edit("jsonb_insert(data, ?, CAST(? AS jsonb))", id, element, value);
    }

    private void edit(String expression, long id, DocumentPath path, Object value)
        throws SQLException {
      String sql = "UPDATE docs SET data = " + expression + " WHERE id = ?";
      String json = JsonMapper.shared().writeValueAsString(value);
      Sql.update(connection, sql, steps(path), json, id);
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
