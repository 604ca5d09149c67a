/*
 * json_tree_node.c: heads and nodes of documents, in one snapshot. Inner nodes are usually where they were found last.
 * Other nodes are found one by one through the primary key, with one scan that is restarted for each.
 */
#include "json.h"
#include "compat.h"

#include "access/detoast.h"
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/numeric.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

void
pgt_doc_begin(PgtDoc *doc, PgtColumn *column, PgtKey *key, bool writes)
{
	memset(doc, 0, sizeof(PgtDoc));
	doc->column = column;
	doc->key = key;
	doc->writes = writes;
	doc->context = CurrentMemoryContext;
}

void
pgt_doc_snapshot_changed(PgtDoc *doc)
{
	if (doc->scan == NULL)
		return;
	index_endscan(doc->scan);
	doc->scan = NULL;
}

void
pgt_doc_end(PgtDoc *doc)
{
	pgt_doc_snapshot_changed(doc);
	if (doc->slot != NULL)
		ExecDropSingleTupleTableSlot(doc->slot);
	if (doc->node_index != NULL)
		index_close(doc->node_index, NoLock);
	if (doc->node.rel != NULL)
		pgt_table_close(&doc->node);
	if (doc->head.rel != NULL)
		pgt_table_close(&doc->head);
}

/* Returns true if the store repeats a column of the row key in its tables. */
static bool
has_lead(PgtColumn *column)
{
	return pgt_option_text(column, "leading_key") != NULL;
}

/* Sets the shape of a head table as create_document_tables creates it (6-document.sql). */
static void
head_shape(PgtColumn *column, const char *part, Relation rel, PgtShape *shape)
{
	static const Oid id[] = {INT8OID};
	static const Oid others[] = {INT8OID, TIMESTAMPTZOID, XID8OID, OIDOID};
	PgtEntry   *entry = (PgtEntry *) column;

	pgt_shape_add(shape, id, lengthof(id));
	for (int i = 0; i < column->key_count; i++)
		pgt_shape_add_one(shape, column->key_types[i], entry->column_collations[i]);
	pgt_shape_add(shape, others, lengthof(others));
	shape->key[shape->keys++] = PGT_HEAD_ID;
	if (has_lead(column))
	{
		Oid			key = pgt_primary_key(rel);
		AttrNumber	lead = PGT_HEAD_OWNER;

		/* Any column of the row key may be the leading key. */
		if (OidIsValid(key))
		{
			Relation	index = index_open(key, AccessShareLock);

			if (index->rd_index->indnatts == 2 && index->rd_index->indkey.values[1] > PGT_HEAD_OWNER &&
				index->rd_index->indkey.values[1] < PGT_HEAD_GENERATION(column))
				lead = index->rd_index->indkey.values[1];
			index_close(index, AccessShareLock);
		}
		shape->key[shape->keys++] = lead;
	}
}

/*
 * Sets the shape of a table of nodes. The name of the column that repeats a column of the row key shows which one it
 * is.
 */
static void
node_shape(PgtColumn *column, const char *part, Relation rel, PgtShape *shape)
{
	static const Oid types[PGT_NODE_COLUMNS] = {
		INT8OID, INT8OID, INT8OID, CHAROID, INT4OID, JSONBOID, INT8ARRAYOID, INT8ARRAYOID, BYTEAARRAYOID
	};
	TupleDesc	desc = RelationGetDescr(rel);
	PgtEntry   *entry = (PgtEntry *) column;

	pgt_shape_add(shape, types, PGT_NODE_COLUMNS);
	shape->key[shape->keys++] = PGT_NODE_DOC;
	shape->key[shape->keys++] = PGT_NODE_ID;
	if (has_lead(column))
	{
		shape->lead = 1;
		if (desc->natts == PGT_NODE_MOST_COLUMNS)
			(void) sscanf(NameStr(TupleDescAttr(desc, PGT_NODE_COLUMNS)->attname), "owner_%d", &shape->lead);
		if (shape->lead < 1 || shape->lead > column->key_count)
			shape->lead = 1;
		pgt_shape_add_one(shape, column->key_types[shape->lead - 1], entry->column_collations[shape->lead - 1]);
		shape->key[shape->keys++] = PGT_NODE_MOST_COLUMNS;
	}
}

