package io.pgtoaster.blob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Components as the methods of {@link BlobInfo}. */
record KnownBlob(long length, long generation, boolean sealed, @Nullable Instant createdAt)
    implements BlobInfo {}
