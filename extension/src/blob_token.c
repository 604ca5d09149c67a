/* blob_token.c: the last append of each writer to a blob, for retries. All callers hold the lock of the head. */
#include "blob.h"

#include "access/htup_details.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"

#define UNIX_EPOCH_MS ((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY * 1000)

/* Returns the writer's row in a new snapshot, or NULL. */
static HeapTuple
find_row(PgtBlob *blob, PgtTable *table, pg_uuid_t *writer)
{
	ScanKeyData keys[3];
	int			count = pgt_blob_key(blob, table, keys);
	SysScanDesc scan;
	HeapTuple	tuple;

	pgt_key_equals(table, &keys[count++], TOKEN_WRITER, UUIDOID, UUIDPGetDatum(writer));
	pgt_push_snapshot();
	scan = pgt_scan(table, GetActiveSnapshot(), count, keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		tuple = heap_copytuple(tuple);
	systable_endscan(scan);
	pgt_pop_snapshot();
	return tuple;
}

/*
 * Returns true if the row of this writer may have been deleted. UUIDs of version 7 contain the time when the writer
 * started.
 */
static bool
maybe_forgotten(PgtHead *head, const pg_uuid_t *writer)
{
	int64		began = 0;

	if (!head->forgot || (writer->data[6] & 0xF0) != 0x70)
		return false;
	for (int i = 0; i < 6; i++)
		began = began << 8 | writer->data[i];
	return (began - UNIX_EPOCH_MS) * 1000 < head->tokens_since;
}

PgtOutcome
pgt_token_find(PgtBlob *blob, PgtAppend *append)
{
	PgtTable   *table = pgt_blob_table(blob, PGT_TOKEN, ACL_SELECT | ACL_INSERT | ACL_UPDATE);
	TupleDesc	desc = RelationGetDescr(table->rel);
	HeapTuple	row = find_row(blob, table, &append->writer);
	bool		isnull;
	int64		last;

	if (row == NULL)
		return maybe_forgotten(&blob->head, &append->writer) ? PGT_TOKEN_UNKNOWN : PGT_APPLIED;
	last = DatumGetInt64(heap_getattr(row, TOKEN_SEQUENCE + table->leading, desc, &isnull));
	if (append->sequence > last)
		return PGT_APPLIED;
	if (append->sequence < last)
		return PGT_TOKEN_UNKNOWN;
	append->offset = DatumGetInt64(heap_getattr(row, TOKEN_START + table->leading, desc, &isnull));
	append->length = DatumGetInt64(heap_getattr(row, TOKEN_LENGTH + table->leading, desc, &isnull));
	return append->length == (int64) append->size ? PGT_ALREADY_APPLIED : PGT_TOKEN_MISMATCH;
}

void
pgt_token_record(PgtBlob *blob, PgtAppend *append)
{
	PgtTable   *table = pgt_blob_table(blob, PGT_TOKEN, ACL_SELECT | ACL_INSERT | ACL_UPDATE);
	HeapTuple	row = find_row(blob, table, &append->writer);
	Datum		all[PGT_MOST_COLUMNS];
	bool		nulls[PGT_MOST_COLUMNS];
	Datum	   *values = all + table->leading - 1;

	pgt_blob_name(blob, all, nulls, TOKEN_COLUMNS);
	values[TOKEN_WRITER] = UUIDPGetDatum(&append->writer);
	values[TOKEN_SEQUENCE] = Int64GetDatum(append->sequence);
	values[TOKEN_START] = Int64GetDatum(append->offset);
	values[TOKEN_LENGTH] = Int64GetDatum(append->length);
	values[TOKEN_AT] = TimestampTzGetDatum(GetCurrentTransactionStartTimestamp());
	if (row == NULL)
		pgt_insert(table, all, nulls);
	else if (!pgt_update(table, row, heap_form_tuple(RelationGetDescr(table->rel), all, nulls)))
		pgt_interfered(blob->column);
}
