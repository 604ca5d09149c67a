/*
 * document.c: the functions that the planner hook calls instead of the operators and functions of jsonb. All receive
 * the origin of the document, the content of the row and, after their own arguments, the key of the row.
 */
#include "document.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "storage/lmgr.h"
#include "utils/array.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

PG_FUNCTION_INFO_V1(pgt_origin_in);

Datum
pgt_origin_in(PG_FUNCTION_ARGS)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("a value of type toaster.origin cannot be entered"),
			 errhint("Only the planner calls functions that take such a value, for SET pgtoaster.transparent = on.")));
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(pgt_origin_out);

/* For EXPLAIN (VERBOSE). */
Datum
pgt_origin_out(PG_FUNCTION_ARGS)
{
	PgtOrigin	origin = pgt_datum_origin(PG_GETARG_DATUM(0));
	char	   *table = get_rel_name(origin.relid);
	char	   *column = get_attname(origin.relid, origin.attnum, true);

	PG_RETURN_CSTRING(psprintf("%s.%s", table != NULL ? table : "?", column != NULL ? column : "?"));
}

bool
pgt_has_header(Jsonb *jsonb)
{
	JsonbValue	header;

	return JB_ROOT_IS_OBJECT(jsonb) &&
		getKeyJsonValueFromContainer(&jsonb->root, PGT_MARKER, PGT_MARKER_LEN, &header) != NULL;
}

static void
find_column(PgtDocument *document)
{
	char	   *name = get_attname(document->origin.relid, document->origin.attnum, true);

	if (name == NULL)
		elog(ERROR, "column %d of table %u no longer exists", document->origin.attnum, document->origin.relid);
	document->column = pgt_column(document->origin.relid, name);
	if (document->column->routine != &pgt_keyed)
		elog(ERROR, "%s now has a different toaster", pgt_column_text(document->column));
	document->key.count = document->column->key_count;
}

/* The key in the catalog has changed since the statement was planned. */
static void
other_key(PgtColumn *column)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the row key of %s has changed since the statement was prepared", pgt_column_text(column)),
			 errhint("Prepare the statement again, or DISCARD PLANS.")));
}

bool
pgt_document_begin(PgtDocument *document, FunctionCallInfo fcinfo, int key)
{
	int			behind = PG_NARGS();

	memset(document, 0, sizeof(PgtDocument));
	document->stub = PG_GETARG_JSONB_P(1);
	if (!pgt_has_header(document->stub))
		return false;
	document->origin = pgt_datum_origin(PG_GETARG_DATUM(0));
	find_column(document);
	if ((document->origin.flags & PGT_ORIGIN_IN_ROW) != 0)
	{
		behind -= 2;
		document->table = PG_GETARG_OID(behind);
		document->row = *(ItemPointer) PG_GETARG_POINTER(behind + 1);
	}
	if (behind - key != document->key.count)
		other_key(document->column);
	for (int i = 0; i < document->key.count; i++)
	{
		if (get_fn_expr_argtype(fcinfo->flinfo, key + i) != document->column->key_types[i])
			other_key(document->column);
		document->key.values[i] = PG_GETARG_DATUM(key + i);
	}
	return true;
}

bool
pgt_read_path(ArrayType *array, PgtPath *path)
{
	Datum	   *steps;
	bool	   *nulls;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &steps, &nulls, &path->length);
	path->steps = palloc(sizeof(text *) * Max(path->length, 1));
	for (int i = 0; i < path->length; i++)
	{
		if (nulls[i])
			return false;
		path->steps[i] = DatumGetTextPP(steps[i]);
	}
	return true;
}

/* Looks up the head of the document. */
static PgtOutcome
find_head(PgtDoc *doc, PgtWalk *walk)
{
	PgtSteps	none = {0};
	PgtOutcome	outcome = pgt_walk_from(doc, doc->stub, &none, 0, false, walk);

	if (outcome == PGT_APPLIED && walk->head == NULL)
		outcome = pgt_doc_head(doc, walk->document, &walk->head, &walk->generation);
	return outcome;
}

