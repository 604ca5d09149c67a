package io.pgtoaster.blob.appendable.read;

import io.pgtoaster.blob.appendable.format.BlobId;
import io.pgtoaster.spi.PinnedBlob;
import java.time.Instant;

/**
 * The state of a blob when a reader opened it.
 *
 * @param blob its id
 * @param length its length in bytes
 * @param stable end of the chunks; the bytes before it stay in the chunk table until the generation
 *     changes or chunks are joined
 * @param chunkSize maximum number of bytes in a chunk
 * @param generation its generation
 * @param sealed whether it is final
 * @param createdAt creation time by the server's clock
 * @param first offset of the first byte that was not discarded
 * @param openWriter id of the transaction that wrote the head, if that is the reader's own open
 *     transaction, otherwise 0; rolling it back removes the pinned bytes
 */
public record AppendablePin(
    BlobId blob,
    long length,
    long stable,
    int chunkSize,
    long generation,
    boolean sealed,
    Instant createdAt,
    long first,
    long openWriter)
    implements PinnedBlob {}