PgtTable *
pgt_doc_head_table(PgtDoc *doc)
{
	if (doc->head.rel == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(doc->context);

		pgt_table_open(&doc->head, doc->column, "head",
					   doc->trusted ? ACL_NO_RIGHTS : doc->writes ? ACL_SELECT | ACL_UPDATE : ACL_SELECT, head_shape);
		MemoryContextSwitchTo(caller);
	}
	return &doc->head;
}

PgtTable *
pgt_doc_node_table(PgtDoc *doc)
{
	if (doc->node.rel == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(doc->context);

		pgt_table_open(&doc->node, doc->column, "node",
					   doc->trusted ? ACL_NO_RIGHTS : doc->writes ? ACL_SELECT | ACL_INSERT | ACL_UPDATE | ACL_DELETE : ACL_SELECT,
					   node_shape);
		MemoryContextSwitchTo(caller);
	}
	return &doc->node;
}

void
pgt_met_begin(PgtMet *met)
{
	met->ids = NULL;
	met->context = CurrentMemoryContext;
}

bool
pgt_first_time(PgtMet *met, int64 id, PgtNode *node)
{
	bool		found;

	if (node->value != NULL)
		return true;
	if (met->ids == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(int64), .entrysize = sizeof(int64), .hcxt = met->context};

		met->ids = hash_create("pgtoaster inner nodes", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
	hash_search(met->ids, &id, HASH_ENTER, &found);
	return !found;
}

/* Returns the values of a bigint array; NULL unless it has at most one dimension and no NULLs. */
static int64 *
bigints(Datum datum, int *count)
{
	ArrayType  *array = DatumGetArrayTypeP(datum);

	*count = ARR_NDIM(array) == 0 ? 0 : ARR_DIMS(array)[0];
	if (ARR_NDIM(array) > 1 || ARR_HASNULL(array) || ARR_ELEMTYPE(array) != INT8OID)
		return NULL;
	return (int64 *) ARR_DATA_PTR(array);
}

static bytea **
codes(Datum datum, int *count)
{
	ArrayType  *array = DatumGetArrayTypeP(datum);
	char	   *at = ARR_DATA_PTR(array);
	bytea	  **result;

	*count = ARR_NDIM(array) == 0 ? 0 : ARR_DIMS(array)[0];
	if (ARR_NDIM(array) > 1 || ARR_HASNULL(array) || ARR_ELEMTYPE(array) != BYTEAOID)
		return NULL;
	result = palloc(sizeof(bytea *) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		result[i] = (bytea *) at;
		at = (char *) att_align_nominal(at + VARSIZE_ANY(at), TYPALIGN_INT);
	}
	return result;
}

/*
 * Returns true if the value of a leaf has the type of its kind. For scalars it checks only that the value is a
 * scalar.
 */
static bool
fits_kind(const PgtNode *node)
{
	if (JB_ROOT_IS_SCALAR(node->value))
		return node->kind == PGT_STRING || node->kind == PGT_VALUE;
	return node->kind == (JB_ROOT_IS_ARRAY(node->value) ? PGT_ARRAY : PGT_OBJECT);
}

/*
 * Returns the beginning of a compressed array, up to the end of an element; the whole value if that is not shorter.
 * Decompression is a large part of the cost of a read, and half of it is for elements after the one that is read.
 */
static Jsonb *
upto_element(Datum stored, int64 position)
{
	int64		size = toast_raw_datum_size(stored) - VARHDRSZ;
	int64		end = offsetof(JsonbContainer, children) + sizeof(JEntry) * (position + 1);

	if (end < size)
	{
		Jsonb	   *entries = (Jsonb *) PG_DETOAST_DATUM_SLICE(stored, 0, (int32) end);

		if (VARSIZE(entries) == VARHDRSZ + end && JB_ROOT_IS_ARRAY(entries) && position < JB_ROOT_COUNT(entries))
			end = offsetof(JsonbContainer, children) + sizeof(JEntry) * (int64) JB_ROOT_COUNT(entries) +
				getJsonbOffset(&entries->root, (int) position) + getJsonbLength(&entries->root, (int) position);
		else
			end = size;
		pfree(entries);
	}
	return end < size ? (Jsonb *) PG_DETOAST_DATUM_SLICE(stored, 0, (int32) end) : DatumGetJsonbP(stored);
}

static Jsonb *
value_of(PgtDoc *doc, Datum stored)
{
	if (doc->shallow)
		return (Jsonb *) PG_DETOAST_DATUM_SLICE(stored, 0, sizeof(uint32));
	if (doc->partial && VARATT_IS_COMPRESSED(DatumGetPointer(stored)))
		return upto_element(stored, doc->upto);
	return DatumGetJsonbP(stored);
}

PgtNode *
pgt_node_of(PgtDoc *doc, HeapTuple tuple)
{
	Datum		values[PGT_NODE_MOST_COLUMNS];
	bool		nulls[PGT_NODE_MOST_COLUMNS];
	PgtNode    *node = palloc0(sizeof(PgtNode));
	int			count;

	heap_deform_tuple(tuple, RelationGetDescr(doc->node.rel), values, nulls);
	for (int i = 0; i < PGT_NODE_VALUE - 1; i++)
		if (nulls[i])
			return NULL;
	node->id = DatumGetInt64(values[PGT_NODE_ID - 1]);
	node->version = DatumGetInt64(values[PGT_NODE_VERSION - 1]);
	node->kind = DatumGetChar(values[PGT_NODE_KIND - 1]);
	node->bytes = DatumGetInt32(values[PGT_NODE_BYTES - 1]);
	node->tuple = tuple;
	if (!nulls[PGT_NODE_KIDS - 1])
	{
		node->kids = bigints(values[PGT_NODE_KIDS - 1], &node->kid_count);
		if (node->kids == NULL)
			return NULL;
	}
	if (!nulls[PGT_NODE_VALUE - 1])
	{
		node->value = value_of(doc, values[PGT_NODE_VALUE - 1]);
		return fits_kind(node) ? node : NULL;
	}
	if (node->kids == NULL)
		return NULL;
	if (!nulls[PGT_NODE_STARTS - 1])
	{
		node->starts = bigints(values[PGT_NODE_STARTS - 1], &count);
		if (node->starts == NULL || count != node->kid_count + 1)
			return NULL;
	}
	if (!nulls[PGT_NODE_LOWS - 1])
	{
		node->lows = codes(values[PGT_NODE_LOWS - 1], &count);
		if (node->lows == NULL || count != node->kid_count)
			return NULL;
	}
	if ((node->kind == PGT_ARRAY) != (node->starts != NULL) || (node->kind == PGT_OBJECT) != (node->lows != NULL) ||
		(node->starts == NULL && node->lows == NULL && node->kind != PGT_STRING))
		return NULL;
	return node;
}

/* Frees a value if it was detoasted: if it is not within its tuple. */
static void
free_part(HeapTuple tuple, void *part)
{
	char	   *begin = (char *) tuple;

	if ((char *) part < begin || (char *) part >= (char *) tuple->t_data + tuple->t_len)
		pfree(part);
}

void
pgt_node_free(PgtNode *node)
{
	if (node->value != NULL)
		free_part(node->tuple, node->value);
	if (node->kid_count > 0)
		free_part(node->tuple, (char *) node->kids - ARR_OVERHEAD_NONULLS(1));
	if (node->starts != NULL)
		free_part(node->tuple, (char *) node->starts - ARR_OVERHEAD_NONULLS(1));
	if (node->lows != NULL)
	{
		if (node->kid_count > 0)
			free_part(node->tuple, (char *) node->lows[0] - ARR_OVERHEAD_NONULLS(1));
		pfree(node->lows);
	}
	heap_freetuple(node->tuple);
	pfree(node);
}

static HeapTuple
find_node(PgtDoc *doc, int64 document, int64 id, PgtPlace *place)
{
	PgtTable   *table = &doc->node;
	ScanKeyData keys[2];
	MemoryContext caller = MemoryContextSwitchTo(doc->context);
	bool		found;

	if (doc->node_index == NULL)
		doc->node_index = index_open(table->index, AccessShareLock);
	if (doc->slot == NULL)
		doc->slot = table_slot_create(table->rel, NULL);
	if (doc->scan == NULL)
		doc->scan = pgt_index_beginscan(table->rel, doc->node_index, GetActiveSnapshot(), 2);
	/* Attribute numbers refer to the index. */
	ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(document));
	ScanKeyInit(&keys[1], 2, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(id));
	index_rescan(doc->scan, keys, 2, NULL, 0);
	found = pgt_row_of_scan(doc->scan, doc->slot, place);
	MemoryContextSwitchTo(caller);
	return found ? ExecCopySlotHeapTuple(doc->slot) : NULL;
}

