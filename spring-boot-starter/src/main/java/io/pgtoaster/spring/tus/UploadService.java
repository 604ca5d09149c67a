package io.pgtoaster.spring.tus;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.column.ColumnAccess;
import java.security.Principal;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Manages uploads, independently of HTTP.
 *
 * @param uploads chooses the row of an upload
 * @param table stores the state of uploads, which survives a restart
 * @param transactions transactions of the application
 * @param pieces how bodies are appended
 * @param memory memory for bytes that are received but not yet committed
 * @param maxSize maximum size of an upload, in bytes
 */
record UploadService(
    TusUploads uploads,
    UploadTable table,
    TransactionOperations transactions,
    StreamOptions pieces,
    UploadMemory memory,
    long maxSize) {
  private static final Log log = LogFactory.getLog(UploadService.class);
  private static final int REMOVED_AT_ONCE = 10;

  /**
   * Maximum time between two checks of a running upload; the time is shorter if the upload could
   * expire.
   */
  private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(10);

  /** Registers an upload. */
  TusUpload create(@Nullable Long length, String metadata, @Nullable Principal caller) {
    if (length != null && length > maxSize) {
      throw new TusException(413, "the upload is larger than " + maxSize + " bytes");
    }
    TusUpload wanted =
        new TusUpload(
            UUID.randomUUID(),
            null,
            length,
            Metadata.parse(metadata),
            caller == null ? null : caller.getName(),
            false);
    removeExpired();
    TusUpload upload;
    try {
      upload = transactions.execute(status -> register(wanted, metadata));
    } catch (DataIntegrityViolationException e) {
      log.debug("The row of an upload was rejected", e);
      throw new TusException(400, "the metadata was rejected");
    }
    boolean unused = complete(Objects.requireNonNull(upload), 0);
    return upload;
  }

  private TusUpload register(TusUpload wanted, String metadata) {
    Object key = uploads.create(wanted);
    RowKey row = ColumnAccess.column(uploads.column()).rowKey(key);
    TusUpload upload =
        new TusUpload(wanted.id(), row, wanted.length(), wanted.metadata(), wanted.owner(), false);
    table.insert(upload, metadata);
    return upload;
  }

  /** Finds an upload that the caller may continue. */
  UploadTable.Row find(UUID id, @Nullable Principal caller) {
    UploadTable.Row row =
        table.find(id).orElseThrow(() -> new TusException(404, "there is no such upload"));
    if (!uploads.permits(row.upload(), caller)) {
      throw new TusException(403, "the upload belongs to another user");
    }
    if (row.expired()) {
      throw new TusException(410, "the upload has expired");
    }
    return row;
  }

  /**
   * Finds an upload that the caller now continues, and extends its expiry if half of the time has
   * passed.
   */
  TusUpload resume(UUID id, @Nullable Principal caller) {
    UploadTable.Row row = find(id, caller);
    if (row.aging()) {
      keep(row.upload());
    }
    return row.upload();
  }

  /**
   * Returns how many bytes have arrived. Completes an upload whose last request was interrupted.
   */
  long offset(TusUpload upload) {
    long offset = offset(upload, () -> uploads.column().length(upload.row()));
    boolean unused = complete(upload, offset);
    return offset;
  }

  /** The application may have moved finished content. */
  private static long offset(TusUpload upload, LongSupplier stored) {
    return upload.finished() && upload.length() != null ? upload.length() : stored.getAsLong();
  }

  /** Sets a length that was unknown at creation. */
  private TusUpload withLength(TusUpload upload, long offset, long length) {
    if (upload.length() != null && upload.length() != length) {
      throw new TusException(400, "the upload has a different length");
    }
    if (length > maxSize) {
      throw new TusException(413, "the upload is larger than " + maxSize + " bytes");
    }
    if (length < offset) {
      throw new TusException(400, "more than Upload-Length has arrived");
    }
    if (upload.length() == null && !table.setLength(upload.id(), length)) {
      throw Receiver.conflict();
    }
    return new TusUpload(
        upload.id(), upload.key(), length, upload.metadata(), upload.owner(), upload.finished());
  }

  /**
   * Appends the body of a request.
   *
   * @return the offset after the body
   */
  long append(TusUpload found, UploadRequest request, UploadQueue.Turn turn) {
    Receiver receiver = Receiver.open(uploads.column(), found, pieces);
    if (offset(found, receiver.out()::position) != request.offset()) {
      throw Receiver.conflict();
    }
    TusUpload upload =
        request.uploadLength() == null
            ? found
            : withLength(found, request.offset(), request.uploadLength());
    long room = (upload.length() == null ? maxSize : upload.length()) - request.offset();
    if (request.announced() > room) {
      throw new TusException(413, "the body is longer than the upload");
    }
    Heartbeat heartbeat =
        new Heartbeat(
            System::nanoTime, heartbeatInterval().toNanos(), () -> check(upload, request));
    long end;
    try {
      end = receiver.receive(request, new Body(request.in(), room, turn, heartbeat));
    } catch (TusException e) {
      keep(upload);
      throw e;
    }
    if (!complete(upload, end)) {
      keep(upload);
    }
    return end;
  }

  private Duration heartbeatInterval() {
    Duration often = table.expireAfter().dividedBy(4);
    return table.expires() && often.compareTo(MAX_CHECK_INTERVAL) < 0 ? often : MAX_CHECK_INTERVAL;
  }

  /**
   * Extends the expiry, and rejects a body with a checksum as soon as the blob has grown past its
   * offset. A broken database connection does not interrupt a body that is arriving.
   */
  private void check(TusUpload upload, UploadRequest request) {
    try {
      keep(upload);
      if (request.checksum() != null && uploads.column().length(upload.row()) != request.offset()) {
        throw Receiver.conflict();
      }
    } catch (RowNotFoundException e) {
      throw e;
    } catch (DataAccessException | PgToasterException e) {
      log.debug("A running upload could not be checked; it will be checked again", e);
    }
  }

  /**
   * Extends the expiry of an upload. Removes the content if the upload has been ended meanwhile.
   */
  private void keep(TusUpload upload) {
    if (table.touch(upload.id())) {
      return;
    }
    if (uploads.column().info(upload.row()).isPresent()) {
      transactions.executeWithoutResult(status -> uploads.terminated(upload));
    }
    throw new TusException(410, "the upload was ended");
  }

  /** Finishes an upload if all of it has arrived. Returns false if there was nothing to do. */
  private boolean complete(TusUpload upload, long offset) {
    if (upload.finished() || upload.length() == null || offset != upload.length()) {
      return false;
    }
    return Boolean.TRUE.equals(
        transactions.execute(
            status -> {
              if (!table.finish(upload.id())) {
                return false;
              }
              if (offset == 0) {
                uploads
                    .column()
                    .append(
                        upload.row(), new byte[0], AppendOptions.defaults().withExpectedOffset(0));
              }
              uploads.finished(upload);
              return true;
            }));
  }

  /** Removes an upload and its content. */
  void terminate(TusUpload upload) {
    transactions.executeWithoutResult(
        status -> {
          if (table.delete(upload.id())) {
            uploads.terminated(upload);
          }
        });
  }

  /** Removes some expired uploads. Called when a new upload is created. */
  private void removeExpired() {
    if (!table.expires()) {
      return;
    }
    for (TusUpload upload : table.findExpired(REMOVED_AT_ONCE)) {
      try {
        transactions.executeWithoutResult(
            status -> {
              if (table.deleteExpired(upload.id()) && !upload.finished()) {
                uploads.terminated(upload);
              }
            });
      } catch (RuntimeException e) {
        log.warn("An expired upload could not be removed; another attempt will follow", e);
        table.touch(upload.id());
      }
    }
  }
}
