package io.pgtoaster.spring.resource;

import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.AbstractResource;
import org.springframework.core.io.WritableResource;

/**
 * A blob as a Spring resource. It queries the blob again on each call, as a file resource does.
 * {@link #snapshot()} returns a resource that does not change. Use it to respond to a request while
 * others append.
 *
 * <p>Immutable, and as thread-safe as its column.
 */
public final class BlobResource extends AbstractResource implements WritableResource {
  private final BlobColumn column;
  private final Object key;
  private final @Nullable String filename;
  private final @Nullable Instant modified;
  private final @Nullable BlobInfo fixed;

  private BlobResource(
      BlobColumn column,
      Object key,
      @Nullable String filename,
      @Nullable Instant modified,
      @Nullable BlobInfo fixed) {
    this.column = column;
    this.key = key;
    this.filename = filename;
    this.modified = modified;
    this.fixed = fixed;
  }

  /**
   * Creates a resource without reading anything.
   *
   * @param column column of the blob
   * @param key key of its row
   * @return the resource
   */
  public static BlobResource of(BlobColumn column, Object key) {
    return new BlobResource(
        Objects.requireNonNull(column, "column"),
        Objects.requireNonNull(key, "key"),
        null,
        null,
        null);
  }

  /**
   * Returns this resource with a file name. {@link BlobResponse} derives the media type from it. If
   * a Spring MVC controller returns the resource directly, the browser saves it under that name.
   *
   * @param name name of a file
   * @return another resource
   */
  public BlobResource withFilename(String name) {
    return new BlobResource(column, key, name, modified, fixed);
  }

  /**
   * Returns this resource with the time of its last change, which the application provides.
   *
   * @param time the time, for example from a column of the row
   * @return another resource
   */
  public BlobResource withLastModified(Instant time) {
    return new BlobResource(column, key, filename, time, fixed);
  }

  /**
   * Queries the blob and returns a resource with its current length and content, which later
   * appends do not change. If the resource has an {@link #eTag}, reading fails after any change
   * other than an append.
   *
   * @return another resource
   * @throws FileNotFoundException if there is no row with the key, or its column is NULL
   */
  public BlobResource snapshot() throws FileNotFoundException {
    return new BlobResource(column, key, filename, modified, look());
  }

  @Override
  public boolean exists() {
    return find() != null;
  }

  @Override
  public boolean isReadable() {
    return exists();
  }

  /**
   * {@inheritDoc}
   *
   * @return false if no row has the key, or the content is sealed
   */
  @Override
  public boolean isWritable() {
    try {
      return column.info(key).map(info -> !info.sealed()).orElse(true);
    } catch (RowNotFoundException e) {
      return false;
    }
  }

  /**
   * {@inheritDoc}
   *
   * @return number of bytes, without those that were discarded
   */
  @Override
  public long contentLength() throws IOException {
    BlobInfo info = look();
    return info.length() - info.first();
  }

  /**
   * {@inheritDoc}
   *
   * @return the time set by {@link #withLastModified}, or -1; the database does not record it
   */
  @Override
  public long lastModified() {
    return modified == null ? -1 : modified.toEpochMilli();
  }

  @Override
  public @Nullable String getFilename() {
    return filename;
  }

  @Override
  public String getDescription() {
    return "blob [" + column + ", key " + key + "]";
  }

  /**
   * Opens a stream over the current content, or over the content at {@link #snapshot()}. Skipping
   * reads nothing. The stream holds no connection while it is not being read, so slow consumers do
   * not exhaust a pool. If the resource has an {@link #eTag}, reading fails after any change other
   * than an append.
   *
   * @return a stream for one thread
   * @throws FileNotFoundException if there is no row with the key, or its column is NULL
   */
  @Override
  public InputStream getInputStream() throws IOException {
    BlobInfo now = look();
    return new BlobWindows(column, key, now, new ByteRange(0, now.length() - now.first()));
  }

  /** Opens a stream over part of a snapshot. */
  InputStream windows(ByteRange part) {
    return new BlobWindows(column, key, Objects.requireNonNull(fixed, "fixed"), part);
  }

  /**
   * Replaces the content, as a file stream does: truncates it immediately, and readers see new
   * content piece by piece. In a Spring transaction, readers see all of it at commit.
   *
   * @return a stream for one thread
   * @throws FileNotFoundException if there is no row with the key
   * @see #appendStream()
   */
  @Override
  public OutputStream getOutputStream() throws IOException {
    try {
      try {
        column.truncate(key, 0);
      } catch (BlobNotFoundException e) {
        // The blob does not exist yet; the stream creates it.
      }
      return column.appendStream(key);
    } catch (PgToasterException e) {
      throw asIo(e);
    }
  }

  /**
   * Opens a stream that appends and commits in pieces.
   *
   * @return a stream for one thread
   * @throws FileNotFoundException if there is no row with the key
   */
  public BlobAppendStream appendStream() throws IOException {
    try {
      return column.appendStream(key);
    } catch (PgToasterException e) {
      throw asIo(e);
    }
  }

  /**
   * Appends a whole stream at once, such as the body of a request, in bounded memory: readers see
   * all of it or nothing. The stream is not closed. A stream longer than 1 MB is read inside the
   * transaction, which holds a connection and locks the blob until the stream ends. For slow or
   * unknown clients, copy to an {@link #appendStream} instead, which holds no connection and no
   * lock while it waits.
   *
   * @param in read to its end
   * @return the position of the bytes
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended
   */
  public AppendResult append(InputStream in) {
    return column.append(key, in);
  }

  /**
   * Returns a strong validator, derived from the content's creation, generation and length, and
   * from the first offset that is left.
   *
   * @return an entity tag in double quotes; null if the toaster of the column cannot detect
   *     overwritten content
   * @throws FileNotFoundException if there is no row with the key, or its column is NULL
   */
  public @Nullable String eTag() throws IOException {
    if (!column.capabilities().contains(BlobCapability.PINNED_READS)) {
      return null;
    }
    BlobInfo info = look();
    Instant created = info.createdAt();
    long micros =
        created == null ? 0 : created.getEpochSecond() * 1_000_000 + created.getNano() / 1000;
    return "\""
        + Long.toHexString(micros)
        + "-"
        + Long.toHexString(info.generation())
        + "-"
        + Long.toHexString(info.length())
        + "-"
        + Long.toHexString(info.first())
        + "\"";
  }

  private @Nullable BlobInfo find() {
    if (fixed != null) {
      return fixed;
    }
    try {
      return column.info(key).orElse(null);
    } catch (RowNotFoundException e) {
      return null;
    }
  }

  private BlobInfo look() throws FileNotFoundException {
    BlobInfo info = find();
    if (info == null) {
      throw new FileNotFoundException("there is no content: " + getDescription());
    }
    return info;
  }

  private static IOException asIo(PgToasterException e) {
    IOException io =
        e instanceof RowNotFoundException
            ? new FileNotFoundException(e.getMessage())
            : new IOException(e.getMessage());
    io.initCause(e);
    return io;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlobResource that
        && column == that.column
        && key.equals(that.key)
        && Objects.equals(fixed, that.fixed);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }
}
