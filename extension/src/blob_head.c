/*
 * blob_head.c: head rows, to which the handles in owners' rows refer. The lock on the head serialises all changes of a
 * blob. The owner's row is locked only to set a NULL handle.
 */
#include "blob.h"

#include "access/htup_details.h"
#include "common/int.h"
#include "miscadmin.h"

/* Returns the number of bytes before trailing zeros. Most tails end in many zeros, so whole words are skipped first. */
static int32
without_zeros(const char *data, int32 size)
{
	uint64		word = 0;

	while (size >= (int32) sizeof(word))
	{
		memcpy(&word, data + size - sizeof(word), sizeof(word));
		if (word != 0)
			break;
		size -= sizeof(word);
	}
	while (size > 0 && data[size - 1] == 0)
		size--;
	return size;
}

/* Reads a head row; returns false if it cannot come from a writer of this library. */
static bool
read_head(PgtBlob *blob, PgtTable *table, HeapTuple tuple)
{
	PgtHead    *head = &blob->head;
	Datum		all[PGT_MOST_COLUMNS];
	bool		all_nulls[PGT_MOST_COLUMNS];
	Datum	   *values = all + table->leading - 1;
	bool	   *nulls = all_nulls + table->leading - 1;
	struct varlena *tail;

	heap_deform_tuple(tuple, RelationGetDescr(table->rel), all, all_nulls);
	for (int i = HEAD_ID; i < HEAD_TOKENS_SINCE; i++)
		if (nulls[i])
			return false;
	head->tuple = tuple;
	head->base = DatumGetInt64(values[HEAD_BASE]);
	head->piece_start = DatumGetInt64(values[HEAD_PIECE_START]);
	head->generation = DatumGetInt64(values[HEAD_GENERATION]);
	head->created_at = DatumGetTimestampTz(values[HEAD_CREATED_AT]);
	head->created_by = DatumGetFullTransactionId(values[HEAD_CREATED_BY]);
	head->created_as = DatumGetObjectId(values[HEAD_CREATED_AS]);
	head->chunk_size = DatumGetInt32(values[HEAD_CHUNK_SIZE]);
	head->piece_rows = DatumGetInt32(values[HEAD_PIECE_ROWS]);
	head->sealed = DatumGetBool(values[HEAD_SEALED]);
	head->forgot = !nulls[HEAD_TOKENS_SINCE];
	head->tokens_since = head->forgot ? DatumGetTimestampTz(values[HEAD_TOKENS_SINCE]) : 0;
	head->first = nulls[HEAD_FIRST] ? 0 : DatumGetInt64(values[HEAD_FIRST]);
	tail = (struct varlena *) DatumGetPointer(values[HEAD_TAIL]);
	/* The column has plain storage. */
	if (VARATT_IS_EXTERNAL(tail) || VARATT_IS_COMPRESSED(tail))
		return false;
	head->tail = VARDATA_ANY(tail);
	head->capacity = VARSIZE_ANY_EXHDR(tail);
	head->fill = without_zeros(head->tail, head->capacity);
	if (head->fill > 0)
		head->fill--;
	if (pg_add_s64_overflow(head->base, head->fill, &head->length))
		return false;
	/*
	 * Pieces are shorter than a chunk. Bytes are added to the tail while it has room, even if the pending tail then
	 * exceeds a chunk.
	 */
	return head->chunk_size > 0 && head->chunk_size <= 1 << 20 && head->piece_start >= 0 && head->base >= head->piece_start &&
		head->base - head->piece_start < head->chunk_size && head->piece_rows >= 0 && head->first >= 0 && head->first <= head->length;
}

PgtOutcome
pgt_blob_find(PgtBlob *blob, AclMode mode)
{
	PgtOwnerRow row;
	PgtTable   *table;
	ScanKeyData keys[2];
	HeapTuple	tuple;
	PgtPlace   *places = ((PgtBlobState *) blob->column->state)->heads;

	if (!pgt_owner_read(blob->column, blob->key, &row))
		return PGT_NO_ROW;
	blob->leading_key = row.leading_key;
	blob->head.tuple = NULL;
	if (row.isnull)
		return PGT_NO_CONTENT;
	if (mode != ACL_SELECT && !pgt_owner_permits(blob->column, blob->key))
		return PGT_DENIED;
	blob->id = DatumGetInt64(row.value);
	table = pgt_blob_table(blob, PGT_HEAD, mode);
	tuple = pgt_row(table->rel, table->index, GetActiveSnapshot(), pgt_blob_key(blob, table, keys), keys,
					&places[(uint64) blob->id % PGT_PLACES]);
	return tuple != NULL && read_head(blob, table, tuple) ? PGT_APPLIED : PGT_DAMAGED;
}

/*
 * While this function waited for the lock, the row may have got another blob, so it then reads the handle again in a
 * newer snapshot.
 */
PgtOutcome
pgt_blob_lock(PgtBlob *blob)
{
	for (int look = 0; look < PGT_LOOKS; look++)
	{
		PgtOutcome	outcome;
		HeapTuple	locked;
		PgtOwnerRow row;
		bool		found;

		CHECK_FOR_INTERRUPTS();
		pgt_push_snapshot();
		outcome = pgt_blob_find(blob, ACL_SELECT | ACL_UPDATE);
		if (outcome != PGT_APPLIED)
		{
			pgt_pop_snapshot();
			return outcome;
		}
		locked = pgt_lock(&blob->tables[PGT_HEAD], blob->head.tuple, LockTupleNoKeyExclusive);
		pgt_pop_snapshot();
		if (locked == NULL)
			continue;
		pgt_push_snapshot();
		found = pgt_owner_read(blob->column, blob->key, &row);
		pgt_pop_snapshot();
		if (!found)
			return PGT_NO_ROW;
		if (row.isnull)
			return PGT_NO_CONTENT;
		if (DatumGetInt64(row.value) == blob->id)
			return read_head(blob, &blob->tables[PGT_HEAD], locked) ? PGT_APPLIED : PGT_DAMAGED;
	}
	return PGT_DAMAGED;
}

