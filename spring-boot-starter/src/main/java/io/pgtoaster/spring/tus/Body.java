package io.pgtoaster.spring.tus;

import java.io.IOException;
import java.io.InputStream;

/** The body of a request, limited to a number of bytes. */
final class Body {
  static final int WINDOW = 64 << 10;

  private final InputStream in;
  private final UploadQueue.Turn turn;
  private final Heartbeat heartbeat;
  private long room;

  /**
   * Wraps a body.
   *
   * @param room maximum number of bytes to read
   * @param turn notified when bytes arrive
   * @param heartbeat triggered when bytes arrive
   */
  Body(InputStream in, long room, UploadQueue.Turn turn, Heartbeat heartbeat) {
    this.in = in;
    this.turn = turn;
    this.room = room;
    this.heartbeat = heartbeat;
  }

  /**
   * Reads bytes.
   *
   * @return number of bytes; zero or negative at the end
   * @throws CutException if the connection breaks
   * @throws TusException if the body is longer than allowed, or another request has taken over the
   *     upload
   */
  int read(byte[] buffer, int offset, int length) throws CutException {
    int count;
    try {
      count = in.read(buffer, offset, length);
    } catch (IOException e) {
      turn.move();
      throw new CutException(e);
    }
    turn.move();
    heartbeat.beat();
    room -= Math.max(0, count);
    if (room < 0) {
      throw new TusException(413, "the body is longer than the upload");
    }
    return count;
  }

  /** The connection broke before the end of the body. */
  static final class CutException extends Exception {
    private static final long serialVersionUID = 1L;

    CutException(IOException cause) {
      super("the body ended early", cause);
    }
  }
}
