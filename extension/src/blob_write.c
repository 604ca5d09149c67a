/*
 * blob_write.c: overwrites and truncation. Both first lock the head and increment the generation, so that open readers
 * notice the change.
 */
#include "blob.h"

#include "access/htup_details.h"

/*
 * Returns the bytes that come before an offset in its chunk, and the start of the chunk; NULL if the chunk is missing
 * or damaged.
 */
static char *
load_chunk(PgtBlob *blob, int64 offset, int64 *start)
{
	char	   *bytes = NULL;
	PgtChunkScan scan;

	pgt_push_snapshot();
	pgt_chunk_scan(&scan, blob, ACL_SELECT, offset, offset + 1);
	if (pgt_chunk_next(&scan) && scan.size <= blob->head.chunk_size)
	{
		bytes = palloc(scan.size);
		*start = scan.start;
		if (!pgt_data_copy(scan.data, scan.has_crc, scan.crc, scan.size, 0, (int32) (offset - scan.start), bytes))
			bytes = NULL;
	}
	pgt_chunk_scan_end(&scan);
	pgt_pop_snapshot();
	return bytes;
}

/* Overwrites bytes of chunks, starting at an offset. If it returns PGT_DAMAGED, nothing was changed. */
static PgtOutcome
write_chunks(PgtBlob *blob, int64 offset, const char *data, int64 size)
{
	int64		at = offset;
	int64		end = offset + size;
	bytea	   *chunk = palloc(VARHDRSZ + blob->head.chunk_size);
	bool		changed = false;
	PgtChunkScan scan;

	pgt_push_snapshot();
	pgt_chunk_scan(&scan, blob, ACL_SELECT | ACL_UPDATE, offset, end);
	while (at < end)
	{
		bool		right = pgt_chunk_next(&scan) && (changed ? scan.start == at : scan.start <= at) &&
			scan.size <= blob->head.chunk_size;
		int64		last = right ? Min(scan.start + scan.size, end) : at;
		HeapTuple	next;

		if (right && last - at < scan.size)
			right = pgt_data_copy(scan.data, scan.has_crc, scan.crc, scan.size, 0, scan.size, VARDATA(chunk));
		if (!right && changed)
			pgt_blob_damaged(blob, "a chunk", at);
		if (!right)
			break;
		SET_VARSIZE(chunk, VARHDRSZ + scan.size);
		memcpy(VARDATA(chunk) + (at - scan.start), data + (at - offset), last - at);
		next = pgt_chunk_form(blob, scan.start, PointerGetDatum(chunk), blob->options->crc32c,
							  blob->options->crc32c ? pgt_crc32c(VARDATA(chunk), scan.size) : 0);
		if (!pgt_update(scan.table, scan.tuple, next))
			pgt_interfered(blob->column);
		heap_freetuple(next);
		changed = true;
		at = last;
	}
	pgt_chunk_scan_end(&scan);
	pgt_pop_snapshot();
	pfree(chunk);
	return at < end ? PGT_DAMAGED : PGT_APPLIED;
}

static char *
load_pending(PgtBlob *blob)
{
	char	   *segment;

	pgt_push_snapshot();
	segment = pgt_pending_load(blob, &blob->head);
	pgt_pop_snapshot();
	return segment;
}

/* Overwrites bytes of a locked blob that is not sealed; offset is less than its length. */
static PgtOutcome
overwrite(PgtBlob *blob, int64 offset, const char *data, Size size)
{
	PgtHead    *head = &blob->head;
	PgtHead		next = *head;
	int64		in_chunks = Min((int64) size, Max(0, head->piece_start - offset));
	Size		rest = size - in_chunks;
	int32		count = (int32) (head->length - head->piece_start);
	char	   *segment = NULL;

	next.generation++;
	if (rest > 0)
	{
		segment = load_pending(blob);
		if (segment == NULL)
			return PGT_DAMAGED;
	}
	if (in_chunks > 0 && write_chunks(blob, offset, data, in_chunks) == PGT_DAMAGED)
		return PGT_DAMAGED;
	if (rest == 0)
		pgt_head_put(blob, &next);
	else
	{
		/* Overwrite the bytes in the pending tail, and append the bytes after its end. */
		int32		at = (int32) (offset + in_chunks - head->piece_start);
		Size		over = Min(rest, (Size) (count - at));

		memcpy(segment + at, data + in_chunks, over);
		pgt_piece_drop(blob, pgt_pending_flush(blob, &next, head->piece_start, segment, count, data + in_chunks + over, rest - over));
	}
	return PGT_APPLIED;
}

PgtOutcome
pgt_write(PgtColumn *column, PgtKey *key, int64 offset, const char *data, Size size)
{
	PgtBlob		blob;
	PgtOutcome	outcome;

	pgt_blob_begin(&blob, column, key);
	outcome = pgt_blob_lock(&blob);
	if (outcome == PGT_APPLIED && blob.head.sealed)
		outcome = PGT_SEALED;
	if (outcome == PGT_APPLIED && (offset > blob.head.length || offset > PG_INT64_MAX - (int64) size))
		outcome = PGT_OFFSET;
	if (outcome == PGT_APPLIED && offset < blob.head.first)
		outcome = PGT_DISCARDED;
	if (outcome == PGT_APPLIED && size > 0)
	{
		if (offset == blob.head.length)
			pgt_append_locked(&blob, data, size);
		else
			outcome = overwrite(&blob, offset, data, size);
	}
	pgt_blob_end(&blob);
	return outcome;
}

/* Truncates a locked blob that is not sealed to less than its length: to 0, or to a byte that was not discarded. */
static PgtOutcome
cut(PgtBlob *blob, int64 length)
{
	PgtHead    *head = &blob->head;
	PgtHead		next = *head;
	int64		start = head->piece_start;
	bool		empties = length < head->first;
	char	   *segment;
	int32		kept;

	if (empties)
	{
		/* Offsets count from 0 again. */
		next.first = start = 0;
		segment = "";
	}
	else
		segment = length < start ? load_chunk(blob, length, &start) : load_pending(blob);
	if (segment == NULL)
		return PGT_DAMAGED;
	kept = (int32) (length - start);
	next.generation++;
	if (start < head->piece_start)
	{
		PgtChunkScan scan;

		pgt_push_snapshot();
		pgt_chunk_scan(&scan, blob, ACL_SELECT | ACL_DELETE, start, PG_INT64_MAX);
		while (pgt_chunk_next(&scan))
			pgt_delete(scan.table, scan.tuple);
		pgt_chunk_scan_end(&scan);
		pgt_pop_snapshot();
	}
	pgt_piece_drop(blob, pgt_pending_flush(blob, &next, start, segment, kept, NULL, 0));
	return PGT_APPLIED;
}

PgtOutcome
pgt_truncate(PgtColumn *column, PgtKey *key, int64 length)
{
	PgtBlob		blob;
	PgtOutcome	outcome;

	pgt_blob_begin(&blob, column, key);
	outcome = pgt_blob_lock(&blob);
	if (outcome == PGT_APPLIED && blob.head.sealed)
		outcome = PGT_SEALED;
	if (outcome == PGT_APPLIED && length > blob.head.length)
		outcome = PGT_OFFSET;
	if (outcome == PGT_APPLIED && length < blob.head.first && length > 0)
		outcome = PGT_DISCARDED;
	if (outcome == PGT_APPLIED && length < blob.head.length)
		outcome = cut(&blob, length);
	pgt_blob_end(&blob);
	return outcome;
}
