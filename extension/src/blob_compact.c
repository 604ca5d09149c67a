/*
 * blob_compact.c: compaction, copies and removal. They do not change the content, so open readers can continue.
 */
#include "blob.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/htup_details.h"
#include "access/toast_compression.h"
#include "access/toast_internals.h"
#include "utils/memutils.h"

/* Number of chunks, spread over a blob, that are compressed to find out whether the blob is compressible. */
#define SAMPLES 16
/* Number of rows copied in one batch. */
#define BATCH_ROWS 32

static char
compression_of(Datum data)
{
	switch (toast_get_compression_id((struct varlena *) DatumGetPointer(data)))
	{
		case TOAST_PGLZ_COMPRESSION_ID:
			return TOAST_PGLZ_COMPRESSION;
		case TOAST_LZ4_COMPRESSION_ID:
			return TOAST_LZ4_COMPRESSION;
		default:
			return InvalidCompressionMethod;
	}
}

/* Compresses the data of the current chunk in the same way as its table; returns 0 if that does not make it smaller. */
static Datum
compressed(PgtChunkScan *scan, Datum plain)
{
	char		method = scan->blob->options->compression;

	if (!CompressionMethodIsValid(method) ||
		VARSIZE_ANY(DatumGetPointer(plain)) + (scan->tuple->t_len - VARSIZE_ANY(DatumGetPointer(scan->data))) <=
		RelationGetToastTupleTarget(scan->table->rel, TOAST_TUPLE_TARGET))
		return (Datum) 0;
	return toast_compress_datum(plain, method);
}

/*
 * A plain chunk is either incompressible, or was written before the store used compression. This function therefore
 * tries a few chunks, spread over the blob. Otherwise each compaction would try to compress all chunks of an
 * incompressible blob.
 */
static bool
is_compressible(PgtBlob *blob)
{
	int64		size = blob->head.chunk_size;
	int64		step = Max(1, blob->head.piece_start / size / SAMPLES) * size;
	bool		gain = false;

	if (!CompressionMethodIsValid(blob->options->compression))
		return false;
	for (int64 at = 0; !gain && at < blob->head.piece_start; at += Min(step, blob->head.piece_start - at))
	{
		PgtChunkScan scan;

		pgt_chunk_scan(&scan, blob, ACL_SELECT, at, at + 1);
		if (pgt_chunk_next(&scan) && compression_of(scan.data) == InvalidCompressionMethod)
		{
			Datum		plain = PointerGetDatum(detoast_attr((struct varlena *) DatumGetPointer(scan.data)));

			gain = compressed(&scan, plain) != (Datum) 0;
		}
		pgt_chunk_scan_end(&scan);
	}
	return gain;
}

/* Rewrites the chunks that are not compressed as the store's options require; returns how many. */
static int64
recompress(PgtBlob *blob)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster compaction", ALLOCSET_DEFAULT_SIZES);
	int64		rows = 0;
	bool		compressible;
	PgtChunkScan scan;

	pgt_push_snapshot();
	compressible = is_compressible(blob);
	pgt_chunk_scan(&scan, blob, ACL_SELECT | ACL_UPDATE, 0, blob->head.piece_start);
	while (pgt_chunk_next(&scan))
	{
		char		method = compression_of(scan.data);
		Datum		data = (Datum) 0;
		MemoryContext before;

		MemoryContextReset(context);
		before = MemoryContextSwitchTo(context);
		if (method != InvalidCompressionMethod && method != blob->options->compression)
		{
			Datum		smaller;

			data = PointerGetDatum(detoast_attr((struct varlena *) DatumGetPointer(scan.data)));
			smaller = compressed(&scan, data);
			data = smaller != (Datum) 0 ? smaller : data;
		}
		else if (method == InvalidCompressionMethod && compressible)
			data = compressed(&scan, PointerGetDatum(detoast_attr((struct varlena *) DatumGetPointer(scan.data))));
		if (data != (Datum) 0)
		{
			if (!pgt_update(scan.table, scan.tuple, pgt_chunk_form(blob, scan.start, data, scan.has_crc, scan.crc)))
				pgt_interfered(blob->column);
			rows++;
		}
		MemoryContextSwitchTo(before);
	}
	pgt_chunk_scan_end(&scan);
	pgt_pop_snapshot();
	MemoryContextDelete(context);
	return rows;
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

