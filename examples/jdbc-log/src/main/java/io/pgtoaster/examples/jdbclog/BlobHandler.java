package io.pgtoaster.examples.jdbclog;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import java.nio.charset.StandardCharsets;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/**
 * Appends each record to one blob, in a separate transaction. If the connection is lost during an
 * append, the same append is sent again; its token ensures that it is applied only once.
 */
public final class BlobHandler extends Handler {
  private static final int ATTEMPTS = 3;

  private final BlobColumn column;
  private final Object key;
  private AppendToken token = new AppendToken(AppendToken.newWriter(), 1);

  /**
   * Creates a handler.
   *
   * @param column column of the log, over a data source
   * @param key key of the log's row, which must exist
   * @param formatter converts records to lines
   */
  public BlobHandler(BlobColumn column, Object key, Formatter formatter) {
    this.column = column;
    this.key = key;
    setFormatter(formatter);
  }

  @Override
  public void publish(LogRecord record) {
    if (!isLoggable(record)) {
      return;
    }
    try {
      append(getFormatter().format(record).getBytes(StandardCharsets.UTF_8));
    } catch (PgToasterException e) {
      // A program must not fail because its log fails.
      reportError(e.getMessage(), e, ErrorManager.WRITE_FAILURE);
    }
  }

  private synchronized void append(byte[] line) {
    AppendOptions options = AppendOptions.defaults().withToken(token);
    token = token.next();
    for (int attempt = 1; ; attempt++) {
      try {
        column.append(key, line, options);
        return;
      } catch (OutcomeUnknownException | ConnectionLostException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Does nothing: a record is committed when {@link #publish} returns. */
  @Override
  public void flush() {}

  /** Does nothing: the caller closes the data source. */
  @Override
  public void close() {}
}
