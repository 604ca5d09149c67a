/* blob_follower.c: notifies the followers of a blob. The caller holds the lock of the head. */
#include "blob.h"

#include "access/htup_details.h"
#include "access/tableam.h"
#include "commands/async.h"

/* Minimum time between two notifications of a follower. */
#define NOTIFY_INTERVAL_MS 100

/* Skips locked follower rows, so that writers never wait for them. */
static bool
lock_row(PgtTable *table, HeapTuple row)
{
	TupleTableSlot *slot = table_slot_create(table->rel, NULL);
	TM_FailureData failure;
	TM_Result	result = table_tuple_lock(table->rel, &row->t_self, GetActiveSnapshot(), slot, GetCurrentCommandId(false),
										  LockTupleExclusive, LockWaitSkip, 0, &failure);

	ExecDropSingleTupleTableSlot(slot);
	return result == TM_Ok;
}

void
pgt_followers_notify(PgtBlob *blob)
{
	PgtTable   *table = pgt_blob_table(blob, PGT_FOLLOWER, ACL_SELECT | ACL_UPDATE);
	TupleDesc	desc = RelationGetDescr(table->rel);
	TimestampTz now = GetCurrentTimestamp();
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	pgt_push_snapshot();
	scan = pgt_scan(table, GetActiveSnapshot(), pgt_blob_key(blob, table, keys), keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		Datum		values[PGT_MOST_COLUMNS];
		bool		nulls[PGT_MOST_COLUMNS];
		int			leading = table->leading;

		heap_deform_tuple(tuple, desc, values, nulls);
		if (DatumGetTimestampTz(values[FOLLOWER_EXPIRES + leading - 1]) > now &&
			DatumGetTimestampTz(values[FOLLOWER_NOTIFIED_AT + leading - 1]) < now - NOTIFY_INTERVAL_MS * INT64CONST(1000) &&
			lock_row(table, tuple))
		{
			values[FOLLOWER_NOTIFIED_AT + leading - 1] = TimestampTzGetDatum(now);
			if (pgt_update(table, tuple, heap_form_tuple(desc, values, nulls)))
				Async_Notify("pgtoaster", psprintf(INT64_FORMAT, blob->id));
		}
	}
	systable_endscan(scan);
	pgt_pop_snapshot();
}
