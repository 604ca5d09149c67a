/* json_branch_writer.c: locks and writes heads and nodes. */
#include "json_branch.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "common/pg_prng.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/timestamp.h"
#include "utils/xid8.h"

/* 2026-01-01 in milliseconds since 1970: node ids count from this time. */
#define FIRST_MILLIS INT64CONST(1767225600000)
#define RANDOM_BITS 20

/* Returns a new id for a node: it increases with time and ends in random bits, so that sessions do not collide. */
static int64
next_id(void)
{
	static int64 last = 0;
	int64		millis = (GetCurrentTimestamp() +
						  (int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY) / 1000 - FIRST_MILLIS;
	int64		random = (int64) (pg_prng_uint64(&pg_global_prng_state) & ((1 << RANDOM_BITS) - 1));
	int64		id = millis > 0 ? (millis << RANDOM_BITS) | random : random + 1;

	last = Max(last + 1, id);
	return last;
}

void
pgt_doc_renew(PgtDoc *doc)
{
	pgt_doc_snapshot_changed(doc);
	pgt_pop_snapshot();
	pgt_push_snapshot();
}

/* Heads */

HeapTuple
pgt_lock_head(PgtDoc *doc, PgtWalk *walk, bool alone)
{
	PgtTable   *table = pgt_doc_head_table(doc);
	HeapTuple	locked = pgt_lock(table, walk->head, alone ? LockTupleExclusive : LockTupleKeyShare);
	bool		isnull;

	if (locked == NULL || !pgt_head_owned(doc, locked))
		return NULL;
	return DatumGetInt64(heap_getattr(locked, PGT_HEAD_GENERATION(doc->column), RelationGetDescr(table->rel), &isnull)) ==
		walk->generation ? locked : NULL;
}

PgtNode *
pgt_lock_node(PgtDoc *doc, PgtNode *seen)
{
	HeapTuple	locked = pgt_lock(pgt_doc_node_table(doc), seen->tuple, LockTupleNoKeyExclusive);

	return locked == NULL ? NULL : pgt_node_of(doc, locked);
}

int64
pgt_writer_document(PgtWriter *writer)
{
	PgtTable   *table;
	TupleDesc	desc;
	Datum	   *values;
	bool	   *nulls;

	if (writer->document != 0)
		return writer->document;
	table = pgt_doc_head_table(writer->doc);
	if (!pgt_may(RelationGetRelid(table->rel), ACL_INSERT))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, RelationGetRelationName(table->rel));
	desc = RelationGetDescr(table->rel);
	values = palloc0(sizeof(Datum) * desc->natts);
	nulls = palloc0(sizeof(bool) * desc->natts);
	writer->document = pgt_next_id(table, PGT_HEAD_ID);
	values[PGT_HEAD_ID - 1] = Int64GetDatum(writer->document);
	for (int i = 0; i < writer->doc->key->count; i++)
		values[PGT_HEAD_OWNER - 1 + i] = writer->doc->key->values[i];
	values[PGT_HEAD_GENERATION(writer->doc->column) - 1] = Int64GetDatum(0);
	values[PGT_HEAD_GENERATION(writer->doc->column)] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[PGT_HEAD_GENERATION(writer->doc->column) + 1] = FullTransactionIdGetDatum(GetTopFullTransactionId());
	values[PGT_HEAD_GENERATION(writer->doc->column) + 2] = ObjectIdGetDatum(GetUserId());
	pgt_insert(table, values, nulls);
	return writer->document;
}

void
pgt_raise_generation(PgtDoc *doc, HeapTuple head)
{
	PgtTable   *table = pgt_doc_head_table(doc);
	TupleDesc	desc = RelationGetDescr(table->rel);
	AttrNumber	attno = PGT_HEAD_GENERATION(doc->column);
	Datum	   *values = palloc0(sizeof(Datum) * desc->natts);
	bool	   *nulls = palloc0(sizeof(bool) * desc->natts);
	bool	   *replaces = palloc0(sizeof(bool) * desc->natts);
	bool		isnull;
	HeapTuple	changed;

	values[attno - 1] = Int64GetDatum(DatumGetInt64(heap_getattr(head, attno, desc, &isnull)) + 1);
	replaces[attno - 1] = true;
	changed = heap_modify_tuple(head, desc, values, nulls, replaces);
	if (!pgt_update(table, head, changed))
		pgt_interfered(doc->column);
}