/*
 * Passes the chunks of a blob, starting at offset from, to a writer, in the active snapshot. If remove is true, it
 * deletes each row before the writer writes its bytes, so that old and new rows never have the same offset.
 */
static void
feed_chunks(PgtBlob *blob, int64 from, bool remove, PgtChunkWriter *writer)
{
	char	   *bytes = palloc(blob->head.chunk_size);
	PgtChunkScan scan;
	int64		at = from;

	pgt_chunk_scan(&scan, blob, ACL_SELECT | (remove ? ACL_DELETE | ACL_INSERT : 0), from, blob->head.piece_start);
	while (pgt_chunk_next(&scan))
	{
		if (scan.start != at || scan.size > blob->head.chunk_size ||
			!pgt_data_copy(scan.data, scan.has_crc, scan.crc, scan.size, 0, scan.size, bytes))
			break;
		if (remove)
			pgt_delete(scan.table, scan.tuple);
		pgt_chunks_add(writer, bytes, scan.size);
		at += scan.size;
	}
	pgt_chunk_scan_end(&scan);
	if (at != blob->head.piece_start)
		pgt_blob_damaged(blob, "a chunk", at);
	pfree(bytes);
}

/*
 * Returns the offset of the first chunk that is not full, if merging saves more than half of the chunks from there
 * on; otherwise -1. A smaller gain does not justify writing the content again.
 */
static int64
first_to_join(PgtBlob *blob)
{
	PgtHead    *head = &blob->head;
	int64		start = -1;
	int64		rows = 0;
	PgtChunkScan scan;

	pgt_push_snapshot();
	pgt_chunk_scan(&scan, blob, ACL_SELECT, 0, head->piece_start);
	while (pgt_chunk_next(&scan))
	{
		if (start < 0 && scan.size < head->chunk_size)
			start = scan.start;
		if (start >= 0)
			rows++;
	}
	pgt_chunk_scan_end(&scan);
	pgt_pop_snapshot();
	return start >= 0 && rows > 2 * (1 + (head->piece_start - start) / head->chunk_size) ? start : -1;
}

/* Rewrites the chunks after an offset, with the store's current chunk size. */
static PgtOutcome
rechunk(PgtBlob *blob, int64 from, int64 *rows)
{
	PgtHead    *head = &blob->head;
	PgtHead		next = *head;
	char	   *segment = load_pending(blob);
	PgtChunkWriter writer;

	if (segment == NULL)
		return PGT_DAMAGED;
	next.chunk_size = blob->options->chunk_size;
	pgt_push_snapshot();
	pgt_chunks_begin(&writer, blob, next.chunk_size, from);
	feed_chunks(blob, from, true, &writer);
	pgt_pop_snapshot();
	pgt_chunks_add(&writer, segment, head->length - head->piece_start);
	pgt_piece_drop(blob, pgt_pending_finish(&writer, &next));
	*rows = Max(1, (next.piece_start - from) / next.chunk_size);
	return PGT_APPLIED;
}

PgtOutcome
pgt_compact(PgtColumn *column, PgtKey *key, int64 *rows)
{
	PgtBlob		blob;
	PgtOutcome	outcome;
	int64		from = -1;

	pgt_blob_begin(&blob, column, key);
	outcome = pgt_blob_lock(&blob);
	if (outcome == PGT_APPLIED && blob.head.first > 0)
		outcome = PGT_ELSEWHERE;
	if (outcome == PGT_APPLIED)
		from = blob.head.chunk_size == blob.options->chunk_size ? first_to_join(&blob) : 0;
	if (outcome == PGT_APPLIED && from >= 0)
		outcome = rechunk(&blob, from, rows);
	else if (outcome == PGT_APPLIED)
	{
		PgtHead    *head = &blob.head;
		int32		pieces = head->piece_rows;
		char	   *segment = pieces > 1 ? load_pending(&blob) : NULL;

		if (pieces > 1 && segment == NULL)
			outcome = PGT_DAMAGED;
		else
		{
			*rows = recompress(&blob);
			if (pieces > 1)
			{
				PgtHead		next = *head;

				pieces = pgt_pending_flush(&blob, &next, head->piece_start, segment, head->length - head->piece_start, NULL, 0);
			}
			*rows += pgt_piece_drop(&blob, pieces);
		}
	}
	pgt_blob_end(&blob);
	return outcome;
}

