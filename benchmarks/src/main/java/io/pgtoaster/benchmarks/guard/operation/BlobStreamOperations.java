package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Blobs.KB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.MB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.PAYLOAD;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.check;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.eachItsOwn;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.oneForAll;

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
        oneForAll(
            "append a stream of 1 MB",
            3,
            100 * KB,
            (b, id, i) -> b.column.append(id, PAYLOAD.stream(i, i + MB))),
        oneForAll("4 x 25 KB by an append stream", 5, 100 * KB, BlobStreamOperations::appendStream),
        oneForAll("append 100 KB by a writer", 5, 100 * KB, BlobStreamOperations::write),
        oneForAll(
            "replace by a stream of 100 KB",
            5,
            100 * KB,
            (b, id, i) -> b.column.replace(id, PAYLOAD.stream(i, 100 * KB))),
        oneForAll(
            "read a stream of 1 MB", 5, MB, (b, id, i) -> readAll(b.column.inputStream(id), MB)),
        oneForAll(
            "read a stream of 100 KB",
            5,
            MB,
            (b, id, i) -> readAll(b.column.inputStream(id, b.at(i), 100 * KB), 100 * KB)),
        oneForAll("read 1 MB by a reader", 5, MB, BlobStreamOperations::read),
        oneForAll("open, read 3 x 4 KB", 10, MB, BlobStreamOperations::open),
        oneForAll("read 4 KB by a channel", 20, MB, BlobStreamOperations::readByChannel),
        oneForAll("write 4 KB by a channel", 20, MB, BlobStreamOperations::writeByChannel),
        oneForAll(
            "read 4 KB by a JDBC blob",
            20,
            MB,
            (b, id, i) -> check(b.column.sqlBlob(id).getBytes(b.at(i) + 1, 4 * KB).length, 4 * KB)),
        eachItsOwn(
            "follow 1 MB to its seal",
            3,
            MB,
            (b, id, i) -> b.column.seal(id),
            (b, id, i) -> readAll(b.column.follow(id, FollowOptions.defaults()), MB)),
        oneForAll("follow an append of 1 KB", 20, 100 * KB, BlobStreamOperations::follow));
  }

  private static void appendStream(Blobs blobs, long id, int i) throws IOException {
    try (BlobAppendStream out = blobs.column.appendStream(id)) {
      for (int piece = 0; piece < 4; piece++) {
        out.write(blobs.bytes(i + piece, 25 * KB));
        out.flush();
      }
    }
  }

  private static void write(Blobs blobs, long id, int i) throws IOException {
    try (Writer out = blobs.column.writer(id)) {
      out.write(new String(blobs.bytes(i, 100 * KB), StandardCharsets.US_ASCII));
    }
  }

  private static void readAll(InputStream opened, int count) throws IOException {
    try (InputStream in = opened) {
      check(in.transferTo(OutputStream.nullOutputStream()), count);
    }
  }

  private static void read(Blobs blobs, long id, int i) throws IOException {
    try (Reader in = blobs.column.reader(id)) {
      check(in.transferTo(Writer.nullWriter()), MB);
    }
  }

  private static void open(Blobs blobs, long id, int i) {
    byte[] buffer = new byte[4 * KB];
    try (BlobReader reader = blobs.column.open(id)) {
      for (int part = 0; part < 3; part++) {
        check(reader.read(blobs.at(3 * i + part), buffer, 0, buffer.length), buffer.length);
      }
    }
  }

  private static void readByChannel(Blobs blobs, long id, int i) throws IOException {
    try (SeekableByteChannel channel = blobs.column.channel(id)) {
      check(channel.position(blobs.at(i)).read(ByteBuffer.allocate(4 * KB)), 4 * KB);
    }
  }

  private static void writeByChannel(Blobs blobs, long id, int i) throws IOException {
    try (SeekableByteChannel channel = blobs.column.channel(id)) {
      ByteBuffer bytes = ByteBuffer.wrap(blobs.bytes(i, 4 * KB));
      check(channel.position(blobs.at(i)).write(bytes), 4 * KB);
    }
  }

  /** Appends before it reads, so the follower never waits. */
  private static void follow(Blobs blobs, long id, int i) throws IOException {
    long end = 100 * KB + (long) i * KB;
    try (InputStream in = blobs.column.follow(id, FollowOptions.defaults().withFrom(end))) {
      blobs.append(id, i, KB);
      check(in.readNBytes(KB).length, KB);
    }
  }
}