/* Nodes */

/* Returns an array of bigint, as construct_array does, but copies all values at once. */
static Datum
bigints(const int64 *values, int count)
{
	Size		size = ARR_OVERHEAD_NONULLS(1) + sizeof(int64) * count;
	ArrayType  *array;

	if (count == 0)
		return PointerGetDatum(construct_empty_array(INT8OID));
	array = palloc0(size);
	SET_VARSIZE(array, size);
	array->ndim = 1;
	array->dataoffset = 0;
	array->elemtype = INT8OID;
	ARR_DIMS(array)[0] = count;
	ARR_LBOUND(array)[0] = 1;
	memcpy(ARR_DATA_PTR(array), values, sizeof(int64) * count);
	return PointerGetDatum(array);
}

/* Sets the columns after the id and the version of a node. */
static void
leaf_columns(const PgtLeaf *leaf, Datum *values, bool *nulls)
{
	PgtIds		kids = {0};
	JsonbValue	root;

	pgt_root_value(leaf->value, &root);
	pgt_json_markers(&root, &kids);
	values[PGT_NODE_KIND - 1] = CharGetDatum(leaf->kind);
	values[PGT_NODE_BYTES - 1] = Int32GetDatum((int32) Min(leaf->bytes, PG_INT32_MAX));
	values[PGT_NODE_VALUE - 1] = JsonbPGetDatum(leaf->value);
	nulls[PGT_NODE_KIDS - 1] = kids.count == 0;
	if (kids.count > 0)
		values[PGT_NODE_KIDS - 1] = bigints(kids.ids, kids.count);
	nulls[PGT_NODE_STARTS - 1] = true;
	nulls[PGT_NODE_LOWS - 1] = true;
}

static void
inner_columns(char kind, const PgtChild *children, int count, Datum *values, bool *nulls)
{
	int64	   *kids = palloc(sizeof(int64) * (count + 1));
	int64	   *starts = palloc(sizeof(int64) * (count + 1));
	Datum	   *lows = kind == PGT_OBJECT ? palloc(sizeof(Datum) * (count + 1)) : NULL;
	int64		start = 0;

	for (int i = 0; i < count; i++)
	{
		kids[i] = children[i].id;
		starts[i] = start;
		start += children[i].count;
		/* The first child contains all keys that sort before those of the second. */
		if (lows != NULL)
			lows[i] = PointerGetDatum(i == 0 || children[i].low == NULL ? cstring_to_text_with_len("", 0)
									  : (text *) children[i].low);
	}
	starts[count] = start;
	values[PGT_NODE_KIND - 1] = CharGetDatum(kind);
	values[PGT_NODE_BYTES - 1] = Int32GetDatum(0);
	nulls[PGT_NODE_VALUE - 1] = true;
	values[PGT_NODE_KIDS - 1] = bigints(kids, count);
	nulls[PGT_NODE_STARTS - 1] = kind != PGT_ARRAY;
	if (kind == PGT_ARRAY)
		values[PGT_NODE_STARTS - 1] = bigints(starts, count + 1);
	nulls[PGT_NODE_LOWS - 1] = kind != PGT_OBJECT;
	if (kind == PGT_OBJECT)
		values[PGT_NODE_LOWS - 1] = PointerGetDatum(construct_array(lows, count, BYTEAOID, -1, false, TYPALIGN_INT));
}

/* Sets the column that repeats a column of the row key. */
static void
lead_column(PgtDoc *doc, Datum *values)
{
	if (doc->node.lead > 0)
		values[PGT_NODE_COLUMNS] = doc->key->values[doc->node.lead - 1];
}

