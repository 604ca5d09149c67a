/*
 * row.c: reads one row by its unique key: at the place where it was last found, or through the index.
 *
 * A row that is read repeatedly is usually found in the same HOT chain, on a page in the same buffer. A place remembers
 * both. The row there is used if the snapshot shows it and it has the key: the key is unique, so the index would return
 * the same row. Otherwise, or if the buffer now holds another page, the index is searched.
 */
#include "core.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "executor/tuptable.h"
#include "pgstat.h"
#include "storage/bufmgr.h"

static bool
has_key(TupleDesc desc, HeapTuple tuple, int count, ScanKey keys)
{
	for (int i = 0; i < count; i++)
	{
		bool		isnull;
		Datum		value = heap_getattr(tuple, keys[i].sk_attno, desc, &isnull);

		if (isnull || !DatumGetBool(FunctionCall2Coll(&keys[i].sk_func, keys[i].sk_collation, value, keys[i].sk_argument)))
			return false;
	}
	return true;
}

HeapTuple
pgt_row_at(Relation rel, Snapshot snapshot, int count, ScanKey keys, PgtPlace *place)
{
	ItemPointerData tid = place->root;
	Buffer		buffer = place->buffer;
	HeapTupleData tuple;
	HeapTuple	found = NULL;

	if (buffer == InvalidBuffer ||
		!pgt_read_recent_buffer(rel, ItemPointerGetBlockNumber(&tid), buffer))
		return NULL;
	pgt_prune(rel, buffer);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (heap_hot_search_buffer(&tid, rel, buffer, snapshot, &tuple, NULL, true) &&
		has_key(RelationGetDescr(rel), &tuple, count, keys))
	{
		tuple.t_self = tid;
		tuple.t_tableOid = RelationGetRelid(rel);
		found = heap_copytuple(&tuple);
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	ReleaseBuffer(buffer);
	if (found != NULL)
		pgstat_count_heap_fetch(rel);
	return found;
}

bool
pgt_row_of_scan(IndexScanDesc scan, TupleTableSlot *slot, PgtPlace *place)
{
	ItemPointer tid;

	while ((tid = index_getnext_tid(scan, ForwardScanDirection)) != NULL)
	{
		/* index_fetch_heap moves the TID of the scan along the chain. */
		ItemPointerData root = *tid;

		if (index_fetch_heap(scan, slot))
		{
			place->root = root;
			place->buffer = ((BufferHeapTupleTableSlot *) slot)->buffer;
			return true;
		}
	}
	return false;
}

static HeapTuple
find_by_index(Relation rel, Oid index_id, Snapshot snapshot, int count, ScanKey keys, PgtPlace *place)
{
	Relation	index = index_open(index_id, AccessShareLock);
	TupleTableSlot *slot = table_slot_create(rel, NULL);
	ScanKeyData index_keys[PGT_MAX_KEYS];
	IndexScanDesc scan;
	HeapTuple	found = NULL;

	for (int i = 0; i < count; i++)
	{
		int			column = 0;

		while (column < index->rd_index->indnkeyatts && index->rd_index->indkey.values[column] != keys[i].sk_attno)
			column++;
		if (column == index->rd_index->indnkeyatts)
			elog(ERROR, "column %d is not in index %u", keys[i].sk_attno, index_id);
		index_keys[i] = keys[i];
		index_keys[i].sk_attno = column + 1;
	}
	scan = pgt_index_beginscan(rel, index, snapshot, count);
	index_rescan(scan, index_keys, count, NULL, 0);
	if (pgt_row_of_scan(scan, slot, place))
		found = ExecCopySlotHeapTuple(slot);
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	index_close(index, AccessShareLock);
	return found;
}

HeapTuple
pgt_row(Relation rel, Oid index, Snapshot snapshot, int count, ScanKey keys, PgtPlace *place)
{
	HeapTuple	found = pgt_row_at(rel, snapshot, count, keys, place);

	return found != NULL ? found : find_by_index(rel, index, snapshot, count, keys, place);
}
