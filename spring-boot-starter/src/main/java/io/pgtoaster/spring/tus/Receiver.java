package io.pgtoaster.spring.tus;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.PgToasterException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Appends the body of one request at the end that the content had when the request began. */
record Receiver(BlobColumn column, RowKey row, BlobAppendStream out, long commitEvery) {
  /** Size of a stream's first buffer. Later buffers take up to four times their content. */
  private static final int FIRST_BUFFER = 64 << 10;

  private static final int GROWTH = 4;

  /**
   * Opens a stream at the end of the content. The upload id is also the writer id, so a piece whose
   * commit was not acknowledged can be sent again without being applied twice.
   */
  static Receiver open(BlobColumn column, TusUpload upload, StreamOptions pieces) {
    StreamOptions options =
        column.capabilities().contains(BlobCapability.TOKENS)
            ? pieces.withWriter(upload.id())
            : pieces;
    RowKey row = upload.row();
    return new Receiver(column, row, column.appendStream(row, options), pieces.commitEvery());
  }

  /** Returns the memory that a body needs at first; with a checksum, all memory that it needs. */
  static long minMemory(boolean checksum) {
    return checksum ? BodyBuffer.MEMORY : Body.WINDOW + 2 * FIRST_BUFFER;
  }

  /** Returns the memory for this many uncommitted bytes: the current piece and the previous one. */
  private long memory(long pending) {
    long buffer = pending <= FIRST_BUFFER ? FIRST_BUFFER : GROWTH * pending;
    return Body.WINDOW + 2 * Math.min(commitEvery, buffer);
  }

  /** Appends a body and returns the offset after it. */
  long receive(UploadRequest request, Body body) {
    return request.checksum() == null
        ? inPieces(request.memory(), body)
        : atOnce(request.offset(), body, request.checksum());
  }

  /** Appends in pieces, so that bytes that have arrived are kept if the connection breaks. */
  private long inPieces(UploadMemory.Share memory, Body body) {
    try {
      byte[] buffer = new byte[Body.WINDOW];
      boolean cut = false;
      try {
        int count;
        while ((count = body.read(buffer, 0, buffer.length)) > 0) {
          if (!memory.growTo(memory(out.pending() + count))) {
            out.flush(); // Smaller pieces need less memory.
          }
          out.write(buffer, 0, count);
        }
      } catch (Body.CutException e) {
        cut = true;
      }
      if (out.pending() > 0) {
        out.close();
      }
      if (cut) {
        throw new TusException(400, "the body ended early; the received bytes are kept");
      }
      return out.position();
    } catch (OffsetConflictException e) {
      throw conflict();
    } catch (IOException e) {
      throw failed(out.position(), e);
    } finally {
      out.abort();
    }
  }

  /**
   * Appends the whole body or nothing. The body is received before the transaction begins, so a
   * slow client does not prolong the transaction.
   */
  private long atOnce(long offset, Body body, UploadChecksum checksum) {
    try (BodyBuffer buffer = BodyBuffer.of(body, checksum)) {
      if (!checksum.matches()) {
        throw new TusException(460, "the checksum does not match; nothing was kept");
      }
      try (InputStream in = buffer.open()) {
        column.append(row, in, AppendOptions.defaults().withExpectedOffset(offset));
      }
      return offset + buffer.length();
    } catch (Body.CutException e) {
      throw new TusException(400, "the body ended early; nothing was kept");
    } catch (OffsetConflictException e) {
      throw conflict();
    } catch (PgToasterException e) {
      throw failed(offset, new IOException(e));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the body of an upload", e);
    }
  }

  static TusException conflict() {
    return new TusException(409, "the upload has a different offset");
  }

  /**
   * Returns the exception to throw. If the blob's length has changed, the client must request the
   * offset again.
   */
  private RuntimeException failed(long known, IOException e) {
    if (e.getCause() instanceof BlobSealedException sealed) {
      return sealed;
    }
    return column.length(row) != known
        ? conflict()
        : new UncheckedIOException("cannot append to an upload", e);
  }
}
