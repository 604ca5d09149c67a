package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.Compression;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobCapability;
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
    boolean handles =
        Toasters.blobs().get(toaster).capabilities().contains(BlobCapability.HANDLES);
    return new BlobKind(ToasterOptions.of(toaster, options.toMap()), handles, versioned);
  }

  @Override
  public void bind(ContentAttribute attribute, Owner owner, Object value) {
    BlobState state = ((AppendableBlob) value).state();
    state.place = new BlobRow.OfEntity(attribute, owner);
    state.inserting = false;
  }

  @Override
  public Object loaded(ContentAttribute attribute, Owner owner, Object value) {
    BlobRow place = new BlobRow.OfEntity(attribute, owner);
    return new AppendableBlob(BlobState.of(place, ((AppendableBlob) value).state().handle));
  }

  @Override
  public Object given(ContentAttribute attribute, Owner owner, Object value) {
    AppendableBlob blob = (AppendableBlob) value;
    BlobState state = blob.state();
    state.checkEnd();
    if (state.gone != null) {
      throw new BlobStateException(state.gone);
    }
    BlobRow place = state.place;
    boolean stateless = !owner.session().isEventSource();
    if (stateless && state.parts == null && place != null && place.isOf(attribute, owner)) {
      // A stateless session writes the blob that it loaded before.
      return blob;
    }
    if (place == null && state.parts == null) {
      if (stateless && owner.id() != null && isKept(state, attribute, owner)) {
        bind(attribute, owner, blob);
        return blob;
      }
      if (isThere(owner) && isOfRow(state, attribute, owner)) {
        return loaded(attribute, owner, blob);
      }
      place = Finder.find(blob, state.handle, state.origin(owner.session()));
    }
    boolean exists = isThere(owner);
    if (place == null || (isValueOf(place, attribute, owner) && (exists || state.parts != null))) {
      return blob;
    }
    if (place.isOf(attribute, owner) && sameFactory(place, owner)) {
      if (exists) {
        return loaded(attribute, owner, blob);
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

  private static boolean sameFactory(BlobRow place, Owner owner) {
    return place.session().getFactory() == owner.session().getFactory();
  }

  private static boolean isValueOf(BlobRow place, ContentAttribute attribute, Owner owner) {
    return place instanceof BlobRow.OfEntity at && at.isValueOf(attribute, owner.entity());
  }

  /**
   * Returns whether a stateless session must write a blob that it loaded. The content alone does
   * not show this.
   */
  private boolean isKept(BlobState state, ContentAttribute attribute, Owner owner) {
    return !handles || state.handle == null || isOfRow(state, attribute, owner);
  }

  /** Returns whether a blob that is bound to no owner belongs to this owner's row. */
  private boolean isOfRow(BlobState state, ContentAttribute attribute, Owner owner) {
    if (state.isOfItsRow()) {
      return true;
    }
    if (!handles || state.handle == null || !state.isFrom(owner.session().getFactory())) {
      return false;
    }
    AttachedColumn column = attribute.blobsOutsideBatch(owner.session()).describe();
    return state.handle.equals(Finder.handle(column, owner.key(column), owner.session()));
  }

  /** Returns whether the owner's row already exists. */
  private static boolean isThere(Owner owner) {
    var entry = owner.entry();
    return entry != null && entry.isExistsInDatabase();
  }

  @Override
  public @Nullable Runnable change(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    BlobState state = now == null ? null : ((AppendableBlob) now).state();
    boolean changed = state == null ? loaded != null : state.parts != null || state.touched;
    return changed ? () -> write(attribute, owner, loaded, now) : null;
  }

  @Override
  public @Nullable Object before(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    return loaded == now ? null : loaded;
  }

  @Override
  public boolean isUpdate(
      ContentAttribute attribute, @Nullable Object loaded, @Nullable Object now) {
    return true;
  }

  @Override
  public void beforeInsert(ContentAttribute attribute, Owner owner, Object value) {
    Creation.beforeInsert(this, attribute, owner, (AppendableBlob) value);
  }

  @Override
  public void beforeUpsert(ContentAttribute attribute, Owner owner, Object value) {
    Creation.beforeUpsert(this, attribute, owner, (AppendableBlob) value);
  }

  private void write(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    BlobColumn column = attribute.blobs(owner.session());
    RowKey key = owner.key(column.describe());
    if (loaded instanceof AppendableBlob before && before != now) {
      before.state().release(attribute, owner);
    }
    if (now == null) {
      column.delete(key);
      return;
    }
    BlobState state = ((AppendableBlob) now).state();
    bind(attribute, owner, now);
    PendingContent parts = state.parts;
    if (parts != null) {
      boolean first = state.inserted && loaded == now;
      if (!first || parts.length() != 0 || (handles && state.handle == null)) {
        write(column, key, parts, owner, first || loaded == null);
      }
      state.wrote(owner.session());
    }
    state.touched = false;
  }

  private static void write(
      BlobColumn column, RowKey key, PendingContent parts, Owner owner, boolean append) {
    parts.check();
    byte @Nullable [] bytes = parts.inMemory();
    if (bytes == null) {
      var in = parts.open(owner.session());
      if (append) {
        column.append(key, in);
      } else {
        column.replace(key, in);
      }
    } else if (!append) {
      column.replace(key, bytes);
    } else {
      column.append(key, bytes);
    }
  }
}
