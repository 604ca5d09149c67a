package io.pgtoaster.hibernate.blob;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.hibernate.blob.BlobState.Row;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.sql.Blob;
import java.sql.SQLException;

/** A JDBC view of a blob; each call looks up its row and transaction again. */
final class SessionBlob implements Blob {
  private static final int WRITE_BUFFER = 1 << 20;

  private final AppendableBlob blob;
  private boolean freed;

  SessionBlob(AppendableBlob blob) {
    this.blob = blob;
  }

  private interface Call<T> {
    T on(Blob target) throws SQLException;
  }

  private <T> T call(boolean changes, Call<T> call) throws SQLException {
    if (freed) {
      throw new SQLException("this Blob has been freed", "55000");
    }
    try {
      Row row = changes ? blob.changing("writing") : blob.state().row(blob);
      return call.on(row.column().sqlBlob(row.key()));
    } catch (PgToasterException e) {
      throw new SQLException(e.getMessage(), e.sqlState(), e);
    }
  }

  @Override
  public long length() throws SQLException {
    return call(false, Blob::length);
  }

  @Override
  public byte[] getBytes(long pos, int length) throws SQLException {
    return call(false, b -> b.getBytes(pos, length));
  }

  @Override
  public InputStream getBinaryStream() throws SQLException {
    return call(false, b -> blob.inputStream());
  }

  @Override
  public InputStream getBinaryStream(long pos, long length) throws SQLException {
    long offset = offset(pos);
    return call(false, b -> blob.inputStream(offset, length));
  }

  @Override
  public long position(byte[] pattern, long start) throws SQLException {
    return call(false, b -> b.position(pattern, start));
  }

  @Override
  public long position(Blob pattern, long start) throws SQLException {
    return call(false, b -> b.position(pattern, start));
  }

  @Override
  public int setBytes(long pos, byte[] bytes) throws SQLException {
    return call(true, b -> b.setBytes(pos, bytes));
  }

  @Override
  public int setBytes(long pos, byte[] bytes, int offset, int len) throws SQLException {
    return call(true, b -> b.setBytes(pos, bytes, offset, len));
  }

  @Override
  public OutputStream setBinaryStream(long pos) throws SQLException {
    long offset = offset(pos);
    call(true, Blob::length);
    SeekableByteChannel channel = new SessionChannel(blob, offset);
    return new BufferedOutputStream(Channels.newOutputStream(channel), WRITE_BUFFER);
  }

  private static long offset(long position) throws SQLException {
    if (position < 1) {
      throw new SQLException("position " + position + " is less than 1, the first byte", "22023");
    }
    return position - 1;
  }

  @Override
  public void truncate(long len) throws SQLException {
    call(
        true,
        b -> {
          b.truncate(len);
          return len;
        });
  }

  @Override
  public void free() {
    freed = true;
  }
}
