/*
 * json_tree_node.c: nodes of documents, in one snapshot. Inner nodes usually are where they were last found. Other
 * nodes are found one by one through the primary key, with one scan that is restarted for each.
 */
#include "json_tree.h"

#include "access/detoast.h"
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"

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
 * Decompression is a large part of the cost of a read, and on average half of it is spent on elements after the one
 * that is read.
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

/* Compares two codes as bytea. */
static int
code_compare(bytea *a, bytea *b)
{
	int			a_len = VARSIZE_ANY_EXHDR(a);
	int			b_len = VARSIZE_ANY_EXHDR(b);
	int			order = memcmp(VARDATA_ANY(a), VARDATA_ANY(b), Min(a_len, b_len));

	return order != 0 ? order : a_len < b_len ? -1 : a_len > b_len;
}

int
pgt_child_at(PgtNode *node, int64 position)
{
	int			low = 0;
	int			high = node->kid_count + 1;

	/* Finds the first start greater than the position. */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (node->starts[middle] <= position)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 || low > node->kid_count ? -1 : low - 1;
}

int
pgt_child_of(PgtNode *node, const char *key, int len)
{
	bytea	   *code = pgt_key_code(key, len);
	int			low = 0;
	int			high = node->kid_count;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (code_compare(node->lows[middle], code) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}
