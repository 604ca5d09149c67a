package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.hibernate.blob.BlobState.Row;
import io.pgtoaster.internal.column.ColumnAccess;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.NotSerializableException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Serial;
import java.io.Serializable;
import java.io.Writer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Blob;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.hibernate.SharedSessionContract;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A blob as an attribute of an entity. You can append to its content and read parts of it. The
 * attribute needs no annotation; {@link AppendableColumn} has options.
 *
 * <p>An application creates a blob and assigns it to an entity's attribute. The content is written
 * when the session is flushed. The blob of a loaded entity works on the row immediately, in the
 * transaction of the session; appending causes no UPDATE of the entity. Assigning another blob
 * replaces the content, and assigning null deletes it. A blob that belongs to another entity is
 * copied. If the attribute was null and another transaction has meanwhile stored content, the
 * content of a new blob is appended to it. That applies to entities without {@code @Version}, and
 * to attributes excluded from it. With {@code @Version}, the second transaction gets an {@link
 * jakarta.persistence.OptimisticLockException}.
 *
 * <p>Two blobs are equal if they are the same object. Use a blob from one thread at a time, like
 * its session. A call that the state of the blob does not allow throws {@link BlobStateException}.
 * Errors of the database cause the same exceptions as in {@link io.pgtoaster.blob.BlobColumn}.
 * Serialization writes content that is in memory, or the handle, for merging; a blob with a stream
 * cannot be serialized.
 *
 * <p>A Jackson 3 mapper writes a blob as {@code {"length": 123}}, plus a link if there are {@link
 * BlobLinks}. If the attribute has {@code @JsonFormat(shape = BINARY)}, it writes the content in
 * Base64, which requires a transaction. It reads blobs only from Base64.
 *
 * <p>After a read outside of a transaction, the session keeps its connection until its next
 * operation or transaction ends, or until it is closed.
 *
 * <pre>{@code
 * Recording recording = new Recording(); // an entity with a field AppendableBlob audio
 * recording.audio = AppendableBlob.of(file);
 * session.persist(recording);
 *
 * session.find(Recording.class, 7L).audio.append(bytes);
 * }</pre>
 */
