package io.pgtoaster.spring.tus;

import java.io.IOException;
import java.io.InputStream;

/** The body of a request, of which no more than so many bytes are taken. */
final class Body {
  static final int WINDOW = 64 << 10;

  private final InputStream in;
  private final Turns.Turn turn;
  private final Pulse pulse;
  private long room;

  /**
   * Wraps a body.
   *
   * @param room number of bytes that are taken
   * @param turn that is told of bytes that come
   * @param pulse beats while bytes come
   */
  Body(InputStream in, long room, Turns.Turn turn, Pulse pulse) {
    this.in = in;
    this.turn = turn;
    this.room = room;
    this.pulse = pulse;
  }

  /**
   * Reads.
   *
   * @return number of bytes; not positive at the end
   * @throws CutException if the connection breaks
   * @throws TusException if there are more bytes than room, or another request went on instead
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
    pulse.beat();
    room -= Math.max(0, count);
    if (room < 0) {
      throw new TusException(413, "the body is longer than the upload");
    }
    return count;
  }

  /** The body ended before its end. */
  static final class CutException extends Exception {
    private static final long serialVersionUID = 1L;

    CutException(IOException cause) {
      super("the body ended early", cause);
    }
  }
}