PgtOutcome
pgt_blob_create(PgtBlob *blob)
{
	PgtHead    *head = &blob->head;
	PgtOwnerRow row;

	if (!pgt_owner_lock(blob->column, blob->key, &row))
		return pgt_owner_unlocked(blob->column, blob->key);
	if (!row.isnull)
		return PGT_CONFLICT;
	memset(head, 0, sizeof(*head));
	blob->leading_key = row.leading_key;
	blob->id = pgt_next_id(pgt_blob_table(blob, PGT_HEAD, ACL_SELECT | ACL_INSERT | ACL_UPDATE), HEAD_ID);
	head->created_at = GetCurrentTimestamp();
	head->created_by = GetTopFullTransactionId();
	head->created_as = GetUserId();
	head->chunk_size = blob->options->chunk_size;
	head->tail = "";
	return PGT_APPLIED;
}

static void
head_values(PgtBlob *blob, PgtHead *head, Datum *all, bool *all_nulls)
{
	int			leading = blob->tables[PGT_HEAD].leading;
	Datum	   *values = all + leading - 1;
	bytea	   *tail = palloc(VARHDRSZ + head->capacity);

	pgt_blob_name(blob, all, all_nulls, HEAD_COLUMNS);
	SET_VARSIZE(tail, VARHDRSZ + head->capacity);
	memcpy(VARDATA(tail), head->tail, head->capacity);
	values[HEAD_BASE] = Int64GetDatum(head->base);
	values[HEAD_PIECE_START] = Int64GetDatum(head->piece_start);
	values[HEAD_GENERATION] = Int64GetDatum(head->generation);
	values[HEAD_CREATED_AT] = TimestampTzGetDatum(head->created_at);
	values[HEAD_CREATED_BY] = FullTransactionIdGetDatum(head->created_by);
	values[HEAD_CREATED_AS] = ObjectIdGetDatum(head->created_as);
	values[HEAD_CHUNK_SIZE] = Int32GetDatum(head->chunk_size);
	values[HEAD_PIECE_ROWS] = Int32GetDatum(head->piece_rows);
	values[HEAD_SEALED] = BoolGetDatum(head->sealed);
	values[HEAD_TAIL] = PointerGetDatum(tail);
	values[HEAD_TOKENS_SINCE] = TimestampTzGetDatum(head->tokens_since);
	all_nulls[HEAD_TOKENS_SINCE + leading - 1] = !head->forgot;
	values[HEAD_FIRST] = Int64GetDatum(head->first);
	all_nulls[HEAD_FIRST + leading - 1] = head->first == 0;
}

static bool
update_head(PgtBlob *blob, HeapTuple next)
{
	if (!pgt_update(&blob->tables[PGT_HEAD], blob->head.tuple, next))
		return false;
	if (blob->options->notify)
		pgt_followers_notify(blob);
	return true;
}

/* Deletes a head that no row will refer to. */
static void
take_back(PgtBlob *blob, PgtTable *table)
{
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	pgt_push_snapshot();
	scan = pgt_scan(table, GetActiveSnapshot(), pgt_blob_key(blob, table, keys), keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		tuple = heap_copytuple(tuple);
	systable_endscan(scan);
	if (HeapTupleIsValid(tuple))
		pgt_delete(table, tuple);
	pgt_pop_snapshot();
	blob->suppressed = true;
}

/* Returns true if the row refers to the new blob: a trigger may have written another value. */
static bool
has_handle(PgtBlob *blob)
{
	PgtOwnerRow row;
	bool		named;

	pgt_push_snapshot();
	named = pgt_owner_read(blob->column, blob->key, &row) && !row.isnull && DatumGetInt64(row.value) == blob->id;
	pgt_pop_snapshot();
	return named;
}

bool
pgt_head_store(PgtBlob *blob, PgtHead *next)
{
	PgtTable   *table = &blob->tables[PGT_HEAD];
	Datum		values[PGT_MOST_COLUMNS];
	bool		nulls[PGT_MOST_COLUMNS];

	head_values(blob, next, values, nulls);
	if (blob->head.tuple == NULL)
	{
		pgt_insert(table, values, nulls);
		if (pgt_owner_update(blob->column, blob->key, Int64GetDatum(blob->id), false) && has_handle(blob))
			return true;
		take_back(blob, table);
		return false;
	}
	return update_head(blob, heap_form_tuple(RelationGetDescr(table->rel), values, nulls));
}

bool
pgt_head_extend(PgtBlob *blob, const char *data, Size size)
{
	PgtHead    *head = &blob->head;
	HeapTuple	tuple = heap_copytuple(head->tuple);
	char	   *end = (char *) tuple->t_data + (head->tail - (char *) head->tuple->t_data) + head->fill;

	Assert(head->fill + size < head->capacity);
	memcpy(end, data, size);
	end[size] = PGT_TAIL_END;
	return update_head(blob, tuple);
}

void
pgt_head_put(PgtBlob *blob, PgtHead *next)
{
	if (pgt_head_store(blob, next))
		return;
	if (blob->suppressed)
		pgt_raise(PGT_SUPPRESSED, blob->column, blob->key, "a write");
	pgt_interfered(blob->column);
}
