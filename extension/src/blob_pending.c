/*
 * blob_pending.c: the pending tail of a blob, after its full chunks: pieces, then the tail in the head row.
 *
 * The tail is stored as its bytes, a terminator 0x01, and zeros up to the capacity. Appending moves no bytes, and the
 * length is not stored. So the old and the new row differ only where the new bytes are, and PostgreSQL logs only the
 * part of a row that differs if the update stays on its page. An empty stored tail has no capacity.
 *
 * Rows of pieces are reused, by slot. Rows with a slot from piece_rows on are unused; they are not read.
 */
#include "blob.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/fmgroids.h"

#define LEAST_CAPACITY 64

/* The capacity is two to four times the number of bytes, so that small blobs have small heads. */
int32
pgt_tail_capacity(int64 count, int32 largest)
{
	int32		doubled;

	if (count >= largest)
		return 0;
	doubled = (1 << pg_leftmost_one_pos32(Max((uint32) count, 1))) << 2;
	return Min(largest, Max(LEAST_CAPACITY, doubled));
}

void
pgt_head_tail(PgtHead *head, int32 capacity, const char *first, Size first_size, const char *second, Size second_size)
{
	char	   *tail = palloc0(Max(capacity, 1));

	if (first_size > 0)
		memcpy(tail, first, first_size);
	if (second_size > 0)
		memcpy(tail + first_size, second, second_size);
	head->fill = first_size + second_size;
	if (capacity > 0)
		tail[head->fill] = PGT_TAIL_END;
	head->tail = tail;
	head->capacity = capacity;
	head->length = head->base + head->fill;
}

bool
pgt_head_pending(PgtBlob *blob, PgtHead *head, int64 start, const char *segment, int32 count)
{
	int32		capacity = head->sealed ? 0 : pgt_tail_capacity(count, blob->options->tail);
	bool		as_tail = count == 0 || capacity > 0;

	head->piece_start = start;
	head->base = as_tail ? start : start + count;
	head->piece_rows = as_tail ? 0 : 1;
	pgt_head_tail(head, capacity, as_tail ? segment : NULL, as_tail ? count : 0, NULL, 0);
	return !as_tail;
}

/* Sets the conditions on the blob and on the slot; returns their number. */
static int
slot_keys(PgtBlob *blob, PgtTable *table, ScanKey keys, StrategyNumber strategy, RegProcedure compare, int32 slot)
{
	int			count = pgt_blob_key(blob, table, keys);

	ScanKeyInit(&keys[count], PIECE_SLOT + table->leading, strategy, compare, Int32GetDatum(slot));
	return count + 1;
}

char *
pgt_pending_load(PgtBlob *blob, const PgtHead *head)
{
	int32		pending = (int32) (head->base - head->piece_start);
	char	   *segment = palloc(pending + head->fill + 1);
	int32		at = 0;
	bool		damaged = false;

	if (head->fill > 0)
		memcpy(segment + pending, head->tail, head->fill);
	if (pending > 0)
	{
		PgtTable   *table = pgt_blob_table(blob, PGT_PIECE, ACL_SELECT);
		TupleDesc	desc = RelationGetDescr(table->rel);
		ScanKeyData keys[3];
		Relation	index;
		SysScanDesc scan;
		HeapTuple	tuple;

		/* The upper bound lets the scan skip index entries of deleted pieces that are not vacuumed yet. */
		scan = pgt_scan_ordered(table, &index, GetActiveSnapshot(),
								slot_keys(blob, table, keys, BTLessStrategyNumber, F_INT4LT, head->piece_rows), keys);
		while (!damaged && HeapTupleIsValid(tuple = systable_getnext_ordered(scan, ForwardScanDirection)))
		{
			bool		isnull;
			bool		no_crc;
			int64		start = DatumGetInt64(heap_getattr(tuple, PIECE_START + table->leading, desc, &isnull));
			Datum		crc = heap_getattr(tuple, PIECE_CRC + table->leading, desc, &no_crc);
			Datum		data = pgt_data(tuple, PIECE_DATA + table->leading, desc);
			Size		size = toast_raw_datum_size(data) - VARHDRSZ;

			CHECK_FOR_INTERRUPTS();
			damaged = start != head->piece_start + at || size > pending - at ||
				!pgt_data_copy(data, !no_crc, DatumGetInt32(crc), size, 0, size, segment + at);
			at += size;
		}
		systable_endscan_ordered(scan);
		index_close(index, AccessShareLock);
	}
	return damaged || at != pending ? NULL : segment;
}

