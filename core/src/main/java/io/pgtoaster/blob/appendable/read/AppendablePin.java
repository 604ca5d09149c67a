package io.pgtoaster.blob.appendable.read;

import io.pgtoaster.blob.PinnedBlob;
import io.pgtoaster.blob.appendable.format.BlobId;
import java.time.Instant;

/**
 * A blob as a reader found it.
 *
 * @param blob its id
 * @param length bytes at that time
 * @param stable end of the chunks at that time: what lies before it is in the chunk table for as
 *     long as the generation lasts and nobody joins chunks
 * @param chunkSize the most bytes of a chunk
 * @param generation at that time
 * @param sealed whether it is final
 * @param createdAt by the server's clock
 * @param openWriter id of the transaction that wrote the head and is the reader's own and still
 *     open, or 0: a rollback takes the pinned bytes away
 */
public record AppendablePin(
    BlobId blob,
    long length,
    long stable,
    int chunkSize,
    long generation,
    boolean sealed,
    Instant createdAt,
    long openWriter)
    implements PinnedBlob {}
