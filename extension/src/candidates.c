/*
 * candidates.c: finds the rows whose documents may contain a value, by the GIN indexes of the column and of the nodes.
 *
 * A node contains part of a document without the path above it. So a search looks for each possible end of the path to
 * one value, as pgtoaster.search_forms does. The caller checks the documents that it finds.
 */
#include "candidates.h"

#include "access/gin.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/tidbitmap.h"
#include "utils/array.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* Strings of this many bytes may be stored in pieces. */
#define MAY_BE_CUT 8000
/* The first scalars of a probe that are considered, the longest of them that are looked for, and levels above them. */
#define MOST_SCALARS 64
#define MOST_SEARCHES 8
#define MOST_LEVELS 64
/* If so few rows and nodes have a scalar, the search does not look for others. */
#define FEW 16

/* The steps to a scalar of a probe, from the root. A step is a key; jbvNull stands for any element of an array. */
typedef struct Scalar
{
	int			count;
	JsonbValue	steps[MOST_LEVELS];
	JsonbValue	value;
} Scalar;

/* What a row or node may contain of a document that contains a scalar of the probe. */
typedef struct Forms
{
	int			length;			/* of the scalar as text */
	List	   *forms;			/* of type Jsonb, the whole path first */
} Forms;

/* One search: the tables, and the keys found. */
typedef struct Search
{
	PgtDoc		doc;			/* opens the tables of the store */
	Relation	rows;
	AttrNumber	document;		/* columns of the table */
	AttrNumber	key;
	Oid			row_index;		/* GIN indexes */
	Oid			node_index;
	int16		length;			/* of the type of the key */
	bool		by_value;
	MemoryContext context;		/* for what is found */
	int64		count;
	int64		room;
	Datum	   *found;			/* keys of rows, or numbers of documents */
} Search;

/* Returns true if a key is stored in another form, because it could be a marker. */
static bool
is_escaped(JsonbValue *key)
{
	int			dollars = 0;

	while (dollars < key->val.string.len && key->val.string.val[dollars] == '$')
		dollars++;
	return dollars > 0 && key->val.string.len - dollars == PGT_MARKER_LEN - 1 &&
		memcmp(key->val.string.val + dollars, PGT_MARKER + 1, PGT_MARKER_LEN - 1) == 0;
}

/* Returns the value with the steps from the given one on around it. */
static Jsonb *
form_of(Scalar *scalar, int from)
{
	PgtJsonbState state = {0};
	JsonbValue *result = NULL;

	if (from == scalar->count)
		return JsonbValueToJsonb(&scalar->value);
	for (int i = from; i < scalar->count; i++)
	{
		bool		element = scalar->steps[i].type == jbvNull;

		(void) pgt_push_jsonb(&state, element ? WJB_BEGIN_ARRAY : WJB_BEGIN_OBJECT, NULL);
		if (!element)
			(void) pgt_push_jsonb(&state, WJB_KEY, &scalar->steps[i]);
	}
	(void) pgt_push_jsonb(&state, scalar->steps[scalar->count - 1].type == jbvNull ? WJB_ELEM : WJB_VALUE, &scalar->value);
	for (int i = scalar->count - 1; i >= from; i--)
		result = pgt_push_jsonb(&state, scalar->steps[i].type == jbvNull ? WJB_END_ARRAY : WJB_END_OBJECT, NULL);
	return JsonbValueToJsonb(result);
}

/* Returns the forms of a scalar; NULL if no index finds it. */
static Forms *
forms_of(Scalar *scalar)
{
	Forms	   *forms = palloc0(sizeof(Forms));
	Jsonb	   *bare = JsonbValueToJsonb(&scalar->value);

	forms->length = strlen(JsonbToCString(NULL, &bare->root, VARSIZE(bare)));
	if (forms->length >= MAY_BE_CUT)
		return NULL;
	for (int i = 0; i <= scalar->count; i++)
		forms->forms = lappend(forms->forms, form_of(scalar, i));
	return forms;
}

static int
compare_lengths(const ListCell *a, const ListCell *b)
{
	return ((Forms *) lfirst(b))->length - ((Forms *) lfirst(a))->length;
}