static int64
insert_node(PgtWriter *writer, Datum *values, bool *nulls)
{
	PgtTable   *table = pgt_doc_node_table(writer->doc);
	int64		id = next_id();

	lead_column(writer->doc, values);
	values[PGT_NODE_DOC - 1] = Int64GetDatum(pgt_writer_document(writer));
	values[PGT_NODE_ID - 1] = Int64GetDatum(id);
	values[PGT_NODE_VERSION - 1] = Int64GetDatum(0);
	pgt_insert(table, values, nulls);
	writer->written++;
	CHECK_FOR_INTERRUPTS();
	return id;
}

int64
pgt_write_leaf(PgtWriter *writer, const PgtLeaf *leaf)
{
	Datum		values[PGT_NODE_MOST_COLUMNS];
	bool		nulls[PGT_NODE_MOST_COLUMNS] = {false};
	int64		id = writer->stored == NULL ? -1 : pgt_stored_leaf(writer->stored, leaf);

	if (id >= 0)
		return id;
	leaf_columns(leaf, values, nulls);
	return insert_node(writer, values, nulls);
}

int64
pgt_write_inner(PgtWriter *writer, char kind, const PgtChild *children, int count)
{
	Datum		values[PGT_NODE_MOST_COLUMNS];
	bool		nulls[PGT_NODE_MOST_COLUMNS] = {false};
	int64		id = writer->stored == NULL ? -1 : pgt_stored_inner(writer->stored, kind, children, count);

	if (id >= 0)
		return id;
	inner_columns(kind, children, count, values, nulls);
	return insert_node(writer, values, nulls);
}

static void
replace(PgtWriter *writer, const PgtNode *node, Datum *values, bool *nulls)
{
	PgtTable   *table = pgt_doc_node_table(writer->doc);

	lead_column(writer->doc, values);
	values[PGT_NODE_DOC - 1] = Int64GetDatum(writer->document);
	values[PGT_NODE_ID - 1] = Int64GetDatum(node->id);
	values[PGT_NODE_VERSION - 1] = Int64GetDatum(node->version + 1);
	if (!pgt_update(table, node->tuple, heap_form_tuple(RelationGetDescr(table->rel), values, nulls)))
		pgt_interfered(writer->doc->column);
	writer->written++;
}

void
pgt_replace_leaf(PgtWriter *writer, const PgtNode *node, const PgtLeaf *leaf)
{
	Datum		values[PGT_NODE_MOST_COLUMNS];
	bool		nulls[PGT_NODE_MOST_COLUMNS] = {false};

	leaf_columns(leaf, values, nulls);
	replace(writer, node, values, nulls);
}

void
pgt_replace_inner(PgtWriter *writer, const PgtNode *node, const PgtChild *children, int count)
{
	Datum		values[PGT_NODE_MOST_COLUMNS];
	bool		nulls[PGT_NODE_MOST_COLUMNS] = {false};

	inner_columns(node->kind, children, count, values, nulls);
	replace(writer, node, values, nulls);
}

void
pgt_delete_nodes(PgtWriter *writer, const PgtIds *ids, bool below)
{
	PgtTable   *table = pgt_doc_node_table(writer->doc);
	PgtIds		todo = {0};
	MemoryContext memory = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster dropped nodes", ALLOCSET_DEFAULT_SIZES);

	for (int i = ids->count - 1; i >= 0; i--)
		pgt_ids_add(&todo, ids->ids[i]);
	while (todo.count > 0)
	{
		MemoryContext caller = MemoryContextSwitchTo(memory);
		PgtNode    *node = pgt_doc_node(writer->doc, writer->document, todo.ids[--todo.count]);

		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(caller);
		if (node != NULL)
		{
			if (below)
				for (int i = node->kid_count - 1; i >= 0; i--)
					pgt_ids_add(&todo, node->kids[i]);
			pgt_delete(table, node->tuple);
		}
		MemoryContextReset(memory);
	}
	MemoryContextDelete(memory);
}
