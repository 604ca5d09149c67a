package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.AppendRequest;
import io.pgtoaster.blob.AppendResult;
import io.pgtoaster.blob.AppendToken;
import io.pgtoaster.blob.BlobVtable;
import io.pgtoaster.blob.PinnedBlob;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.ServerExtension;
import io.pgtoaster.error.BlobCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The same operations by functions of the server extension, where they are faster, over the same
 * tables. A function that refuses has done nothing and returns NULL: then plain SQL does it, or
 * says why not.
 */
final class ExtensionVtable implements BlobVtable {
  /** What is longer goes the bulk way, which sends one piece while the server works on another. */
  private static final int MAX_APPEND = 1 << 20;

  private static final int MAX_READ = 8 << 20;

  private final AppendableVtable sql;
  private final String append;
  private final String read;
  private final String write;
  private final String truncate;
  private final String compact;

  ExtensionVtable(AttachedColumn column, AppendableVtable sql) {
    this.sql = sql;
    append =
        ServerExtension.call(
            column,
            "try_blob_append",
            "CAST(? AS bytea)",
            "CAST(? AS bigint)",
            "CAST(? AS uuid)",
            "CAST(? AS bigint)");
    read = ServerExtension.call(column, "try_blob_read", "CAST(? AS bigint)", "CAST(? AS integer)");
    write = ServerExtension.call(column, "try_blob_write", "CAST(? AS bigint)", "CAST(? AS bytea)");
    truncate = ServerExtension.call(column, "try_blob_truncate", "CAST(? AS bigint)");
    compact = ServerExtension.call(column, "try_blob_compact");
  }

  @Override
  public @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    if (request.rest() != null || request.count() > MAX_APPEND) {
      return null;
    }
    AppendOptions options = request.options();
    AppendToken token = options.token();
    try (PreparedStatement s = connection.prepareStatement(append)) {
      int next = key.bind(s, 1);
      s.setBytes(next++, bytes(request.array(), request.from(), request.count()));
      s.setObject(next++, options.expectedOffset(), Types.BIGINT);
      s.setObject(next++, token == null ? null : token.writer(), Types.OTHER);
      s.setObject(next, token == null ? null : (Long) token.sequence(), Types.BIGINT);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        long offset = r.getLong(1);
        return r.wasNull()
            ? null
            : new AppendResult(offset, request.count(), AppendOutcome.APPLIED);
      }
    } catch (SQLException e) {
      throw damageOr(e);
    }
  }

  @Override
  public AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    return sql.append(connection, key, request);
  }

  @Override
  public byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    if (count > MAX_READ) {
      return null;
    }
    try (PreparedStatement s = Store.prepareBinary(connection, read)) {
      int next = key.bind(s, 1);
      s.setLong(next++, offset);
      s.setInt(next, count);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        byte[] bytes = r.getBytes(1);
        return bytes == null ? sql.tryRead(connection, key, offset, count) : bytes;
      }
    }
  }

  @Override
  public void write(
      Connection connection, RowKey key, long offset, byte[] array, int from, int count)
      throws SQLException {
    boolean done = false;
    if (count <= MAX_APPEND) {
      try (PreparedStatement s = connection.prepareStatement(write)) {
        int next = key.bind(s, 1);
        s.setLong(next++, offset);
        s.setBytes(next, bytes(array, from, count));
        done = isDone(s);
      } catch (SQLException e) {
        throw damageOr(e);
      }
    }
    if (!done) {
      sql.write(connection, key, offset, array, from, count);
    }
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    boolean done;
    try (PreparedStatement s = connection.prepareStatement(truncate)) {
      s.setLong(key.bind(s, 1), length);
      done = isDone(s);
    } catch (SQLException e) {
      throw damageOr(e);
    }
    if (!done) {
      sql.truncate(connection, key, length);
    }
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(compact)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        long rows = r.getLong(1);
        if (!r.wasNull()) {
          return rows;
        }
      }
    } catch (SQLException e) {
      throw damageOr(e);
    }
    return sql.compact(connection, key);
  }

  /** What a function found damaged after it had begun to write. */
  private static SQLException damageOr(SQLException e) {
    if ("XX001".equals(e.getSQLState())) {
      throw new BlobCorruptException(
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
    }
    return e;
  }

  private static boolean isDone(PreparedStatement s) throws SQLException {
    try (ResultSet r = s.executeQuery()) {
      r.next();
      return r.getBoolean(1);
    }
  }

  private static byte[] bytes(byte[] array, int from, int count) {
    return from == 0 && count == array.length
        ? array
        : Arrays.copyOfRange(array, from, from + count);
  }

  @Override
  public PinnedBlob pin(Connection connection, RowKey key) throws SQLException {
    return sql.pin(connection, key);
  }

  @Override
  public PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException {
    return sql.refresh(connection, pinned);
  }

  @Override
  public void read(
      Connection connection, PinnedBlob pinned, long offset, byte[] buffer, int from, int count)
      throws SQLException {
    sql.read(connection, pinned, offset, buffer, from, count);
  }

  @Override
  public long[] create(Connection connection, int count) throws SQLException {
    return sql.create(connection, count);
  }

  @Override
  public void seal(Connection connection, RowKey key) throws SQLException {
    sql.seal(connection, key);
  }

  @Override
  public @Nullable String announceFollower(Connection connection, PinnedBlob pinned)
      throws SQLException {
    return sql.announceFollower(connection, pinned);
  }

  @Override
  public boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return sql.copy(connection, source, target);
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    return sql.verify(connection, key);
  }
}