@JsonSerialize(using = AppendableBlobSerializer.class)
@JsonDeserialize(using = AppendableBlobDeserializer.class)
public final class AppendableBlob implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final transient BlobState state;

  /** Creates an empty blob, which differs from null. */
  public AppendableBlob() {
    this(BlobState.of(new PendingContent()));
  }

  AppendableBlob(BlobState state) {
    this.state = state;
  }

  /**
   * Creates a blob from bytes.
   *
   * @param bytes its content, copied
   * @return a blob for an attribute
   */
  public static AppendableBlob of(byte[] bytes) {
    return with(parts -> parts.add(bytes));
  }

  /**
   * Creates a blob from text, in UTF-8.
   *
   * @param text its content
   * @return a blob for an attribute
   */
  public static AppendableBlob of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Creates a blob from a stream. The stream is read once, when the session is flushed. If that
   * transaction is rolled back, create a new blob.
   *
   * @param in read to its end; not closed
   * @return a blob for an attribute
   */
  public static AppendableBlob of(InputStream in) {
    Objects.requireNonNull(in, "in");
    return with(parts -> parts.add(new ContentSource.Once(in)));
  }

  /**
   * Creates a blob from a file, which is read when the session is flushed.
   *
   * @param file the file, which must exist at that time
   * @return a blob for an attribute
   */
  public static AppendableBlob of(Path file) {
    Objects.requireNonNull(file, "file");
    return with(parts -> parts.add(new ContentSource.File(file)));
  }

  /** Returns the number of bytes, whether they are in the database or not; -1 if it is unknown. */
  long knownLength() {
    PendingContent parts = state.parts;
    return parts == null ? length() : parts.length();
  }

  private static AppendableBlob with(Consumer<PendingContent> content) {
    PendingContent parts = new PendingContent();
    content.accept(parts);
    return new AppendableBlob(BlobState.of(parts));
  }

  BlobState state() {
    return state;
  }

  /**
   * Appends bytes. If the blob is not in the database yet, they are kept in memory until the
   * session is flushed.
   *
   * @param bytes to append
   * @return their position; its offset is -1 if the blob is not in the database yet and contains a
   *     stream or a file
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public AppendResult append(byte[] bytes) {
    PendingContent parts = state.parts;
    if (parts == null) {
      return append(bytes, AppendOptions.defaults());
    }
    AppendResult result = new AppendResult(parts.length(), bytes.length, false);
    parts.add(bytes);
    return result;
  }

  /**
   * Appends bytes with options.
   *
   * @param bytes to append
   * @param options expected offset and token
   * @return their position, and whether an earlier call appended them
   * @throws io.pgtoaster.error.OffsetConflictException if the blob does not have the expected
   *     length; nothing is appended
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public AppendResult append(byte[] bytes, AppendOptions options) {
    Row row = changing("append");
    return row.column().append(row.key(), bytes, options);
  }

  /**
   * Appends text in UTF-8.
   *
   * @param text to append
   * @return the position of its bytes
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public AppendResult append(String text) {
    return append(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Appends a whole stream. If the blob is not in the database yet, the stream is read when the
   * session is flushed.
   *
   * @param in read to its end; not closed
   * @return the position of the bytes; its length is -1 if the stream will be read at the flush
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended
   */
  public AppendResult append(InputStream in) {
    PendingContent parts = state.parts;
    if (parts == null) {
      return append(in, AppendOptions.defaults());
    }
    AppendResult result = new AppendResult(parts.length(), -1, false);
    parts.add(new ContentSource.Once(in));
    return result;
  }

  /**
   * Appends a whole stream with options.
   *
   * @param in read to its end; not closed
   * @param options expected offset and token
   * @return the position of the bytes, and whether an earlier call appended them
   * @throws io.pgtoaster.error.OffsetConflictException if the blob does not have the expected
   *     length; nothing is appended
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended
   */
  public AppendResult append(InputStream in, AppendOptions options) {
    Row row = changing("append");
    return row.column().append(row.key(), in, options);
  }

  /**
   * Opens a stream that appends in the transaction of the session. It appends a few hundred
   * kilobytes at a time, and the rest when it is flushed or closed.
   *
   * @return a stream for one thread; it throws the same exceptions as {@link #append(byte[])}
   */
  public OutputStream outputStream() {
    return new AppendingStream(this);
  }

  /**
   * Opens a writer that appends text in UTF-8. See {@link #outputStream}.
   *
   * @return a writer that throws a {@link java.nio.charset.CharacterCodingException} for unpaired
   *     surrogates
   */
  public Writer writer() {
    return new OutputStreamWriter(
        outputStream(),
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /**
   * Overwrites bytes, and appends those that reach beyond the end.
   *
   * @param offset of the first byte
   * @param bytes to write
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public void write(long offset, byte[] bytes) {
    Row row = changing("write");
    row.column().write(row.key(), offset, bytes);
  }

  /**
   * Truncates the content.
   *
   * @param length of the content afterwards
   * @throws io.pgtoaster.error.InvalidOffsetException if it is greater than the current length
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public void truncate(long length) {
    Row row = changing("truncate");
    row.column().truncate(row.key(), length);
  }

  /**
   * Makes the content final. Sealing it again has no effect.
   *
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if its toaster does not support this
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public void seal() {
    Row row = changing("seal");
    row.column().seal(row.key());
  }

  /**
   * Rewrites the stored content compactly, with the column's current options.
   *
   * @return number of stored rows rewritten; 0 if there was nothing to do
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public long compact() {
    Row row = state.rowInTransaction(this, "compact");
    return row.column().compact(row.key());
  }

  /**
   * Checks the stored content for damage.
   *
   * @return the findings, one sentence each; empty if the content is intact
   */
  public List<String> verify() {
    Row row = state.row(this);
    return row.column().verify(row.key());
  }

  /**
   * Returns information about the content without reading it.
   *
   * @return length, generation and more
   * @throws io.pgtoaster.error.BlobNotFoundException if the content was deleted
   */
  public BlobInfo info() {
    Row row = state.row(this);
    return row.column()
        .info(row.key())
        .orElseThrow(() -> new BlobStateException(row.place().describe() + " has no content"));
  }

  /**
   * Returns the length.
   *
   * @return bytes
   */
  public long length() {
    Row row = state.row(this);
    return row.column().length(row.key());
  }

  /**
   * Reads a range.
   *
   * @param offset of the first byte
   * @param length number of bytes wanted
   * @return the bytes; fewer than requested only at the end
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   */
  public byte[] read(long offset, int length) {
    Row row = state.row(this);
    return row.column().read(row.key(), offset, length);
  }

  /**
   * Opens a stream over the current content, in the transaction of the session.
   *
   * @return a stream for one thread; it fails after the transaction has ended
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public InputStream inputStream() {
    return inputStream(0, Long.MAX_VALUE);
  }

  /**
   * Opens a stream over a range of the current content, in the transaction of the session.
   *
   * @param offset of the first byte
   * @param length number of bytes; the stream ends earlier at the end of the content
   * @return a stream for one thread; it fails after the transaction has ended
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public InputStream inputStream(long offset, long length) {
    Row row = state.rowInTransaction(this, "reading a stream");
    return new SessionStream(
        row.place().session(), row.column().inputStream(row.key(), offset, length));
  }

  /**
   * Opens a reader of text in UTF-8 over the current content, in the transaction of the session.
   *
   * @return a reader that throws a {@link java.nio.charset.CharacterCodingException} for malformed
   *     bytes
   * @throws io.pgtoaster.error.TransactionRequiredException outside of a transaction
   */
  public Reader reader() {
    return new InputStreamReader(
        inputStream(),
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /**
   * Opens a stream of committed content that grows, until the content is sealed. The stream takes
   * its own connection for each check. It uses neither the session nor its transaction, and the
   * session may be closed.
   *
   * @param options start, polling interval and timeout
   * @return a stream for one thread
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if its toaster cannot seal
   */
  public InputStream follow(FollowOptions options) {
    BlobRow place = state.place(this);
    var column = place.attribute().committedBlobs(place.session());
    return column.follow(place.key(ColumnAccess.column(column)), options);
  }

  /**
   * Returns a channel, which cannot write beyond the end. Each of its calls runs in the transaction
   * of the session.
   *
   * @return a channel for one thread
   */
  public SeekableByteChannel channel() {
    state.place(this);
    return new SessionChannel(this, 0);
  }

  /**
   * Returns a JDBC view. Each of its calls runs in the transaction of the session.
   *
   * @return a {@link Blob} with positions of 64 bits
   */
  public Blob sqlBlob() {
    state.place(this);
    return new SessionBlob(this);
  }

  /**
   * Returns the same content in another session, for a blob of a detached entity or one that was
   * selected without its entity. If the query cache is on, blobs that were selected without their
   * entity can be used only through this method, because other sessions may share the same object.
   *
   * @param session open; of the same session factory
   * @return a blob of the row, without an entity; changes to it do not increment a version
   */
  public AppendableBlob in(SharedSessionContract session) {
    SharedSessionContractImplementor there = (SharedSessionContractImplementor) session;
    if (state.parts != null || state.gone != null) {
      state.place(this);
    }
    BlobRow at = state.place;
    if (at == null) {
      AppendableBlob selected = new AppendableBlob(BlobState.copied(state.handle, there));
      selected.state.place(selected);
      return selected;
    }
    var column = ColumnAccess.column(at.attribute().blobs(there));
    return new AppendableBlob(
        BlobState.of(new BlobRow.OfRow(at.attribute(), there, at.key(column)), state.handle));
  }

  /** Returns the row for a change, and records the change. */
  Row changing(String what) {
    Row row = state.rowInTransaction(this, what);
    if (row.place().attribute().kind() instanceof BlobKind kind
        && kind.versioned()
        && row.place() instanceof BlobRow.OfEntity) {
      state.touch(row.place().session());
    }
    return row;
  }

  @Override
  public String toString() {
    if (state.parts != null) {
      return "AppendableBlob[not in the database yet]";
    }
    BlobRow at = state.place;
    return "AppendableBlob[" + (at == null ? "handle " + state.handle : at.describe()) + "]";
  }

  /**
   * Serializes the content in memory, or the handle.
   *
   * @return the object to serialize instead
   * @throws NotSerializableException if its content is a stream or a file
   */
  @Serial
  private Object writeReplace() throws NotSerializableException {
    PendingContent parts = state.parts;
    byte[] bytes = parts == null ? null : parts.inMemory();
    if (parts != null && bytes == null) {
      throw new NotSerializableException("an AppendableBlob over a stream or a file");
    }
    return new Serialized(state.handle, bytes);
  }

  /** The serialized form of a blob. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Serialized(@Nullable Long handle, byte @Nullable [] bytes)
      implements Serializable {
    @Serial
    private Object readResolve() {
      return bytes == null
          ? new AppendableBlob(BlobState.selected(handle, null))
          : AppendableBlob.of(bytes);
    }
  }
}
