/*
 * blob_read.c: reads. One snapshot shows the chunks, pieces and tail of a range; they are copied directly into the
 * result.
 */
#include "blob.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"

/* A range to read, and its destination. */
typedef struct Range
{
	int64		from;
	int64		to;
	char	   *target;
} Range;

/* Sets the part of the range that is in [start, end), as an offset from start and a count; returns false if there is
 * none. */
static bool
clip(Range *range, int64 start, int64 end, int32 *from, int32 *count, char **target)
{
	int64		first = Max(range->from, start);
	int64		last = Min(range->to, end);

	if (first >= last)
		return false;
	*from = (int32) (first - start);
	*count = (int32) (last - first);
	*target = range->target + (first - range->from);
	return true;
}

static bool
read_chunks(PgtBlob *blob, Range *range)
{
	int64		end = Min(range->to, blob->head.piece_start);
	int64		at = range->from;
	PgtChunkScan scan;
	bool		damaged = false;
	int32		from;
	int32		count;
	char	   *target;

	pgt_chunk_scan(&scan, blob, ACL_SELECT, at, end);
	while (!damaged && at < end && pgt_chunk_next(&scan))
	{
		/* The first chunk may begin before the range. */
		damaged = (at == range->from ? scan.start > at : scan.start != at) || scan.size > blob->head.chunk_size ||
			!clip(range, scan.start, Min(end, scan.start + scan.size), &from, &count, &target) ||
			!pgt_data_copy(scan.data, scan.has_crc, scan.crc, scan.size, from, count, target);
		at = scan.start + scan.size;
	}
	pgt_chunk_scan_end(&scan);
	return !damaged && at >= end;
}

/* Pieces are contiguous in the order of their slots, and end where the tail begins. */
static bool
read_pieces(PgtBlob *blob, Range *range)
{
	PgtHead    *head = &blob->head;
	PgtTable   *table = pgt_blob_table(blob, PGT_PIECE, ACL_SELECT);
	TupleDesc	desc = RelationGetDescr(table->rel);
	ScanKeyData keys[3];
	int			key_count = pgt_blob_key(blob, table, keys);
	int64		at = head->piece_start;
	bool		damaged = false;
	Relation	index;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&keys[key_count], PIECE_SLOT + table->leading, BTLessStrategyNumber, F_INT4LT, Int32GetDatum(head->piece_rows));
	scan = pgt_scan_ordered(table, &index, GetActiveSnapshot(), key_count + 1, keys);
	while (!damaged && at < range->to && HeapTupleIsValid(tuple = systable_getnext_ordered(scan, ForwardScanDirection)))
	{
		bool		isnull;
		bool		no_crc;
		int64		start = DatumGetInt64(heap_getattr(tuple, PIECE_START + table->leading, desc, &isnull));
		Datum		crc = heap_getattr(tuple, PIECE_CRC + table->leading, desc, &no_crc);
		Datum		data = pgt_data(tuple, PIECE_DATA + table->leading, desc);
		int32		size = toast_raw_datum_size(data) - VARHDRSZ;
		int32		from;
		int32		count;
		char	   *target;

		CHECK_FOR_INTERRUPTS();
		damaged = start != at || size > head->base - at ||
			(clip(range, start, start + size, &from, &count, &target) &&
			 !pgt_data_copy(data, !no_crc, DatumGetInt32(crc), size, from, count, target));
		at += size;
	}
	systable_endscan_ordered(scan);
	index_close(index, AccessShareLock);
	return !damaged && at >= Min(range->to, head->base);
}

PgtOutcome
pgt_read(PgtColumn *column, PgtKey *key, int64 offset, int32 count, bytea **result)
{
	PgtBlob		blob;
	PgtHead    *head = &blob.head;
	PgtOutcome	outcome;
	Range		range;
	int32		from;
	int32		in_tail;
	char	   *target;

	pgt_blob_begin(&blob, column, key);
	outcome = pgt_blob_find(&blob, ACL_SELECT);
	if (outcome == PGT_APPLIED && offset > head->length)
		outcome = PGT_OFFSET;
	if (outcome == PGT_APPLIED && offset < head->first && count > 0)
		outcome = PGT_DISCARDED;
	if (outcome == PGT_APPLIED)
	{
		range.from = offset;
		range.to = count < head->length - range.from ? range.from + count : head->length;
		if (range.to - range.from > MaxAllocSize - VARHDRSZ)
			outcome = PGT_TOO_LARGE;
	}
	if (outcome == PGT_APPLIED)
	{
		*result = palloc(VARHDRSZ + (range.to - range.from));
		SET_VARSIZE(*result, VARHDRSZ + (range.to - range.from));
		range.target = VARDATA(*result);
		if (range.from < head->piece_start && range.from < range.to && !read_chunks(&blob, &range))
			outcome = PGT_DAMAGED;
		else if (range.to > head->piece_start && range.from < head->base && range.from < range.to && !read_pieces(&blob, &range))
			outcome = PGT_DAMAGED;
		else if (clip(&range, head->base, head->length, &from, &in_tail, &target))
			memcpy(target, head->tail + from, in_tail);
	}
	pgt_blob_end(&blob);
	return outcome;
}
