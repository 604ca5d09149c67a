/* blob_table.c: a blob during one operation, and the tables of its store, which are opened when they are needed. */
#include "blob.h"

#include "catalog/pg_type.h"
#include "utils/lsyscache.h"

static const struct
{
	const char *name;
	int			keys;			/* number of columns in its primary key: the first columns, without the leading key */
	int			columns;
	Oid			types[HEAD_COLUMNS];
}			parts[PGT_PARTS] = {
	{"head", 1, HEAD_COLUMNS, {INT8OID, INT8OID, INT8OID, INT8OID, TIMESTAMPTZOID, XID8OID, OIDOID, INT4OID, INT4OID, BOOLOID, BYTEAOID, TIMESTAMPTZOID, INT8OID}},
	{"chunk", 2, CHUNK_COLUMNS, {INT8OID, INT8OID, INT4OID, BYTEAOID}},
	{"piece", 2, PIECE_COLUMNS, {INT8OID, INT4OID, INT8OID, INT4OID, BYTEAOID}},
	{"token", 2, TOKEN_COLUMNS, {INT8OID, UUIDOID, INT8OID, INT8OID, INT8OID, TIMESTAMPTZOID}},
	{"follower", 1, FOLLOWER_COLUMNS, {INT8OID, TIMESTAMPTZOID, TIMESTAMPTZOID}},
};

/* Sets the shape of a table that create_store_tables creates (blob/tables.sql). */
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

void
pgt_blob_damaged(PgtBlob *blob, const char *what, int64 offset)
{
	pgt_require_snapshot(blob->column);
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("%s of the blob in %s%s at offset " INT64_FORMAT " is missing or damaged", what,
					pgt_column_text(blob->column), pgt_key_text(blob->column, blob->key), offset),
			 errhint("\"pgtoaster verify\" lists the problems of a blob.")));
}