PgtOutcome
pgt_read_once(PgtDocument *document, bool newest, PgtReader reader, void *arg)
{
	PgtDoc		doc;
	PgtWalk		walk;
	PgtOutcome	outcome;

	if (newest)
	{
		CommandId	statement = GetActiveSnapshot()->curcid;

		PushCopiedSnapshot(GetTransactionSnapshot());
		/*
		 * The statement may have waited for another transaction. Then show that transaction's changes, but not the
		 * statement's own edits.
		 */
		if ((document->origin.flags & PGT_ORIGIN_OLD) != 0)
			GetActiveSnapshot()->curcid = statement;
	}
	pgt_doc_begin(&doc, document->column, &document->key, false);
	doc.stub = document->stub;
	doc.trusted = true;
	doc.kinds = document->kinds;
	if (document->column != NULL && !newest)
		pgt_share(&doc);
	outcome = reader(&doc, arg);
	/* A value that has the reserved key but is not a document is not damaged, whatever it contains. */
	if (outcome == PGT_DAMAGED && document->column != NULL && find_head(&doc, &walk) == PGT_FOREIGN)
		outcome = PGT_FOREIGN;
	pgt_doc_end(&doc);
	if (newest)
		PopActiveSnapshot();
	return outcome;
}

/*
 * Locks the row, as the UPDATE will do next, because all writers of the row lock it before the head. Returns false if
 * the row now has a newer version; the UPDATE will find that version and start again with it, or fail.
 */
static bool
lock_row(PgtDocument *document)
{
	Relation	rel;
	TupleTableSlot *slot;
	TM_FailureData failure;
	TM_Result	result;

	/* If the UPDATE has restarted with another version of the row, that version is locked, and its position is not
	 * known. */
	if (!OidIsValid(document->table))
		return true;
	rel = table_open(document->table, NoLock);
	/* The row may be in a child table on another server. */
	if (rel->rd_rel->relkind != RELKIND_RELATION)
	{
		table_close(rel, NoLock);
		return false;
	}
	slot = table_slot_create(rel, NULL);
	result = table_tuple_lock(rel, &document->row, GetActiveSnapshot(), slot, GetCurrentCommandId(false),
							  LockTupleNoKeyExclusive, LockWaitBlock, 0, &failure);

	ExecDropSingleTupleTableSlot(slot);
	table_close(rel, NoLock);
	return result == TM_Ok || result == TM_SelfModified;
}

/* Returns true if the statement's snapshot shows the row: the statement did not wait for this version. */
static bool
is_of_snapshot(PgtDocument *document)
{
	Relation	rel;
	TupleTableSlot *slot;
	bool		shown;

	/* As in lock_row. */
	if (!OidIsValid(document->table))
		return false;
	rel = table_open(document->table, NoLock);
	slot = table_slot_create(rel, NULL);
	shown = rel->rd_rel->relkind != RELKIND_RELATION || table_tuple_fetch_row_version(rel, &document->row, GetActiveSnapshot(), slot);
	ExecDropSingleTupleTableSlot(slot);
	table_close(rel, NoLock);
	return shown;
}

/* Locks the head, so that nobody changes the document until the transaction ends. */
static PgtOutcome
lock_head(PgtDoc *doc, void *arg)
{
	PgtWalk		walk;
	PgtTable   *head;
	PgtOutcome	outcome = find_head(doc, &walk);

	if (outcome != PGT_APPLIED)
		return outcome;
	head = pgt_doc_head_table(doc);
	LockRelationOid(RelationGetRelid(head->rel), RowShareLock);
	return pgt_lock(head, walk.head, LockTupleExclusive) != NULL ? PGT_APPLIED : PGT_FOREIGN;
}

/* Returns the number in a header, or -1. */
static int64
number_of(Jsonb *stub)
{
	JsonbValue	header;

	if (!JB_ROOT_IS_OBJECT(stub) || getKeyJsonValueFromContainer(&stub->root, PGT_MARKER, PGT_MARKER_LEN, &header) == NULL ||
		!pgt_is_array(&header))
		return -1;
	return pgt_branch_number(getIthJsonbValueFromContainer(header.val.binary.data, 0));
}

