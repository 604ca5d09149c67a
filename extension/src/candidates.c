/*
 * candidates.c: finds the rows whose documents may meet a condition, by the GIN indexes of the column and of the nodes. It
 * looks for one scalar that each such document contains. The caller checks the documents, and which rows its user may see.
 */
#include "candidates.h"
#include "document.h"

#include "access/gin.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/index.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/tidbitmap.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "tsearch/ts_utils.h"
#include "utils/array.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* The search stops at the first scalar that at most this many rows and nodes contain. */
#define RARE 16
/* A search that reads at most this many rows and nodes is always fast enough. */
#define FEW 200

/* One search: the tables, and the keys found. */
typedef struct Search
{
	PgtDoc		doc;			/* opens the tables of the store */
	Relation	rows;
	AttrNumber	document;		/* columns of the table */
	AttrNumber	key;			/* the last column of the row key */
	Oid			row_index;		/* GIN indexes */
	Oid			node_index;
	int16		length;			/* of the type of the key */
	bool		by_value;
	MemoryContext context;		/* for what is found */
	int64		count;
	int64		room;
	Datum	   *found;			/* keys of rows, or numbers of documents */
} Search;

/* Returns true if a GIN index can be used now, and has an operator. */
static bool
is_usable(Relation index, Oid operator)
{
	Form_pg_index form = index->rd_index;

	/* As the planner does, wait for a snapshot that does not need old versions that the index lacks. */
	return index->rd_rel->relam == GIN_AM_OID && form->indisvalid && heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		(!form->indcheckxmin || TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data), TransactionXmin)) &&
		op_in_opfamily(operator, index->rd_opfamily[0]);
}

/* Returns a GIN index that finds the rows whose column contains a value; InvalidOid if there is none. */
static Oid
containment_index(Relation rel, AttrNumber attnum)
{
	List	   *indexes = RelationGetIndexList(rel);
	ListCell   *cell;
	Oid			matches = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("@@")), JSONBOID, JSONPATHOID);
	Oid			found = InvalidOid;

	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		if (index->rd_index->indkey.values[0] == attnum && is_usable(index, matches))
			found = lfirst_oid(cell);
		index_close(index, AccessShareLock);
		if (OidIsValid(found))
			break;
	}
	list_free(indexes);
	return found;
}

/* Returns true if an index of a table has words, of type tsvector, of one column only. */
static bool
has_words(Oid index_id, Relation rel, AttrNumber attnum)
{
	Oid			matches = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("@@")), TSVECTOROID, TSQUERYOID);
	Relation	index;
	Bitmapset  *columns = NULL;
	int			column;
	bool		found;

	if (!OidIsValid(index_id) || IndexGetRelation(index_id, true) != RelationGetRelid(rel))
		return false;
	index = index_open(index_id, AccessShareLock);
	pull_varattnos((Node *) RelationGetIndexExpressions(index), 1, &columns);
	found = index->rd_index->indnkeyatts == 1 && is_usable(index, matches) && bms_get_singleton_member(columns, &column) &&
		column + FirstLowInvalidHeapAttributeNumber == attnum;
	index_close(index, AccessShareLock);
	return found;
}

