package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.Compression;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.ContentMapping;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.spi.BlobCapability;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import org.hibernate.MappingException;
import org.hibernate.annotations.Type;
import org.jspecify.annotations.Nullable;

/** Recognizes attributes of type {@link AppendableBlob}. */
public final class BlobMapping implements ContentMapping {
  /** Creates the mapping. */
  public BlobMapping() {}

  /**
   * Returns the toaster of an attribute's column.
   *
   * @param options of the attribute, or null if it has none
   * @return name of the toaster
   */
  public static String toaster(@Nullable AppendableColumn options) {
    return options == null ? BlobOptions.TOASTER : options.toaster();
  }

  /**
   * Returns the options for attaching an attribute's column.
   *
   * @param options of the attribute, or null if it has none
   * @return options of the column
   */
  public static BlobOptions columnOptions(@Nullable AppendableColumn options) {
    if (options == null) {
      return BlobOptions.defaults();
    }
    return BlobOptions.defaults()
        .withChunkSize(options.chunkSize() == 0 ? null : options.chunkSize())
        .withTail(options.tail() < 0 ? null : options.tail())
        .withCrc32c(options.crc32c() ? true : null)
        .withCompression(options.compression() == Compression.NONE ? null : options.compression())
        .withNotifyFollowers(options.notifyFollowers() ? true : null)
        .withInOwnerSchema(options.inOwnerSchema() ? true : null)
        .withLeadingKey(options.leadingKey().isEmpty() ? null : options.leadingKey())
        .withKeyIndex(options.keyIndex().isEmpty() ? null : options.keyIndex());
  }

  @Override
  public Class<? extends Annotation> options() {
    return AppendableColumn.class;
  }

  @Override
  public @Nullable ContentKind kind(Class<?> type, AnnotatedElement member) {
    if (type != AppendableBlob.class) {
      return null;
    }
    AppendableColumn options = member.getAnnotation(AppendableColumn.class);
    boolean handles = handles(options);
    Type given = member.getAnnotation(Type.class);
    if (!handles && given != null && given.value() == AppendableBlobType.class) {
      throw new MappingException(
          member
              + ": AppendableBlobType is for handles, but the toaster \""
              + toaster(options)
              + "\" has none; remove @Type");
    }
    return new BlobKind(handles, options != null && options.versioned());
  }

  /** Returns whether the column stores handles instead of content. */
  static boolean handles(@Nullable AppendableColumn options) {
    return Toasters.blobs().get(toaster(options)).capabilities().contains(BlobCapability.HANDLES);
  }
}