/* Replaces the row's key with the key in the head. */
static PgtOutcome
take_key(PgtDoc *doc, void *arg)
{
	PgtDocument *document = arg;
	PgtTable   *table = pgt_doc_head_table(doc);
	TupleDesc	desc = RelationGetDescr(table->rel);
	ScanKeyData key;
	PgtPlace	place = {0};
	HeapTuple	head;
	bool		isnull = false;

	pgt_key_equals(table, &key, PGT_HEAD_ID, INT8OID, Int64GetDatum(number_of(document->stub)));
	head = pgt_row(table->rel, table->index, GetActiveSnapshot(), 1, &key, &place);
	for (int i = 0; head != NULL && i < document->key.count && !isnull; i++)
		document->key.values[i] = heap_getattr(head, PGT_HEAD_OWNER + i, desc, &isnull);
	return head != NULL && !isnull ? PGT_APPLIED : PGT_FOREIGN;
}

/*
 * RETURNING for a row whose key has just changed: a later trigger updates the key in the head. The document belongs
 * to this row if the row that the head names contains it. Read that row as the statement and its user see it.
 */
static bool
had_other_key(PgtDocument *document)
{
	PgtOwnerRow row;

	return pgt_read_once(document, true, take_key, document) == PGT_APPLIED &&
		pgt_owner_read(document->column, &document->key, &row) && !row.isnull &&
		number_of(DatumGetJsonbP(row.value)) == number_of(document->stub);
}

PgtOutcome
pgt_read_split(PgtDocument *document, PgtReader reader, void *arg, const char *operation)
{
	uint16		flags = document->origin.flags;
	bool		newest = (flags & (PGT_ORIGIN_NEWEST | PGT_ORIGIN_OLD)) != 0;
	PgtOutcome	outcome;

	if ((flags & PGT_ORIGIN_LOCKED) != 0)
	{
		newest = (flags & PGT_ORIGIN_IN_ROW) == 0 || lock_row(document);
		if (newest)
		{
			outcome = pgt_read_once(document, true, lock_head, NULL);
			if (outcome != PGT_APPLIED && outcome != PGT_FOREIGN)
				pgt_raise(outcome, document->column, &document->key, operation);
		}
	}
	else if ((flags & PGT_ORIGIN_IN_ROW) != 0)
		newest = !is_of_snapshot(document);
	outcome = pgt_read_once(document, newest, reader, arg);
	if ((outcome == PGT_FOREIGN || outcome == PGT_DAMAGED) && flags != 0)
		outcome = pgt_read_once(document, !newest, reader, arg);
	if (outcome == PGT_FOREIGN && (flags & PGT_ORIGIN_NEWEST) != 0 && had_other_key(document))
		outcome = pgt_read_once(document, true, reader, arg);
	if (outcome > PGT_MISSING)
		pgt_raise(outcome, document->column, &document->key, operation);
	return outcome;
}

PgtOutcome
pgt_get_value(PgtDoc *doc, void *arg)
{
	PgtValue	   *value = arg;

	return pgt_doc_get(doc, value->path, MaxAllocSize, &value->result);
}

PgtOutcome
pgt_describe_value(PgtDoc *doc, void *arg)
{
	PgtDescribed  *described = arg;

	return pgt_doc_describe(doc, described->path, described->sized, &described->type, &described->count);
}

/*
 * Returns the value at the path in arguments 2 and 3 of a document, plain or split; NULL if the path finds nothing.
 */
static Jsonb *
get(FunctionCallInfo fcinfo)
{
	PgtDocument	document;
	PgtPath		path;
	PgtValue		value = {.path = &path};
	bool		split = pgt_document_begin(&document, fcinfo, 4);

	if (!pgt_read_path(PG_GETARG_ARRAYTYPE_P(2), &path))
		return NULL;
	document.kinds = text_to_cstring(PG_GETARG_TEXT_PP(3));
	if (split)
		return pgt_read_split(&document, pgt_get_value, &value, "reading") == PGT_APPLIED ? value.result : NULL;
	return pgt_read_once(&document, false, pgt_get_value, &value) == PGT_APPLIED ? value.result : NULL;
}

PG_FUNCTION_INFO_V1(pgt_document_get);