/* Copies rows as they are stored, without decompressing them. */
static void
copy_chunks(PgtBlob *from, PgtBlob *to)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster copy", ALLOCSET_DEFAULT_SIZES);
	PgtTable   *table = pgt_blob_table(to, PGT_CHUNK, ACL_SELECT | ACL_INSERT);
	HeapTuple	rows[BATCH_ROWS];
	int			most = Min(BATCH_ROWS, Max(1, (256 << 10) / from->head.chunk_size));
	int			count = 0;
	int64		at = 0;
	PgtChunkScan scan;

	pgt_chunk_scan(&scan, from, ACL_SELECT, 0, from->head.piece_start);
	while (pgt_chunk_next(&scan))
	{
		struct varlena *data = (struct varlena *) DatumGetPointer(scan.data);
		MemoryContext before;

		if (scan.start != at || scan.size > from->head.chunk_size)
			break;
		before = MemoryContextSwitchTo(context);
		if (VARATT_IS_EXTERNAL(data))
			data = detoast_external_attr(data);
		rows[count++] = pgt_chunk_form(to, at, PointerGetDatum(data), scan.has_crc, scan.crc);
		at += scan.size;
		if (count == most || at == from->head.piece_start)
		{
			pgt_insert_many(table, rows, count);
			MemoryContextReset(context);
			count = 0;
		}
		MemoryContextSwitchTo(before);
	}
	pgt_chunk_scan_end(&scan);
	if (at != from->head.piece_start)
		pgt_blob_damaged(from, "a chunk", at);
	MemoryContextDelete(context);
}

PgtOutcome
pgt_copy(PgtColumn *column, PgtKey *source, PgtKey *target)
{
	PgtBlob		from;
	PgtBlob		to;
	PgtOutcome	outcome;

	pgt_blob_begin(&from, column, source);
	pgt_blob_begin(&to, column, target);
	outcome = pgt_blob_create(&to);
	if (outcome == PGT_CONFLICT)
		outcome = PGT_NOT_EMPTY;
	/* The whole source is read in one snapshot. */
	pgt_push_snapshot();
	if (outcome == PGT_APPLIED)
		outcome = pgt_blob_find(&from, ACL_SELECT);
	if (outcome == PGT_APPLIED && from.head.first > 0)
		outcome = PGT_ELSEWHERE;
	if (outcome == PGT_APPLIED)
	{
		PgtHead		next = to.head;
		char	   *segment = pgt_pending_load(&from, &from.head);
		PgtChunkWriter writer;

		if (segment == NULL)
			outcome = PGT_DAMAGED;
		else
		{
			if (next.chunk_size == from.head.chunk_size)
			{
				copy_chunks(&from, &to);
				pgt_chunks_begin(&writer, &to, next.chunk_size, from.head.piece_start);
			}
			else
			{
				pgt_chunks_begin(&writer, &to, next.chunk_size, 0);
				feed_chunks(&from, 0, false, &writer);
			}
			pgt_chunks_add(&writer, segment, from.head.length - from.head.piece_start);
			pgt_pending_finish(&writer, &next);
		}
	}
	pgt_pop_snapshot();
	pgt_blob_end(&from);
	pgt_blob_end(&to);
	return outcome;
}

PgtOutcome
pgt_remove(PgtColumn *column, PgtKey *key)
{
	PgtOwnerRow row;

	if (!pgt_owner_read(column, key, &row))
		return PGT_NO_ROW;
	if (row.isnull)
		return PGT_MISSING;
	if (!pgt_owner_permits(column, key))
		return PGT_DENIED;
	return pgt_owner_update(column, key, (Datum) 0, true) ? PGT_APPLIED : PGT_NO_ROW;
}