/* Returns the forms of scalars of a probe, the longest first, because they are probably rare. */
static List *
forms_of_probe(Jsonb *probe)
{
	List	   *all = NIL;
	Scalar	   *scalar = palloc0(sizeof(Scalar));
	JsonbIterator *iterator = JsonbIteratorInit(&probe->root);
	JsonbIteratorToken token;
	JsonbValue	part;
	int			depth = 0;
	int			escaped = 0;	/* depth of the first key that is stored in another form; 0 if there is none */

	while ((token = JsonbIteratorNext(&iterator, &part, false)) != WJB_DONE && list_length(all) < MOST_SCALARS)
	{
		if (token == WJB_END_ARRAY || token == WJB_END_OBJECT)
		{
			escaped = escaped == depth ? 0 : escaped;
			depth -= depth > 0;
		}
		else if (token == WJB_BEGIN_OBJECT || (token == WJB_BEGIN_ARRAY && !part.val.array.rawScalar))
		{
			depth++;
			if (depth <= MOST_LEVELS)
				scalar->steps[depth - 1].type = jbvNull;
		}
		else if (token == WJB_KEY && depth <= MOST_LEVELS)
		{
			scalar->steps[depth - 1] = part;
			if (escaped == 0 || escaped == depth)
				escaped = is_escaped(&part) ? depth : 0;
		}
		else if ((token == WJB_VALUE || token == WJB_ELEM) && depth <= MOST_LEVELS && escaped == 0)
		{
			Forms	   *forms;

			scalar->count = depth;
			scalar->value = part;
			forms = forms_of(scalar);
			if (forms != NULL)
				all = lappend(all, forms);
		}
	}
	list_sort(all, compare_lengths);
	return all;
}

Oid
pgt_containment_index(Relation rel, AttrNumber attnum)
{
	List	   *indexes = RelationGetIndexList(rel);
	ListCell   *cell;
	Oid			contains = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("@>")), JSONBOID, JSONBOID);
	Oid			found = InvalidOid;

	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);
		Form_pg_index form = index->rd_index;

		/* As the planner does, wait for a snapshot that does not need old versions that the index lacks. */
		if (index->rd_rel->relam == GIN_AM_OID && form->indisvalid && form->indkey.values[0] == attnum &&
			heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
			(!form->indcheckxmin || TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data), TransactionXmin)) &&
			get_op_opfamily_strategy(contains, index->rd_opfamily[0]) == JsonbContainsStrategyNumber)
			found = lfirst_oid(cell);
		index_close(index, AccessShareLock);
		if (OidIsValid(found))
			break;
	}
	list_free(indexes);
	return found;
}

/* Adds the places of rows that contain a form; returns their number, which may be too high. */
static int64
add_places(Oid index_id, Jsonb *form, TIDBitmap *places)
{
	Relation	index = index_open(index_id, AccessShareLock);
	IndexScanDesc scan = pgt_index_beginscan_bitmap(index, GetActiveSnapshot(), 1);
	ScanKeyData key;
	int64		count;

	ScanKeyEntryInitialize(&key, 0, 1, JsonbContainsStrategyNumber, JSONBOID, InvalidOid, F_JSONB_CONTAINS, JsonbPGetDatum(form));
	index_rescan(scan, &key, 1, NULL, 0);
	count = index_getbitmap(scan, places);
	index_endscan(scan);
	index_close(index, AccessShareLock);
	return count;
}

static void
add_found(Search *search, Datum value, bool by_value, int16 length)
{
	MemoryContext caller = MemoryContextSwitchTo(search->context);

	if (search->count == search->room)
	{
		search->room = search->room == 0 ? 64 : search->room * 2;
		search->found = search->found == NULL ? palloc(sizeof(Datum) * search->room)
			: repalloc_huge(search->found, sizeof(Datum) * search->room);
	}
	search->found[search->count++] = datumCopy(value, by_value, length);
	MemoryContextSwitchTo(caller);
}

static bool
contains_any(Datum value, List *forms)
{
	ListCell   *cell;

	foreach(cell, forms)
		if (DatumGetBool(DirectFunctionCall2(jsonb_contains, value, JsonbPGetDatum(lfirst(cell)))))
			return true;
	return false;
}

