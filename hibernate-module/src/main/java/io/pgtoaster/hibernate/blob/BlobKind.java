package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.column.Compression;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.hibernate.internal.Appends;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.spi.AttachedColumn;
import org.jspecify.annotations.Nullable;

/**
 * Writes blobs. Their rows are inserted with handles that were created before. All later operations
 * use the key of the row.
 *
 * @param options of the column
 * @param handles whether the column stores handles instead of content
 * @param versioned whether appending and overwriting increment the version of the entity
 */
record BlobKind(ToasterOptions options, boolean handles, boolean versioned) implements ContentKind {
  private static final BlobKind DEFAULT = of(BlobOptions.TOASTER, BlobOptions.defaults(), false);

  /** Returns the kind of an attribute with the given annotation, or with none. */
  static BlobKind of(@Nullable AppendableColumn column) {
    if (column == null) {
      return DEFAULT;
    }
    BlobOptions options =
        BlobOptions.defaults()
            .withChunkSize(column.chunkSize() == 0 ? null : column.chunkSize())
            .withTail(column.tail() < 0 ? null : column.tail())
            .withCrc32c(column.crc32c() ? true : null)
            .withCompression(column.compression() == Compression.NONE ? null : column.compression())
            .withNotifyFollowers(column.notifyFollowers() ? true : null)
            .withInOwnerSchema(column.inOwnerSchema() ? true : null)
            .withLeadingKey(column.leadingKey().isEmpty() ? null : column.leadingKey())
            .withKeyIndex(column.keyIndex().isEmpty() ? null : column.keyIndex());
    return of(column.toaster(), options, column.versioned());
  }

  private static BlobKind of(String toaster, BlobOptions options, boolean versioned) {
    boolean handles = Toasters.blobs().get(toaster).capabilities().contains(BlobCapability.HANDLES);
    return new BlobKind(ToasterOptions.of(toaster, options.toMap()), handles, versioned);
  }

  @Override
  public void bind(Slot slot, Object value) {
    BlobState state = ((AppendableBlob) value).state();
    state.place = new BlobRow.OfEntity(slot);
    state.inserting = false;
  }

  @Override
  public Object loaded(Slot slot, Object value) {
    BlobRow place = new BlobRow.OfEntity(slot);
    return new AppendableBlob(BlobState.of(place, ((AppendableBlob) value).state().handle));
  }

  @Override
  public Object given(Slot slot, Object value) {
    AppendableBlob blob = (AppendableBlob) value;
    BlobState state = blob.state();
    state.checkEnd();
    if (state.gone != null) {
      throw new BlobStateException(state.gone);
    }
    BlobRow place = state.place;
    boolean stateless = !slot.session().isEventSource();
    if (stateless && state.parts == null && place != null && place.isOf(slot)) {
      // A stateless session writes the blob that it loaded before.
      return blob;
    }
    if (place == null && state.parts == null) {
      if (stateless && slot.owner().id() != null && isKept(state, slot)) {
        bind(slot, blob);
        return blob;
      }
      if (slot.owner().exists() && isOfRow(state, slot)) {
        return loaded(slot, blob);
      }
      place = Finder.find(blob, state.handle, state.origin(slot.session()));
    }
    boolean exists = slot.owner().exists();
    if (place == null || (isValueOf(place, slot) && (exists || state.parts != null))) {
      return blob;
    }
    if (place.isOf(slot) && sameFactory(place, slot)) {
      if (exists) {
        return loaded(slot, blob);
      }
      throw new BlobStateException(
          place.describe()
              + ": the content of this AppendableBlob was deleted with its row; assign a new blob"
              + " to the attribute");
    }
    PendingContent parts;
    if (state.parts != null) {
      parts = state.parts.share();
    } else {
      parts = new PendingContent();
      parts.add(new ContentSource.Copy(blob, place));
    }
    return new AppendableBlob(BlobState.of(parts));
  }

  private static boolean sameFactory(BlobRow place, Slot slot) {
    return place.session().getFactory() == slot.session().getFactory();
  }

  private static boolean isValueOf(BlobRow place, Slot slot) {
    return place instanceof BlobRow.OfEntity at && at.slot().isSame(slot);
  }

  /**
   * Returns whether a stateless session must write a blob that it loaded. The content alone does
   * not show this.
   */
  private boolean isKept(BlobState state, Slot slot) {
    return !handles || state.handle == null || isOfRow(state, slot);
  }

  /** Returns whether a blob that is bound to no owner belongs to this owner's row. */
  private boolean isOfRow(BlobState state, Slot slot) {
    if (state.isOfItsRow()) {
      return true;
    }
    if (!handles || state.handle == null || !state.isFrom(slot.session().getFactory())) {
      return false;
    }
    AttachedColumn column = ColumnAccess.column(slot.attribute().blobsOutsideBatch(slot.session()));
    return state.handle.equals(Finder.handle(column, slot.owner().key(column), slot.session()));
  }

  @Override
  public @Nullable Work change(Slot slot, @Nullable Object loaded, @Nullable Object now) {
    BlobState state = now == null ? null : ((AppendableBlob) now).state();
    boolean changed = state == null ? loaded != null : state.parts != null || state.touched;
    return changed ? appends -> write(slot, loaded, now, appends) : null;
  }

  @Override
  public void beforeInsert(Slot slot, Object value) {
    Creation.beforeInsert(this, slot, (AppendableBlob) value);
  }

  @Override
  public void beforeUpsert(Slot slot, Object value) {
    Creation.beforeUpsert(this, slot, (AppendableBlob) value);
  }

  private void write(Slot slot, @Nullable Object loaded, @Nullable Object now, Appends appends) {
    BlobColumn column = slot.attribute().blobs(slot.session());
    RowKey key = slot.owner().key(ColumnAccess.column(column));
    if (loaded instanceof AppendableBlob before && before != now) {
      before.state().release(slot);
    }
    if (now == null) {
      column.delete(key);
      return;
    }
    BlobState state = ((AppendableBlob) now).state();
    bind(slot, now);
    state.touched = false;
    PendingContent parts = state.parts;
    if (parts == null) {
      return;
    }
    boolean first = state.inserted && loaded == now;
    if (first && parts.length() == 0 && (!handles || state.handle != null)) {
      state.wrote(slot.session());
      return;
    }
    parts.check();
    byte @Nullable [] bytes = parts.inMemory();
    boolean append = first || loaded == null;
    if (append && bytes != null) {
      // Before that call, the blob is not in the database, and reading it throws an exception.
      appends.add(column, key, bytes, () -> state.wrote(slot.session()));
      return;
    }
    if (append) {
      column.append(key, parts.open(slot.session()));
    } else if (bytes != null) {
      column.replace(key, bytes);
    } else {
      column.replace(key, parts.open(slot.session()));
    }
    state.wrote(slot.session());
  }
}