Datum
pgt_document_get(PG_FUNCTION_ARGS)
{
	Jsonb	   *value = get(fcinfo);

	if (value == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(value);
}

/* Converts a value to text as ->> does. */
static Datum
text_of(FunctionCallInfo fcinfo, Jsonb *value)
{
	JsonbValue	scalar;

	if (value == NULL)
		PG_RETURN_NULL();
	if (JB_ROOT_IS_SCALAR(value))
	{
		JsonbExtractScalar(&value->root, &scalar);
		if (scalar.type == jbvNull)
			PG_RETURN_NULL();
		if (scalar.type == jbvString)
			PG_RETURN_TEXT_P(cstring_to_text_with_len(scalar.val.string.val, scalar.val.string.len));
	}
	PG_RETURN_TEXT_P(cstring_to_text(JsonbToCString(NULL, &value->root, VARSIZE(value))));
}

PG_FUNCTION_INFO_V1(pgt_document_get_text);

Datum
pgt_document_get_text(PG_FUNCTION_ARGS)
{
	return text_of(fcinfo, get(fcinfo));
}

/*
 * Returns the value at a path of the whole document in argument 0: argument 1 is the path, argument 2 the kinds of its
 * steps.
 */
static Jsonb *
get_of_value(FunctionCallInfo fcinfo)
{
	PgtDocument document = {.stub = PG_GETARG_JSONB_P(0),.kinds = text_to_cstring(PG_GETARG_TEXT_PP(2))};
	PgtPath		path;
	PgtValue	value = {.path = &path};

	return pgt_read_path(PG_GETARG_ARRAYTYPE_P(1), &path) && pgt_read_once(&document, false, pgt_get_value, &value) == PGT_APPLIED
		? value.result : NULL;
}

PG_FUNCTION_INFO_V1(pgt_value_get);

Datum
pgt_value_get(PG_FUNCTION_ARGS)
{
	Jsonb	   *value = get_of_value(fcinfo);

	if (value == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(value);
}

PG_FUNCTION_INFO_V1(pgt_value_get_text);

Datum
pgt_value_get_text(PG_FUNCTION_ARGS)
{
	return text_of(fcinfo, get_of_value(fcinfo));
}

Jsonb *
pgt_document_all(PgtDocument *document)
{
	PgtPath		root = {0};
	PgtValue		value = {.path = &root};

	(void) pgt_read_split(document, pgt_get_value, &value, "reading");
	return value.result;
}

PG_FUNCTION_INFO_V1(pgt_document_whole);

Datum
pgt_document_whole(PG_FUNCTION_ARGS)
{
	PgtDocument	document;

	if (!pgt_document_begin(&document, fcinfo, 2))
		PG_RETURN_JSONB_P(document.stub);
	PG_RETURN_JSONB_P(pgt_document_all(&document));
}

PG_FUNCTION_INFO_V1(pgt_document_row);

/* Returns a row of the table with the whole document: argument 1 is the row. */
Datum
pgt_document_row(PG_FUNCTION_ARGS)
{
	PgtDocument	document = {.origin = pgt_datum_origin(PG_GETARG_DATUM(0))};
	HeapTupleHeader row = PG_GETARG_HEAPTUPLEHEADER(1);
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row), .t_data = row};
	Datum	   *values = palloc(sizeof(Datum) * desc->natts);
	bool	   *nulls = palloc(sizeof(bool) * desc->natts);
	char	   *name = get_attname(document.origin.relid, document.origin.attnum, false);
	int			at = SPI_fnumber(desc, name);

	ItemPointerSetInvalid(&tuple.t_self);
	heap_deform_tuple(&tuple, desc, values, nulls);
	if (at > 0 && !nulls[at - 1] && SPI_gettypeid(desc, at) == JSONBOID)
	{
		document.stub = DatumGetJsonbP(values[at - 1]);
		if (pgt_has_header(document.stub))
		{
			find_column(&document);
			for (int i = 0; i < document.key.count; i++)
			{
				AttrNumber	attnum = ((PgtEntry *) document.column)->key_attnums[i];
				int			key = SPI_fnumber(desc, get_attname(document.origin.relid, attnum, false));

				if (key <= 0 || nulls[key - 1] || SPI_gettypeid(desc, key) != document.column->key_types[i])
					elog(ERROR, "a row of %s does not have its key", pgt_column_text(document.column));
				document.key.values[i] = values[key - 1];
			}
			values[at - 1] = JsonbPGetDatum(pgt_document_all(&document));
			row = DatumGetHeapTupleHeader(heap_copy_tuple_as_datum(heap_form_tuple(desc, values, nulls), desc));
		}
	}
	ReleaseTupleDesc(desc);
	PG_RETURN_HEAPTUPLEHEADER(row);
}