PgtNode *
pgt_doc_node(PgtDoc *doc, int64 document, int64 id)
{
	PgtTable   *table = pgt_doc_node_table(doc);
	PgtNodePlace *known = &pgt_json_options(doc->column)->nodes[(uint64) id % PGT_NODE_PLACES];
	PgtPlace	place;
	HeapTuple	tuple = NULL;
	PgtNode    *node;

	if (known->id == id)
	{
		ScanKeyData keys[2];

		pgt_key_equals(table, &keys[0], PGT_NODE_DOC, INT8OID, Int64GetDatum(document));
		pgt_key_equals(table, &keys[1], PGT_NODE_ID, INT8OID, Int64GetDatum(id));
		tuple = pgt_row_at(table->rel, GetActiveSnapshot(), 2, keys, &known->place);
		if (tuple != NULL)
			return pgt_node_of(doc, tuple);
	}
	tuple = find_node(doc, document, id, &place);
	node = tuple == NULL ? NULL : pgt_node_of(doc, tuple);
	if (node != NULL && node->value == NULL)
	{
		known->id = id;
		known->place = place;
	}
	return node;
}

bool
pgt_is_owner(PgtDoc *doc, const Datum *key)
{
	PgtEntry   *entry = (PgtEntry *) doc->column;

	for (int i = 0; i < doc->key->count; i++)
		if (!DatumGetBool(FunctionCall2Coll(&entry->key_equals[i], entry->key_collations[i], key[i], doc->key->values[i])))
			return false;
	return true;
}

