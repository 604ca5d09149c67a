package io.pgtoaster.benchmarks.contender;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Bytes from fixed seeds, repeated indefinitely. */
public final class Payload {
  private static final String[] LEVELS = {"INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"};
  private static final String[] MESSAGES = {
    "GET /api/v1/recordings/%d 200 in %d ms",
    "PUT /api/v1/recordings/%d/chunks 204 in %d ms",
    "session %d opened, %d active",
    "cache miss for key user:%d, loaded in %d us",
    "retrying upload of part %d after %d ms",
  };

  private final byte[] ring;

  private Payload(byte[] ring) {
    this.ring = ring;
  }

  public static Payload random() {
    byte[] bytes = new byte[8 << 20];
    new Random(5).nextBytes(bytes);
    return new Payload(bytes);
  }

  /** Returns lines like those in the log of a service. */
  public static Payload logLines() {
    Random random = new Random(7);
    int size = 8 << 20;
    ByteArrayOutputStream out = new ByteArrayOutputStream(size + 200);
    long millis = 0;
    while (out.size() < size) {
      millis += random.nextInt(40);
      String message =
          String.format(
              Locale.ROOT,
              MESSAGES[random.nextInt(MESSAGES.length)],
              random.nextInt(1_000_000),
              random.nextInt(900));
      String line =
          String.format(
              Locale.ROOT,
              "2026-11-20T%02d:%02d:%02d.%03dZ %-5s [worker-%d] io.example.Service %s%n",
              millis / 3_600_000 % 24,
              millis / 60_000 % 60,
              millis / 1000 % 60,
              millis % 1000,
              LEVELS[random.nextInt(LEVELS.length)],
              random.nextInt(16),
              message);
      out.writeBytes(line.getBytes(StandardCharsets.UTF_8));
    }
    return new Payload(Arrays.copyOf(out.toByteArray(), size));
  }

  /** Returns the CRC32C of a stream. Allocates no buffer if the stream has one. */
  public static long checksum(InputStream in) throws IOException {
    CheckedOutputStream out =
        new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
    in.transferTo(out);
    return out.getChecksum().getValue();
  }

  public static long checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  public byte at(long offset) {
    return ring[(int) (offset % ring.length)];
  }

  public byte[] bytes(long offset, int count) {
    byte[] bytes = new byte[count];
    copy(offset, bytes, 0, count);
    return bytes;
  }

  public void copy(long offset, byte[] to, int at, int count) {
    int done = 0;
    while (done < count) {
      int index = (int) ((offset + done) % ring.length);
      int part = Math.min(count - done, ring.length - index);
      System.arraycopy(ring, index, to, at + done, part);
      done += part;
    }
  }

  public InputStream stream(long from, long total) {
    return new Ring(from, from + total);
  }

  private final class Ring extends InputStream {
    private long position;
    private final long end;

    Ring(long position, long end) {
      this.position = position;
      this.end = end;
    }

    @Override
    public int read() {
      return position == end ? -1 : at(position++) & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      int index = (int) (position % ring.length);
      int count = (int) Math.min(Math.min(length, ring.length - index), end - position);
      if (count == 0) {
        return -1;
      }
      System.arraycopy(ring, index, buffer, offset, count);
      position += count;
      return count;
    }
  }
}