void
pgt_piece_put(PgtBlob *blob, int32 slot, int64 start, const char *first, Size first_size, const char *second, Size second_size)
{
	PgtTable   *table = pgt_blob_table(blob, PGT_PIECE, ACL_SELECT | ACL_INSERT | ACL_UPDATE);
	Datum		all[PGT_MOST_COLUMNS];
	bool		all_nulls[PGT_MOST_COLUMNS];
	Datum	   *values = all + table->leading - 1;
	bytea	   *data = palloc(VARHDRSZ + first_size + second_size);
	ScanKeyData keys[3];
	SysScanDesc scan;
	HeapTuple	tuple;

	SET_VARSIZE(data, VARHDRSZ + first_size + second_size);
	if (first_size > 0)
		memcpy(VARDATA(data), first, first_size);
	if (second_size > 0)
		memcpy(VARDATA(data) + first_size, second, second_size);
	pgt_blob_name(blob, all, all_nulls, PIECE_COLUMNS);
	values[PIECE_SLOT] = Int32GetDatum(slot);
	values[PIECE_START] = Int64GetDatum(start);
	values[PIECE_CRC] = Int32GetDatum(blob->options->crc32c ? pgt_crc32c(VARDATA(data), first_size + second_size) : 0);
	all_nulls[PIECE_CRC + table->leading - 1] = !blob->options->crc32c;
	values[PIECE_DATA] = PointerGetDatum(data);

	pgt_push_snapshot();
	scan = pgt_scan(table, GetActiveSnapshot(), slot_keys(blob, table, keys, BTEqualStrategyNumber, F_INT4EQ, slot), keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		HeapTuple	next = heap_form_tuple(RelationGetDescr(table->rel), all, all_nulls);

		if (!pgt_update(table, tuple, next))
			pgt_interfered(blob->column);
		heap_freetuple(next);
	}
	systable_endscan(scan);
	pgt_pop_snapshot();
	if (!HeapTupleIsValid(tuple))
		pgt_insert(table, all, all_nulls);
	pfree(data);
}

int64
pgt_piece_drop(PgtBlob *blob, int32 rows)
{
	PgtTable   *table = pgt_blob_table(blob, PGT_PIECE, ACL_SELECT);
	ScanKeyData keys[3];
	SysScanDesc scan;
	HeapTuple	tuple;
	int64		dropped = 0;

	pgt_push_snapshot();
	scan = pgt_scan(table, GetActiveSnapshot(),
					slot_keys(blob, table, keys, BTGreaterEqualStrategyNumber, F_INT4GE, rows), keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		pgt_delete(pgt_blob_table(blob, PGT_PIECE, ACL_SELECT | ACL_DELETE), tuple);
		dropped++;
	}
	systable_endscan(scan);
	pgt_pop_snapshot();
	return dropped;
}

int32
pgt_pending_finish(PgtChunkWriter *writer, PgtHead *next)
{
	char	   *rest = pgt_chunks_end(writer);
	bool		piece = pgt_head_pending(writer->blob, next, writer->start, rest, writer->filled);

	if (piece)
		pgt_piece_put(writer->blob, 0, writer->start, rest, writer->filled, NULL, 0);
	pgt_head_put(writer->blob, next);
	return piece ? 1 : 0;
}

int32
pgt_pending_flush(PgtBlob *blob, PgtHead *next, int64 start, const char *first, Size first_size, const char *second, Size second_size)
{
	PgtChunkWriter writer;

	pgt_chunks_begin(&writer, blob, next->chunk_size, start);
	pgt_chunks_add(&writer, first, first_size);
	pgt_chunks_add(&writer, second, second_size);
	return pgt_pending_finish(&writer, next);
}