/* Sets the key of a head; returns false if it belongs to another row or has no key. */
static bool
owner_of(PgtDoc *doc, HeapTuple head, Datum *key)
{
	bool		isnull = false;

	for (int i = 0; i < doc->key->count && !isnull; i++)
		key[i] = heap_getattr(head, PGT_HEAD_OWNER + i, RelationGetDescr(doc->head.rel), &isnull);
	return !isnull && pgt_is_owner(doc, key);
}

bool
pgt_head_owned(PgtDoc *doc, HeapTuple head)
{
	Datum		key[PGT_MAX_KEYS];

	return owner_of(doc, head, key);
}

PgtOutcome
pgt_doc_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation)
{
	PgtTable   *table;
	PgtPlace   *places = pgt_json_options(doc->column)->heads;
	ScanKeyData key;
	HeapTuple	tuple;
	Datum		owner[PGT_MAX_KEYS];
	bool		isnull;

	if (pgt_shared_head(doc, document, head, generation))
		return PGT_APPLIED;
	table = pgt_doc_head_table(doc);
	pgt_key_equals(table, &key, PGT_HEAD_ID, INT8OID, Int64GetDatum(document));
	tuple = pgt_row(table->rel, table->index, GetActiveSnapshot(), 1, &key, &places[(uint64) document % PGT_PLACES]);
	if (tuple == NULL || !owner_of(doc, tuple, owner))
		return PGT_FOREIGN;
	*head = tuple;
	*generation = DatumGetInt64(heap_getattr(tuple, PGT_HEAD_GENERATION(doc->column), RelationGetDescr(table->rel), &isnull));
	pgt_share_head(doc, document, tuple, owner, *generation);
	return PGT_APPLIED;
}
