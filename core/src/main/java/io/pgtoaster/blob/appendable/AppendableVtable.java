package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.appendable.read.AppendablePin;
import io.pgtoaster.blob.appendable.read.ChunkReader;
import io.pgtoaster.blob.appendable.read.Followers;
import io.pgtoaster.blob.appendable.read.ManyReader;
import io.pgtoaster.blob.appendable.read.Pins;
import io.pgtoaster.blob.appendable.read.Verifier;
import io.pgtoaster.blob.appendable.store.Heads;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.blob.appendable.write.Appender;
import io.pgtoaster.blob.appendable.write.Compactor;
import io.pgtoaster.blob.appendable.write.Overwriter;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.OpenedBlob;
import io.pgtoaster.spi.PinnedBlob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements the operations of the appendable toaster in plain SQL. Delegates each operation to its
 * own class.
 */
class AppendableVtable implements BlobVtable {
  private final Pins pins;
  private final ChunkReader reader;
  private final ManyReader manyReader;
  private final Appender appender;
  private final Overwriter overwriter;
  private final Compactor compactor;
  private final Verifier verifier;
  private final Followers followers;
  private final Heads heads;

  AppendableVtable(Store store) {
    pins = new Pins(store);
    reader = new ChunkReader(store, pins);
    manyReader = new ManyReader(store);
    appender = new Appender(store);
    overwriter = new Overwriter(store);
    compactor = new Compactor(store);
    verifier = new Verifier(store);
    followers = new Followers(store);
    heads = new Heads(store);
  }

  @Override
  public PinnedBlob pin(Connection connection, RowKey key) throws SQLException {
    return pins.pin(connection, key);
  }

  @Override
  public OpenedBlob open(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    return reader.open(connection, key, offset, count);
  }

  @Override
  public PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException {
    return pins.refresh(connection, (AppendablePin) pinned);
  }

  @Override
  public byte[][] read(Connection connection, PinnedBlob pinned, long offset, int count)
      throws SQLException {
    return reader.read(connection, (AppendablePin) pinned, offset, count);
  }

  @Override
  public byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    return reader.tryRead(connection, key, offset, count);
  }

  @Override
  public List<Integer> tryReadAll(
      Connection connection, List<RowKey> keys, long offset, int count, ObjIntConsumer<byte[]> take)
      throws SQLException {
    return manyReader.readAll(connection, keys, offset, count, take);
  }

  @Override
  public List<Integer> tryLengths(
      Connection connection, List<RowKey> keys, ObjIntConsumer<Long> take) throws SQLException {
    return manyReader.lengths(connection, keys, take);
  }

  @Override
  public @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    return appender.tryAppend(connection, key, request);
  }

  @Override
  public List<@Nullable AppendResult> tryAppendAll(
      Connection connection, List<RowKey> keys, List<AppendRequest> requests, boolean whole)
      throws SQLException {
    return appender.tryAppendAll(connection, keys, requests, whole);
  }

  @Override
  public AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    return appender.append(connection, key, request);
  }

  @Override
  public boolean changesInOneStatement() {
    return true;
  }

  @Override
  public void write(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    overwriter.write(connection, key, offset, bytes);
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    overwriter.change(connection, key, "truncate", length);
  }

  @Override
  public long discard(Connection connection, RowKey key, long offset) throws SQLException {
    return overwriter.change(connection, key, "discard", offset);
  }

  @Override
  public void seal(Connection connection, RowKey key) throws SQLException {
    overwriter.change(connection, key, "seal", null);
  }

  @Override
  public long[] create(Connection connection, int count) throws SQLException {
    return heads.create(connection, count);
  }

  @Override
  public @Nullable String announceFollower(Connection connection, PinnedBlob pinned)
      throws SQLException {
    return followers.follow(connection, (AppendablePin) pinned);
  }

  @Override
  public boolean tryCopy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return compactor.tryCopy(connection, source, target);
  }

  @Override
  public boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    return compactor.copy(connection, source, target);
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    return compactor.compact(connection, key);
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    return verifier.verify(connection, key);
  }
}
