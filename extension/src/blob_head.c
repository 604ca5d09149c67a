/*
 * blob.c: the toaster appendable: its routine, the options of a column, and head rows, which the handle in the
 * owner's row refers to. The lock on the head serialises all changes of a blob. The owner's row is locked only to set
 * a NULL handle.
 */
#include "blob.h"

#include "access/htup_details.h"
#include "access/toast_compression.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "miscadmin.h"
#include "port/pg_crc32c.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

static const Oid types[] = {INT8OID, InvalidOid};

static const struct
{
	const char *name;
	int			keys;			/* length of its primary key: this many first columns, without the leading key */
	int			columns;
	Oid			types[HEAD_COLUMNS];
}			parts[PGT_PARTS] = {
	{"head", 1, HEAD_COLUMNS, {INT8OID, INT8OID, INT8OID, INT8OID, TIMESTAMPTZOID, XID8OID, OIDOID, INT4OID, INT4OID, BOOLOID, BYTEAOID, TIMESTAMPTZOID}},
	{"chunk", 2, CHUNK_COLUMNS, {INT8OID, INT8OID, INT4OID, BYTEAOID}},
	{"piece", 2, PIECE_COLUMNS, {INT8OID, INT4OID, INT8OID, INT4OID, BYTEAOID}},
	{"token", 2, TOKEN_COLUMNS, {INT8OID, UUIDOID, INT8OID, INT8OID, INT8OID, TIMESTAMPTZOID}},
	{"follower", 1, FOLLOWER_COLUMNS, {INT8OID, TIMESTAMPTZOID, TIMESTAMPTZOID}},
};

/* Sets the shape of a table as create_store_tables creates it (2-store.sql). */
static void
shape_of(PgtColumn *column, const char *part, Relation rel, PgtShape *shape)
{
	PgtEntry   *entry = (PgtEntry *) column;
	int			n = 0;

	while (strcmp(parts[n].name, part) != 0)
		n++;
	if (entry->leading_attnum > 0)
		pgt_shape_add_one(shape, entry->leading_type, get_typcollation(entry->leading_type));
	shape->keys = shape->columns + parts[n].keys;
	pgt_shape_add(shape, parts[n].types, parts[n].columns);
	for (int i = 0; i < shape->keys; i++)
		shape->key[i] = i + 1;
}

static void
open_column(PgtColumn *column)
{
	PgtBlobState *state = MemoryContextAllocZero(column->context, sizeof(PgtBlobState));
	PgtBlobOptions *options = &state->options;
	char	   *compression = pgt_option_text(column, "compression");

	options->chunk_size = pgt_option_int(column, "chunk_size");
	options->tail = pgt_option_int(column, "tail");
	options->crc32c = pgt_option_bool(column, "crc32c");
	options->notify = pgt_option_bool(column, "notify");
	options->compression = compression == NULL ? InvalidCompressionMethod
		: strcmp(compression, "pglz") == 0 ? TOAST_PGLZ_COMPRESSION
		: strcmp(compression, "lz4") == 0 ? TOAST_LZ4_COMPRESSION : InvalidCompressionMethod;
	if (options->chunk_size < 1 || options->chunk_size > 1 << 20 || options->tail < 0 || options->tail > 4000)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the catalog has options of %s that no blob can have", pgt_column_text(column))));
	column->state = state;
}

void
pgt_blob_begin(PgtBlob *blob, PgtColumn *column, PgtKey *key)
{
	blob->column = column;
	blob->key = key;
	blob->options = &((PgtBlobState *) column->state)->options;
	blob->leading_key = (Datum) 0;
	blob->id = 0;
	memset(&blob->head, 0, sizeof(blob->head));
	memset(blob->modes, 0, sizeof(blob->modes));
	blob->context = CurrentMemoryContext;
	blob->suppressed = false;
}

void
pgt_blob_end(PgtBlob *blob)
{
	for (int i = 0; i < PGT_PARTS; i++)
		if (blob->modes[i] != 0)
		{
			pgt_table_close(&blob->tables[i]);
			blob->modes[i] = 0;
		}
}

PgtTable *
pgt_blob_table(PgtBlob *blob, PgtPart part, AclMode mode)
{
	PgtTable   *table = &blob->tables[part];
	MemoryContext before;

	if ((blob->modes[part] & mode) == mode)
		return table;
	if (blob->modes[part] != 0)
	{
		mode |= blob->modes[part];
		pgt_table_close(table);
		blob->modes[part] = 0;
	}
	before = MemoryContextSwitchTo(blob->context);
	pgt_table_open(table, blob->column, parts[part].name, mode, shape_of);
	MemoryContextSwitchTo(before);
	blob->modes[part] = mode;
	return table;
}

void
pgt_blob_name(PgtBlob *blob, Datum *values, bool *nulls, int count)
{
	int			leading = blob->tables[PGT_HEAD].leading;

	memset(nulls, false, count + leading);
	if (leading)
		values[0] = blob->leading_key;
	values[leading] = Int64GetDatum(blob->id);
}

int
pgt_blob_key(PgtBlob *blob, PgtTable *table, ScanKey keys)
{
	int			count = pgt_leading_equals(table, blob->column, keys, blob->leading_key);

	pgt_key_equals(table, &keys[count], 1, INT8OID, Int64GetDatum(blob->id));
	return count + 1;
}

int32
pgt_crc32c(const char *data, Size size)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, data, size);
	FIN_CRC32C(crc);
	return (int32) crc;
}

void
pgt_blob_damaged(PgtBlob *blob, const char *what, int64 offset)
{
	pgt_require_snapshot(blob->column);
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("%s of the blob in %s%s at offset " INT64_FORMAT " is missing or damaged", what,
					pgt_column_text(blob->column), pgt_key_text(blob->column, blob->key), offset),
			 errhint("\"pgtoaster verify\" says what is wrong with a blob.")));
}

/* Returns the number of bytes before trailing zeros. Most tails end in many zeros, so it first skips whole words. */
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
		head->base - head->piece_start < head->chunk_size && head->piece_rows >= 0;
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
 * While this waited for the lock, the row may have got another blob. So it reads the handle again after locking, in a
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

PgtOutcome
pgt_length(PgtColumn *column, PgtKey *key, int64 *length)
{
	PgtBlob		blob;
	PgtOutcome	outcome;

	pgt_blob_begin(&blob, column, key);
	outcome = pgt_blob_find(&blob, ACL_SELECT);
	if (outcome == PGT_APPLIED)
		*length = blob.head.length;
	pgt_blob_end(&blob);
	return outcome;
}

static const PgtBlobVtable vtable = {
	.append = pgt_append,.read = pgt_read,.write = pgt_write,.truncate = pgt_truncate,.length = pgt_length,
	.compact = pgt_compact,.copy = pgt_copy,.remove = pgt_remove
};

const PgtRoutine pgt_appendable = {
	.magic = PGT_ROUTINE_MAGIC,.name = "appendable",.types = types,.blob = &vtable,.open = open_column
};
