package io.pgtoaster.benchmarks.contender.document;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.column.DocumentPath;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
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
  StoreSession session(Connection connection) {
    return new Session(connection, new HashMap<>());
  }

  /** The statements of an application with a {@code jsonb} column, each prepared once. */
  private record Session(Connection connection, Map<String, PreparedStatement> statements)
      implements StoreSession {
    private PreparedStatement prepared(String sql) throws SQLException {
      PreparedStatement known = statements.get(sql);
      if (known == null) {
        known = connection.prepareStatement(sql);
        statements.put(sql, known);
      }
      return known;
    }

    private Array steps(DocumentPath path) throws SQLException {
      return connection.createArrayOf("text", path.steps().toArray());
    }

    @Override
    public void insert(long id, String json) throws SQLException {
      PreparedStatement s = prepared("INSERT INTO docs (id, data) VALUES (?, CAST(? AS jsonb))");
      s.setLong(1, id);
      s.setString(2, json);
      s.executeUpdate();
    }

    @Override
    public void put(long id, String json) throws SQLException {
      PreparedStatement s = prepared("UPDATE docs SET data = CAST(? AS jsonb) WHERE id = ?");
      s.setString(1, json);
      s.setLong(2, id);
      one(s);
    }

    @Override
    public String load(long id) throws SQLException {
      PreparedStatement s = prepared("SELECT data FROM docs WHERE id = ?");
      s.setLong(1, id);
      return String.valueOf(text(s));
    }

    @Override
    public @Nullable String get(long id, DocumentPath path) throws SQLException {
      PreparedStatement s = prepared("SELECT data #>> ? FROM docs WHERE id = ?");
      s.setArray(1, steps(path));
      s.setLong(2, id);
      return text(s);
    }

    @Override
    public Map<Long, String> getAll(Collection<Long> ids, DocumentPath path) throws SQLException {
      PreparedStatement s = prepared("SELECT id, data #>> ? FROM docs WHERE id = ANY (?)");
      s.setArray(1, steps(path));
      s.setArray(2, connection.createArrayOf("bigint", ids.toArray()));
      Map<Long, String> found = new LinkedHashMap<>();
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          found.put(r.getLong(1), r.getString(2));
        }
      }
      return found;
    }

    private static @Nullable String text(PreparedStatement s) throws SQLException {
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? r.getString(1) : null;
      }
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
      PreparedStatement s = prepared("UPDATE docs SET data = " + expression + " WHERE id = ?");
      s.setArray(1, steps(path));
      s.setString(2, JsonMapper.shared().writeValueAsString(value));
      s.setLong(3, id);
      one(s);
    }

    private static void one(PreparedStatement s) throws SQLException {
      if (s.executeUpdate() != 1) {
        throw new SQLException("there is no such row");
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