/* Adds a column of the rows at these places that contain a form. The index may have too many places. */
static void
fetch(Search *search, Relation rel, TIDBitmap *places, AttrNumber attnum, List *forms, AttrNumber wanted, bool by_value, int16 length)
{
	PgtPages	pages = pgt_pages_begin(places);
	BlockNumber end = RelationGetNumberOfBlocks(rel);
	BlockNumber block;
	OffsetNumber lines[MaxHeapTuplesPerPage];
	int			count;
	HeapTuple	tuples[MaxHeapTuplesPerPage];
	MemoryContext page = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster page", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(page);

	while (pgt_pages_next(pages, &block, lines, &count))
	{
		Buffer		buffer;
		int			seen = 0;

		CHECK_FOR_INTERRUPTS();
		/* VACUUM may have truncated the table. */
		if (block >= end)
			continue;
		buffer = ReadBuffer(rel, block);
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		for (int i = 0; i < (count < 0 ? MaxHeapTuplesPerPage : count); i++)
		{
			ItemPointerData tid;
			HeapTupleData tuple;

			ItemPointerSet(&tid, block, count < 0 ? i + 1 : lines[i]);
			if (heap_hot_search_buffer(&tid, rel, buffer, GetActiveSnapshot(), &tuple, NULL, true))
				tuples[seen++] = heap_copytuple(&tuple);
		}
		UnlockReleaseBuffer(buffer);
		for (int i = 0; i < seen; i++)
		{
			bool		isnull;
			Datum		value = heap_getattr(tuples[i], attnum, RelationGetDescr(rel), &isnull);

			if (isnull || !contains_any(value, forms))
				continue;
			value = heap_getattr(tuples[i], wanted, RelationGetDescr(rel), &isnull);
			if (!isnull)
				add_found(search, value, by_value, length);
		}
		MemoryContextReset(page);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(page);
	pgt_pages_end(pages);
}

static int
compare_numbers(const void *a, const void *b)
{
	int64		left = DatumGetInt64(*(const Datum *) a);
	int64		right = DatumGetInt64(*(const Datum *) b);

	return left < right ? -1 : left > right;
}

/* Replaces numbers of documents by the keys of their rows. */
static void
find_owners(Search *search)
{
	PgtTable   *head = pgt_doc_head_table(&search->doc);
	PgtPlace   *places = pgt_json_options(search->doc.column)->heads;
	Datum	   *documents = search->found;
	int64		count = search->count;
	MemoryContext row = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster head", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(row);

	search->found = NULL;
	search->count = search->room = 0;
	if (count > 1)
		qsort(documents, count, sizeof(Datum), compare_numbers);
	for (int64 i = 0; i < count; i++)
	{
		ScanKeyData key;
		HeapTuple	tuple;
		bool		isnull = true;
		Datum		owner = (Datum) 0;

		if (i > 0 && documents[i] == documents[i - 1])
			continue;
		CHECK_FOR_INTERRUPTS();
		pgt_key_equals(head, &key, PGT_HEAD_ID, INT8OID, documents[i]);
		tuple = pgt_row(head->rel, head->index, GetActiveSnapshot(), 1, &key, &places[(uint64) DatumGetInt64(documents[i]) % PGT_PLACES]);
		if (tuple != NULL)
			owner = heap_getattr(tuple, PGT_HEAD_OWNER, RelationGetDescr(head->rel), &isnull);
		if (!isnull)
			add_found(search, owner, search->by_value, search->length);
		MemoryContextReset(row);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(row);
}

/* Adds the keys of all rows. */
static void
find_all(Search *search)
{
	TupleTableSlot *slot = table_slot_create(search->rows, NULL);
	TableScanDesc scan = pgt_beginscan(search->rows, GetActiveSnapshot());

	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		bool		isnull;
		Datum		key = slot_getattr(slot, search->key, &isnull);

		CHECK_FOR_INTERRUPTS();
		if (!isnull)
			add_found(search, key, search->by_value, search->length);
	}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
}

/*
 * Returns true if the snapshot was taken before a table was rewritten. REPACK (CONCURRENTLY) makes it look empty to older
 * snapshots.
 */
static bool
is_rewritten(Relation rel)
{
	Relation	classes = table_open(RelationRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		rewritten;

	ScanKeyInit(&key, Anum_pg_class_oid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(RelationGetRelid(rel)));
	scan = systable_beginscan(classes, ClassOidIndexId, true, GetActiveSnapshot(), 1, &key);
	tuple = systable_getnext(scan);
	rewritten = tuple == NULL || ((Form_pg_class) GETSTRUCT(tuple))->relfilenode != rel->rd_rel->relfilenode;
	systable_endscan(scan);
	table_close(classes, AccessShareLock);
	return rewritten;
}

/*
 * Opens the tables; returns false if they lack indexes. The key, which the result of pgt_document_candidates consists of,
 * has one column.
 */
static bool
begin(Search *search, PgtOrigin origin, Oid table)
{
	PgtColumn  *column = pgt_column(origin.relid, get_attname(origin.relid, origin.attnum, false));
	AttrNumber	key = ((PgtEntry *) column)->key_attnums[0];

	memset(search, 0, sizeof(Search));
	pgt_doc_begin(&search->doc, column, NULL, false);
	search->doc.trusted = true;
	search->rows = table_open(table, AccessShareLock);
	search->document = table == origin.relid ? origin.attnum : get_attnum(table, get_attname(origin.relid, origin.attnum, false));
	search->key = table == origin.relid ? key : get_attnum(table, get_attname(origin.relid, key, false));
	search->context = CurrentMemoryContext;
	if (column->routine != &pgt_keyed || column->key_count != 1 || pgt_option_text(column, "leading_key") != NULL ||
		!pgt_is_heap(search->rows))
		return false;
	search->row_index = pgt_containment_index(search->rows, search->document);
	if (!OidIsValid(search->row_index))
		return false;
	search->node_index = pgt_containment_index(pgt_doc_node_table(&search->doc)->rel, PGT_NODE_VALUE);
	return OidIsValid(search->node_index);
}

static void
end(Search *search)
{
	table_close(search->rows, NoLock);
	pgt_doc_end(&search->doc);
}

/* The places of the rows and nodes that contain a form of a scalar. */
typedef struct Hits
{
	List	   *forms;			/* NIL if no index finds any scalar */
	TIDBitmap  *rows;
	TIDBitmap  *nodes;
	int64		count;			/* may be too high */
} Hits;

static TIDBitmap *
create_places(void)
{
	return tbm_create(work_mem * INT64CONST(1024), NULL);
}

/* Looks for scalars of a probe; returns the hits of the rarest one. */
static Hits
rarest(Search *search, Jsonb *probe)
{
	Hits		best = {0};
	List	   *all = forms_of_probe(probe);
	ListCell   *cell;

	foreach(cell, all)
	{
		Hits		hits = {.forms = ((Forms *) lfirst(cell))->forms,.rows = create_places(),.nodes = create_places()};
		ListCell   *form;

		hits.count = add_places(search->row_index, linitial(hits.forms), hits.rows);
		foreach(form, hits.forms)
			hits.count += add_places(search->node_index, lfirst(form), hits.nodes);
		if (best.forms == NIL || hits.count < best.count)
		{
			Hits		worse = best;

			best = hits;
			hits = worse;
		}
		if (hits.forms != NIL)
		{
			tbm_free(hits.rows);
			tbm_free(hits.nodes);
		}
		if (best.count <= FEW || foreach_current_index(cell) + 1 == MOST_SEARCHES)
			break;
	}
	return best;
}

double
pgt_count_candidates(PgtOrigin origin, Oid table, Jsonb *probe, Oid *node)
{
	Search		search;
	double		count = -1;

	if (begin(&search, origin, table))
	{
		Hits		hits = {0};

		if (probe != NULL)
			hits = rarest(&search, probe);
		count = probe == NULL ? 0 : hits.forms != NIL ? hits.count : -1;
	}
	*node = search.doc.node.rel != NULL ? RelationGetRelid(search.doc.node.rel) : InvalidOid;
	end(&search);
	return count;
}

PG_FUNCTION_INFO_V1(pgt_document_candidates);

/*
 * Returns the keys of all rows of a table whose documents contain a probe, and possibly of others. The last argument only
 * determines the type. Like the readers, it needs an origin, which only the planner hook can create, and checks no rights.
 */
Datum
pgt_document_candidates(PG_FUNCTION_ARGS)
{
	Oid			type = get_element_type(get_fn_expr_rettype(fcinfo->flinfo));
	char		align;
	Search		search;
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context;
	bool		snapshot = !ActiveSnapshotSet();
	Hits		hits = {0};
	ArrayType  *result;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2) || !OidIsValid(type))
		PG_RETURN_NULL();
	if (snapshot)
		PushActiveSnapshot(GetTransactionSnapshot());
	context = AllocSetContextCreate(caller, "pgtoaster candidates", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(context);
	if (begin(&search, pgt_datum_origin(PG_GETARG_DATUM(0)), PG_GETARG_OID(1)) &&
		!is_rewritten(pgt_doc_node_table(&search.doc)->rel) && !is_rewritten(pgt_doc_head_table(&search.doc)->rel))
		hits = rarest(&search, PG_GETARG_JSONB_P(2));
	get_typlenbyvalalign(type, &search.length, &search.by_value, &align);
	if (hits.forms == NIL)
		find_all(&search);
	else
	{
		fetch(&search, search.doc.node.rel, hits.nodes, PGT_NODE_VALUE, hits.forms, PGT_NODE_DOC, true, sizeof(int64));
		find_owners(&search);
		fetch(&search, search.rows, hits.rows, search.document, list_make1(linitial(hits.forms)), search.key, search.by_value, search.length);
	}
	if (search.count > INT_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows may contain the value")));
	MemoryContextSwitchTo(caller);
	result = construct_array(search.found, (int) search.count, type, search.length, search.by_value, align);
	end(&search);
	MemoryContextDelete(context);
	if (snapshot)
		PopActiveSnapshot();
	PG_RETURN_ARRAYTYPE_P(result);
}
