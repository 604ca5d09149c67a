package io.pgtoaster.spring.tus;

import io.pgtoaster.blob.AppendConflictException;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobCapability;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.PgToasterException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Appends request bodies, each at the offset that its client expects. */
record Receiver(BlobColumn column, StreamOptions pieces) {
  /** Size of a stream's first buffer. Later buffers take up to four times their content. */
  private static final int FIRST_BUFFER = 64 << 10;

  private static final int GROWTH = 4;

  /** Returns the memory that a body needs at first; with a checksum, all that it needs. */
  static long leastMemory(boolean checksum) {
    return checksum ? Spool.MEMORY : Body.WINDOW + 2 * FIRST_BUFFER;
  }

  /** Returns the memory for this many uncommitted bytes: the current piece and the previous one. */
  private long memory(long pending) {
    long buffer = pending <= FIRST_BUFFER ? FIRST_BUFFER : GROWTH * pending;
    return Body.WINDOW + 2 * Math.min(pieces.commitEvery(), buffer);
  }

  /** Appends a body and returns the offset after it. */
  long receive(TusUpload upload, UploadRequest request, Body body) {
    return request.checksum() == null
        ? inPieces(upload, request, body)
        : atOnce(upload, request.offset(), body, request.checksum());
  }

  /**
   * Appends in pieces, so that bytes that have arrived are kept if the connection breaks. The
   * upload id is the writer id: a piece whose commit was not acknowledged is sent again without
   * being applied twice.
   */
  private long inPieces(TusUpload upload, UploadRequest request, Body body) {
    StreamOptions options = pieces.withExpectedOffset(request.offset());
    if (column.capabilities().contains(BlobCapability.TOKENS)) {
      options = options.withWriter(upload.id());
    }
    BlobAppendStream out = column.appendStream(upload.row(), options);
    try {
      byte[] buffer = new byte[Body.WINDOW];
      boolean cut = false;
      try {
        int count;
        while ((count = body.read(buffer, 0, buffer.length)) > 0) {
          if (!request.memory().growTo(memory(out.pending() + count))) {
            out.flush(); // Smaller pieces need less memory.
          }
          out.write(buffer, 0, count);
        }
      } catch (Body.CutException e) {
        cut = true;
      }
      out.close();
      if (cut) {
        throw new TusException(400, "the body ended early; what arrived is kept");
      }
      return out.position();
    } catch (IOException e) {
      throw failed(upload, out.position(), e);
    } finally {
      out.abort();
    }
  }

  /**
   * Appends all or nothing. The body is received before the transaction begins, so a slow client
   * does not prolong the transaction.
   */
  private long atOnce(TusUpload upload, long offset, Body body, UploadChecksum checksum) {
    try (Spool spool = Spool.of(body, checksum)) {
      if (!checksum.matches()) {
        throw new TusException(460, "the checksum does not match; nothing was kept");
      }
      try (InputStream in = spool.open()) {
        if (column
                .append(upload.row(), in, AppendOptions.defaults().withExpectedOffset(offset))
                .outcome()
            == AppendOutcome.CONFLICT) {
          throw conflict();
        }
      }
      return offset + spool.length();
    } catch (Body.CutException e) {
      throw new TusException(400, "the body ended early; nothing was kept");
    } catch (PgToasterException e) {
      throw failed(upload, offset, new IOException(e));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the body of an upload", e);
    }
  }

  static TusException conflict() {
    return new TusException(409, "the upload has another offset");
  }

  /**
   * Returns the exception to throw. If the blob's length has changed, the client must ask for the
   * offset again.
   */
  private RuntimeException failed(TusUpload upload, long known, IOException e) {
    if (e.getCause() instanceof BlobSealedException sealed) {
      return sealed;
    }
    return e instanceof AppendConflictException || column.length(upload.row()) != known
        ? conflict()
        : new UncheckedIOException("cannot append to an upload", e);
  }
}
