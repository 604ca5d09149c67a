package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Blobs.KB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.MB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.PAYLOAD;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.own;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.shared;
import static io.pgtoaster.benchmarks.guard.operation.Rows.check;

import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.blob.FollowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Streams, readers and channels of blobs. */
final class BlobStreamOperations {
  private BlobStreamOperations() {}

  static Stream<Operation> all() {
    return Stream.of(
        shared("append a stream of 1 MB", 3, 100 * KB, BlobStreamOperations::append),
        shared("4 x 25 KB by an append stream", 5, 100 * KB, BlobStreamOperations::appendStream),
        shared("append 100 KB by a writer", 5, 100 * KB, BlobStreamOperations::write),
        shared("replace by a stream of 100 KB", 5, 100 * KB, BlobStreamOperations::replace),
        shared("read a stream of 1 MB", 5, MB, b -> read(b.column.inputStream(b.id), MB)),
        shared("read a stream of 100 KB", 5, MB, BlobStreamOperations::readPart),
        shared("read 1 MB by a reader", 5, MB, BlobStreamOperations::readText),
        shared("open, read 3 x 4 KB", 10, MB, BlobStreamOperations::open),
        shared("read 4 KB by a channel", 20, MB, BlobStreamOperations::readByChannel),
        shared("write 4 KB by a channel", 20, MB, BlobStreamOperations::writeByChannel),
        shared("read 4 KB by a JDBC blob", 20, MB, BlobStreamOperations::readByBlob),
        own(
            "follow 1 MB to its seal",
            3,
            MB,
            b -> b.column.seal(b.id),
            BlobStreamOperations::follow),
        shared("follow an append of 1 KB", 20, 100 * KB, BlobStreamOperations::followAppend));
  }

  private static void append(Blobs blobs) {
    blobs.column.append(blobs.id, PAYLOAD.stream(blobs.i, blobs.i + MB));
  }

  private static void replace(Blobs blobs) {
    blobs.column.replace(blobs.id, PAYLOAD.stream(blobs.i, 100 * KB));
  }

  private static void appendStream(Blobs blobs) throws IOException {
    try (BlobAppendStream out = blobs.column.appendStream(blobs.id)) {
      for (int piece = 0; piece < 4; piece++) {
        out.write(PAYLOAD.bytes((blobs.i + piece) * 7919L, 25 * KB));
        out.flush();
      }
    }
  }

  private static void write(Blobs blobs) throws IOException {
    try (Writer out = blobs.column.writer(blobs.id)) {
      out.write(new String(blobs.bytes(100 * KB), StandardCharsets.US_ASCII));
    }
  }

  private static void read(InputStream opened, int count) throws IOException {
    try (InputStream in = opened) {
      check(in.transferTo(OutputStream.nullOutputStream()), count);
    }
  }

  private static void readPart(Blobs blobs) throws IOException {
    read(blobs.column.inputStream(blobs.id, blobs.at(), 100 * KB), 100 * KB);
  }

  private static void readText(Blobs blobs) throws IOException {
    try (Reader in = blobs.column.reader(blobs.id)) {
      check(in.transferTo(Writer.nullWriter()), MB);
    }
  }

  private static void open(Blobs blobs) {
    byte[] buffer = new byte[4 * KB];
    try (BlobReader reader = blobs.column.open(blobs.id)) {
      for (int part = 0; part < 3; part++) {
        long at = Blobs.at(3 * blobs.i + part);
        check(reader.read(at, buffer, 0, buffer.length), buffer.length);
      }
    }
  }

  private static void readByChannel(Blobs blobs) throws IOException {
    try (SeekableByteChannel channel = blobs.column.channel(blobs.id)) {
      check(channel.position(blobs.at()).read(ByteBuffer.allocate(4 * KB)), 4 * KB);
    }
  }

  private static void writeByChannel(Blobs blobs) throws IOException {
    try (SeekableByteChannel channel = blobs.column.channel(blobs.id)) {
      check(channel.position(blobs.at()).write(ByteBuffer.wrap(blobs.bytes(4 * KB))), 4 * KB);
    }
  }

  private static void readByBlob(Blobs blobs) throws Exception {
    check(blobs.column.sqlBlob(blobs.id).getBytes(blobs.at() + 1, 4 * KB).length, 4 * KB);
  }

  private static void follow(Blobs blobs) throws IOException {
    read(blobs.column.follow(blobs.id, FollowOptions.defaults()), MB);
  }

  /** Appends before it reads, so the follower never waits. */
  private static void followAppend(Blobs blobs) throws IOException {
    long end = 100 * KB + (long) blobs.i * KB;
    try (InputStream in = blobs.column.follow(blobs.id, FollowOptions.defaults().withFrom(end))) {
      blobs.append(KB);
      check(in.readNBytes(KB).length, KB);
    }
  }
}
