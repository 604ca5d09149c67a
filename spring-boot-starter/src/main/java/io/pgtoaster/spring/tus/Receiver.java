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

/** Appends bodies of requests, each at the offset that its client expects. */
record Receiver(BlobColumn column, StreamOptions pieces) {
  /** What the first buffer of a stream takes; a later one, up to four times what it holds. */
  private static final int FIRST_BUFFER = 64 << 10;

  private static final int GROWTH = 4;

  /** Returns the memory that a body takes at first; with a checksum, all that it takes. */
  static long leastMemory(boolean checksum) {
    return checksum ? Spool.MEMORY : Body.WINDOW + 2 * FIRST_BUFFER;
  }

  /** Returns the memory for so many bytes that are not committed: a piece, and the one before. */
  private long memory(long pending) {
    long buffer = pending <= FIRST_BUFFER ? FIRST_BUFFER : GROWTH * pending;
    return Body.WINDOW + 2 * Math.min(pieces.commitEvery(), buffer);
  }

  /** Appends a body; returns the offset behind it. */
  long receive(TusUpload upload, UploadRequest request, Body body) {
    return request.checksum() == null
        ? inPieces(upload, request, body)
        : atOnce(upload, request.offset(), body, request.checksum());
  }

  /**
   * Appends in pieces, so that what has arrived stays when the connection breaks. The upload is the
   * writer: a piece whose commit was not answered is sent again without being applied twice.
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
            out.flush(); // Smaller pieces take less memory.
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
   * Appends all or nothing. The body is received before the transaction begins, which is therefore
   * short however slow the client is.
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

  /** Where the blob is not as long as was known, the client has to ask for the offset again. */
  private RuntimeException failed(TusUpload upload, long known, IOException e) {
    if (e.getCause() instanceof BlobSealedException sealed) {
      return sealed;
    }
    return e instanceof AppendConflictException || column.length(upload.row()) != known
        ? conflict()
        : new UncheckedIOException("cannot append to an upload", e);
  }
}
