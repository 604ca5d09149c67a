package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.DiscardedException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.TokenMismatchException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.PinnedBlob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Arrays;
import java.util.List;

/**
 * Calls the catalog's functions and converts their errors to the library's exceptions. Uses the
 * library for pins, streams, copies and maintenance.
 */
record SqlApiVtable(AttachedColumn column, BlobVtable other) implements BlobVtable {
  /** Reads the result of a call. */
  private interface Reader<R> {
    R read(ResultSet row) throws SQLException;
  }

  /** Calls a function in a savepoint, so that an error does not abort the test's transaction. */
  private <R> R call(
      Connection connection, RowKey key, String function, Reader<R> reader, Object... arguments)
      throws SQLException {
    boolean one = key.values().size() == 1;
    String sql =
        "SELECT * FROM pgtoaster."
            + function
            + "(CAST(? AS regclass), CAST(? AS name), "
            + (one ? column.key().get(0).parameter() : "CAST(? AS text[])")
            + ", ?".repeat(arguments.length)
            + ") r";
    Savepoint savepoint = connection.getAutoCommit() ? null : connection.setSavepoint();
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setString(1, column.quotedTable());
      s.setString(2, column.column());
      if (one) {
        column.bind(s, 3, key);
      } else {
        s.setArray(3, connection.createArrayOf("text", key.values().toArray()));
      }
      for (int i = 0; i < arguments.length; i++) {
        s.setObject(4 + i, arguments[i]);
      }
      R result;
      try (ResultSet r = s.executeQuery()) {
        r.next();
        result = reader.read(r);
      }
      if (savepoint != null) {
        connection.releaseSavepoint(savepoint);
      }
      return result;
    } catch (SQLException e) {
      if (savepoint != null && !connection.isClosed()) {
        connection.rollback(savepoint);
      }
      throw translate(e);
    }
  }

  /** Returns or throws the exception that the contract expects for an error. */
  private static SQLException translate(SQLException e) throws PgToasterException {
    String message = String.valueOf(e.getMessage());
    switch (String.valueOf(e.getSQLState())) {
      case "P0002" ->
          throw message.contains("there is no row")
              ? new RowNotFoundException(message)
              : new BlobNotFoundException(message);
      case "55000" -> {
        if (message.contains("is sealed")) {
          throw new BlobSealedException(message);
        } else if (message.contains("were discarded")) {
          throw new DiscardedException(
              Long.parseLong(message.replaceAll("(?s).*before offset (\\d+).*", "$1")));
        } else if (message.contains("no longer known")) {
          throw new OutcomeUnknownException(message);
        }
      }
      case "22023" ->
          throw message.contains("this writer")
              ? new TokenMismatchException(message)
              : new InvalidOffsetException(message);
      case "09000" -> throw new CatalogException(message);
      case "54000" -> throw new InvalidOffsetException(message);
      case "0A000", "22021" -> throw new UnsupportedCapabilityException(message, e);
      case "42501" -> throw new AccessDeniedException(message, e);
      case "XX001" -> throw new BlobCorruptException(message);
      default -> {}
    }
    return e;
  }

  @Override
  public AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    if (request.rest() != null) {
      return null;
    }
    AppendToken token = request.token();
    Outcome result =
        call(
            connection,
            key,
            "blob_append",
            r -> new Outcome(r.getLong("offset"), r.getLong("length"), r.getString("outcome")),
            bytes(request.array(), request.from(), request.count()),
            request.expectedOffset(),
            token == null ? null : token.writer(),
            token == null ? null : (Long) token.sequence());
    return switch (result.outcome()) {
      case "applied" -> new AppendResult(result.offset(), result.length(), false);
      case "already applied" -> new AppendResult(result.offset(), result.length(), true);
      case "conflict" ->
          throw new OffsetConflictException(request.expectedOffset(), result.offset());
      default -> throw new AssertionError(result.outcome());
    };
  }

  /** The result of the function. */
  private record Outcome(long offset, long length, String outcome) {}

  @Override
  public AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    AppendResult result = tryAppend(connection, key, request);
    return result == null ? other.append(connection, key, request) : result;
  }

  @Override
  public byte[] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    byte[] bytes = call(connection, key, "blob_read", r -> r.getBytes(1), offset, count);
    if (bytes == null) {
      throw new BlobNotFoundException("the column is NULL");
    }
    return bytes;
  }

  @Override
  public PinnedBlob pin(Connection connection, RowKey key) throws SQLException {
    Long length =
        call(connection, key, "blob_length", r -> r.getObject(1) == null ? null : r.getLong(1));
    if (length == null) {
      throw new BlobNotFoundException("the column is NULL");
    }
    PinnedBlob pin = other.pin(connection, key);
    assertThat(pin.length()).as("length, while others append").isGreaterThanOrEqualTo(length);
    return pin;
  }

  @Override
  public void write(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    call(connection, key, "blob_write", r -> true, offset, bytes);
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    call(connection, key, "blob_truncate", r -> true, length);
  }

  @Override
  public long discard(Connection connection, RowKey key, long offset) throws SQLException {
    return call(connection, key, "blob_discard", r -> r.getLong(1), offset);
  }

  @Override
  public void seal(Connection connection, RowKey key) throws SQLException {
    call(connection, key, "blob_seal", r -> true);
  }

  private static byte[] bytes(byte[] array, int from, int count) {
    return Arrays.copyOfRange(array, from, from + count);
  }

  @Override
  public PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException {
    return other.refresh(connection, pinned);
  }

  @Override
  public byte[][] read(Connection connection, PinnedBlob pinned, long offset, int count)
      throws SQLException {
    return other.read(connection, pinned, offset, count);
  }

  @Override
  public boolean wholeCharacters() {
    return other.wholeCharacters();
  }

  @Override
  public long[] create(Connection connection, int count) throws SQLException {
    return other.create(connection, count);
  }

  @Override
  public String announceFollower(Connection connection, PinnedBlob pinned) throws SQLException {
    return other.announceFollower(connection, pinned);
  }

  @Override
  public boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return other.copy(connection, source, target);
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    return other.compact(connection, key);
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    return other.verify(connection, key);
  }
}
