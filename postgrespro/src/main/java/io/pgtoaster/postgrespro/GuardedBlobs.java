package io.pgtoaster.postgrespro;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.PinnedBlob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operations of stock SQL on one column, each protected by a guard. */
record GuardedBlobs(BlobVtable stock, Guard guard) implements BlobVtable {
  @Override
  public PinnedBlob pin(Connection connection, RowKey key) throws SQLException {
    return guard.<PinnedBlob>read(connection, c -> stock.pin(c, key));
  }

  @Override
  public PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException {
    return guard.<PinnedBlob>read(connection, c -> stock.refresh(c, pinned));
  }

  @Override
  public byte[][] read(Connection connection, PinnedBlob pinned, long offset, int count)
      throws SQLException {
    return guard.read(connection, c -> stock.read(c, pinned, offset, count));
  }

  @Override
  public byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    return guard
        .<Optional<byte[]>>read(
            connection, c -> Optional.ofNullable(stock.tryRead(c, key, offset, count)))
        .orElse(null);
  }

  @Override
  public @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    if (request.count() == 0) {
      return null;
    }
    return guard
        .<Optional<AppendResult>>read(
            connection, c -> Optional.ofNullable(stock.tryAppend(c, key, request)))
        .orElse(null);
  }

  @Override
  public AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    return guard.<AppendResult>write(connection, c -> stock.append(c, key, request));
  }

  @Override
  public void write(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    guard.<byte[]>write(
        connection,
        c -> {
          stock.write(c, key, offset, bytes);
          return bytes;
        });
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    guard.<Long>write(
        connection,
        c -> {
          stock.truncate(c, key, length);
          return length;
        });
  }

  @Override
  public boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return guard.<Boolean>write(connection, c -> stock.copy(c, source, target));
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    return guard.<List<String>>read(connection, c -> stock.verify(c, key));
  }
}