/* Adds the places of rows that match a form or, in an index of words, a text query; returns their number, which may be too high. */
static int64
add_places(Oid index_id, Datum query, bool words, TIDBitmap *places)
{
	Relation	index = index_open(index_id, AccessShareLock);
	IndexScanDesc scan = pgt_index_beginscan_bitmap(index, GetActiveSnapshot(), 1);
	ScanKeyData key;
	int64		count;

	if (words)
		ScanKeyEntryInitialize(&key, 0, 1, TSearchStrategyNumber, TSQUERYOID, InvalidOid, F_TS_MATCH_VQ, query);
	else
		ScanKeyEntryInitialize(&key, 0, 1, JsonbJsonpathPredicateStrategyNumber, JSONPATHOID, InvalidOid, F_JSONB_PATH_MATCH_OPR, query);
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
matches_any(Jsonb *value, List *forms)
{
	ListCell   *cell;

	foreach(cell, forms)
	{
		NullableDatum matches = pgt_apply_path(jsonb_path_match_opr, value, lfirst(cell));

		if (!matches.isnull && DatumGetBool(matches.value))
			return true;
	}
	return false;
}

/* Adds a column of the rows of these forms, or of all rows at the places if there are none. The index may have too many. */
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

			if (isnull || (forms != NIL && !matches_any(DatumGetJsonbP(value), forms)))
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
			owner = heap_getattr(tuple, PGT_HEAD_OWNER + search->doc.column->key_count - 1, RelationGetDescr(head->rel), &isnull);
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

/* Opens the tables; returns false if they lack indexes. */
static bool
begin(Search *search, PgtOrigin origin, Oid table, PgtProbe *probe)
{
	PgtColumn  *column = pgt_column(origin.relid, get_attname(origin.relid, origin.attnum, false));
	AttrNumber	key = ((PgtEntry *) column)->key_attnums[column->key_count - 1];

	memset(search, 0, sizeof(Search));
	pgt_doc_begin(&search->doc, column, NULL, false);
	search->doc.trusted = true;
	search->rows = table_open(table, AccessShareLock);
	search->document = table == origin.relid ? origin.attnum : get_attnum(table, get_attname(origin.relid, origin.attnum, false));
	search->key = table == origin.relid ? key : get_attnum(table, get_attname(origin.relid, key, false));
	search->context = CurrentMemoryContext;
	if (column->routine != &pgt_keyed || !pgt_is_heap(search->rows))
		return false;
	if (probe != NULL && probe->words != NULL)
	{
		search->row_index = probe->row_index;
		search->node_index = probe->node_index;
		/* The caller chooses the indexes, but may not have the privilege for other columns. */
		return has_words(search->row_index, search->rows, search->document) &&
			has_words(search->node_index, pgt_doc_node_table(&search->doc)->rel, PGT_NODE_VALUE);
	}
	search->row_index = containment_index(search->rows, search->document);
	if (!OidIsValid(search->row_index))
		return false;
	search->node_index = containment_index(pgt_doc_node_table(&search->doc)->rel, PGT_NODE_VALUE);
	return OidIsValid(search->node_index);
}

static void
end(Search *search)
{
	table_close(search->rows, NoLock);
	pgt_doc_end(&search->doc);
}

/* The places of the rows and nodes of some forms. */
typedef struct Hits
{
	PgtForms   *forms;			/* NULL if there are none */
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
rarest(Search *search, PgtProbe *probe)
{
	Hits		best = {0};
	List	   *all = pgt_forms(probe);
	ListCell   *cell;

	foreach(cell, all)
	{
		Hits		hits = {.forms = lfirst(cell),.rows = create_places(),.nodes = create_places()};
		ListCell   *form;

		foreach(form, hits.forms->rows)
			hits.count += add_places(search->row_index, PointerGetDatum(lfirst(form)), false, hits.rows);
		foreach(form, hits.forms->nodes)
			hits.count += add_places(search->node_index, PointerGetDatum(lfirst(form)), false, hits.nodes);
		if (best.forms == NULL || hits.count < best.count)
		{
			Hits		worse = best;

			best = hits;
			hits = worse;
		}
		if (hits.forms != NULL)
		{
			tbm_free(hits.rows);
			tbm_free(hits.nodes);
		}
		if (best.count <= RARE)
			break;
	}
	return best;
}

/* Looks for rows and nodes that match at least one text query. */
static Hits
matching(Search *search, ArrayType *words)
{
	Hits		hits = {.forms = palloc0(sizeof(PgtForms)),.rows = create_places(),.nodes = create_places()};
	Datum	   *queries;
	int			count;

	deconstruct_array(words, TSQUERYOID, -1, false, TYPALIGN_INT, &queries, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		hits.count += add_places(search->row_index, queries[i], true, hits.rows);
		hits.count += add_places(search->node_index, queries[i], true, hits.nodes);
	}
	return hits;
}

/* Returns the number of rows of the table; reading all of them is as fast as a search with more hits. */
static double
estimate_rows(Search *search)
{
	BlockNumber pages;
	double		rows;
	double		visible;

	estimate_rel_size(search->rows, NULL, &pages, &rows, &visible);
	return rows;
}

/* Adds the keys of the rows that may contain a probe; returns false if there are too many, or no index finds them. */
static bool
find(Search *search, PgtProbe *probe, double most)
{
	Hits		hits = probe->words != NULL ? matching(search, probe->words) : rarest(search, probe);

	if (hits.forms == NULL || hits.count > Max(most, FEW))
		return false;
	fetch(search, search->doc.node.rel, hits.nodes, PGT_NODE_VALUE, hits.forms->nodes, PGT_NODE_DOC, true, sizeof(int64));
	find_owners(search);
	fetch(search, search->rows, hits.rows, search->document, hits.forms->rows, search->key, search->by_value, search->length);
	return true;
}

bool
pgt_may_search(PgtOrigin origin, Oid table, PgtProbe *probe, Oid *node)
{
	Search		search;
	bool		may = begin(&search, origin, table, probe);

	if (may && probe != NULL)
	{
		Hits		hits = rarest(&search, probe);

		may = hits.forms != NULL && hits.count <= Max(estimate_rows(&search), FEW);
	}
	*node = search.doc.node.rel != NULL ? RelationGetRelid(search.doc.node.rel) : InvalidOid;
	end(&search);
	return may;
}

ArrayType *
pgt_candidates(PgtOrigin origin, Oid table, PgtProbe *probe, Oid type, double most)
{
	char		align;
	Search		search;
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(caller, "pgtoaster candidates", ALLOCSET_DEFAULT_SIZES);
	ArrayType  *result = NULL;
	bool		searchable;

	MemoryContextSwitchTo(context);
	searchable = begin(&search, origin, table, probe) &&
		!is_rewritten(pgt_doc_node_table(&search.doc)->rel) && !is_rewritten(pgt_doc_head_table(&search.doc)->rel);
	get_typlenbyvalalign(type, &search.length, &search.by_value, &align);
	if (!searchable || !find(&search, probe, most < 0 ? estimate_rows(&search) : most))
	{
		if (most < 0)
			find_all(&search);
		else
			search.count = -1;
	}
	if (search.count > INT_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows may contain the value")));
	MemoryContextSwitchTo(caller);
	if (search.count >= 0)
		result = construct_array(search.found, (int) search.count, type, search.length, search.by_value, align);
	end(&search);
	MemoryContextDelete(context);
	return result;
}

PG_FUNCTION_INFO_V1(pgt_document_candidates);

/*
 * Returns the last column of the keys of all rows of a table for which an operator is true at a path of keys, and possibly
 * of other keys. The last argument only determines the type. Like the readers, it needs an origin, which only the planner
 * hook can create, and checks no rights.
 */
Datum
pgt_document_candidates(PG_FUNCTION_ARGS)
{
	Oid			type = get_element_type(get_fn_expr_rettype(fcinfo->flinfo));
	bool		snapshot = !ActiveSnapshotSet();
	PgtProbe	probe = {0};
	ArrayType  *result;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_ARGISNULL(4) ||
		!OidIsValid(type))
		PG_RETURN_NULL();
	if (snapshot)
		PushActiveSnapshot(GetTransactionSnapshot());
	if (!pgt_read_path(PG_GETARG_ARRAYTYPE_P(2), &probe.path))
		elog(ERROR, "a step is NULL");
	probe.operator = text_to_cstring(PG_GETARG_TEXT_PP(3));
	probe.value = PG_GETARG_DATUM(4);
	result = pgt_candidates(pgt_datum_origin(PG_GETARG_DATUM(0)), PG_GETARG_OID(1), &probe, type, -1);
	if (snapshot)
		PopActiveSnapshot();
	PG_RETURN_ARRAYTYPE_P(result);
}
