package io.pgtoaster.hibernate.blob;

import io.pgtoaster.hibernate.internal.Contents;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** Reads content until the transaction in which it was opened ends. */
final class SessionStream extends FilterInputStream {
  private final SharedSessionContractImplementor session;
  private final Connection connection;

  SessionStream(SharedSessionContractImplementor session, InputStream in) {
    super(in);
    this.session = session;
    this.connection = Contents.connection(session);
  }

  private void check() throws IOException {
    if (session.isClosed()
        || !session.isTransactionInProgress()
        || Contents.connection(session) != connection) {
      throw new IOException(
          "the transaction of the session in which this stream was opened has ended; open a new one"
              + " in the current transaction");
    }
  }

  @Override
  public int read() throws IOException {
    check();
    return super.read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    check();
    return super.read(buffer, offset, length);
  }

  @Override
  public long skip(long count) throws IOException {
    check();
    return super.skip(count);
  }

  @Override
  public int available() throws IOException {
    check();
    return super.available();
  }
}
