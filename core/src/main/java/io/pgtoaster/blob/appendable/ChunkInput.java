package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.AppendRequest;
import org.jspecify.annotations.Nullable;

/** Bytes to cut into chunks: a run that was stored before, then those of a request. One use. */
final class ChunkInput {
  private final Run run;
  private final @Nullable AppendRequest request;
  private int fromRun;
  private int fromArray;
  private long fromRest;

  ChunkInput(Run run, @Nullable AppendRequest request) {
    this.run = run;
    this.request = request;
  }

  /** Bytes in memory that are still to come; more may follow from a stream. */
  long remaining() {
    return (long) run.count() - fromRun + (request == null ? 0 : request.count() - fromArray);
  }

  /** Whether a stream follows, whose length nobody knows. */
  boolean isOpenEnded() {
    return request != null && request.rest() != null;
  }

  /** Number of bytes taken from the request so far. */
  long requested() {
    return fromArray + fromRest;
  }

  /** Fills a part of a buffer; less than asked for only at the end. */
  int fill(byte[] buffer, int from, int count) {
    int filled = Math.min(count, run.count() - fromRun);
    System.arraycopy(run.bytes(), fromRun, buffer, from, filled);
    fromRun += filled;
    if (request == null || filled == count) {
      return filled;
    }
    int part = Math.min(count - filled, request.count() - fromArray);
    System.arraycopy(request.array(), request.from() + fromArray, buffer, from + filled, part);
    fromArray += part;
    filled += part;
    if (filled < count) {
      int rest = request.readRest(buffer, from + filled, count - filled);
      fromRest += rest;
      filled += rest;
    }
    return filled;
  }
}
