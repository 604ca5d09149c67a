/*
 * document.c: the functions that the planner hook calls in place of the operators and functions of jsonb. All take
 * where the document comes from, what the row holds of it, and behind their own arguments the key of the row.
 */
#include "rewrite.h"
#include "compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "storage/lmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

/* A document of a row. */
typedef struct Document
{
	PgtOrigin	origin;
	PgtColumn  *column;
	PgtKey		key;
	Jsonb	   *stub;
	const char *kinds;			/* of the steps of the path */
} Document;

PG_FUNCTION_INFO_V1(pgt_origin_in);

Datum
pgt_origin_in(PG_FUNCTION_ARGS)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("a value of type toaster.origin cannot be given"),
			 errhint("Functions that take one are called by the planner, for SET pgtoaster.transparent = on.")));
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

/* Whether a jsonb is, or may be taken for, what a row holds of a split document. */
static bool
has_header(Jsonb *jsonb)
{
	JsonbValue	header;

	return JB_ROOT_IS_OBJECT(jsonb) &&
		getKeyJsonValueFromContainer(&jsonb->root, PGT_MARKER, PGT_MARKER_LEN, &header) != NULL;
}

static void
find_column(Document *document)
{
	char	   *name = get_attname(document->origin.relid, document->origin.attnum, true);

	if (name == NULL)
		elog(ERROR, "column %d of table %u is gone", document->origin.attnum, document->origin.relid);
	document->column = pgt_column(document->origin.relid, name);
	if (document->column->routine != &pgt_keyed)
		elog(ERROR, "%s has another toaster now", pgt_column_text(document->column));
	document->key.count = document->column->key_count;
}

/* Arguments 0 and 1, and the key from argument key on; whether the document is split. */
static bool
begin(Document *document, FunctionCallInfo fcinfo, int key)
{
	memset(document, 0, sizeof(Document));
	document->stub = PG_GETARG_JSONB_P(1);
	if (!has_header(document->stub))
		return false;
	document->origin = pgt_datum_origin(PG_GETARG_DATUM(0));
	find_column(document);
	if (PG_NARGS() - key != document->key.count)
		elog(ERROR, "%s has another key now", pgt_column_text(document->column));
	for (int i = 0; i < document->key.count; i++)
		document->key.values[i] = PG_GETARG_DATUM(key + i);
	return true;
}

/* Takes elements of an array as a path; false if one is NULL. */
static bool
read_path(ArrayType *array, PgtPath *path)
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

typedef PgtOutcome (*Reader) (PgtDoc *doc, void *arg);

static PgtOutcome
read_once(Document *document, bool newest, Reader reader, void *arg)
{
	PgtDoc		doc;
	PgtOutcome	outcome;

	if (newest)
		PushActiveSnapshot(GetTransactionSnapshot());
	pgt_doc_begin(&doc, document->column, &document->key, false);
	doc.stub = document->stub;
	doc.trusted = true;
	doc.kinds = document->kinds;
	outcome = reader(&doc, arg);
	pgt_doc_end(&doc);
	if (newest)
		PopActiveSnapshot();
	return outcome;
}

/* Holds the head's lock, as all who change the document do, until the transaction ends. */
static PgtOutcome
lock(PgtDoc *doc, void *arg)
{
	PgtWalk		walk;
	PgtSteps	none = {0};
	PgtTable   *head;
	PgtOutcome	outcome = pgt_walk_from(doc, doc->stub, &none, 0, true, &walk);

	if (outcome != PGT_APPLIED)
		return outcome;
	head = pgt_doc_head_table(doc);
	LockRelationOid(RelationGetRelid(head->rel), RowShareLock);
	return pgt_lock(head, walk.head, LockTupleNoKeyExclusive) != NULL ? PGT_APPLIED : PGT_FOREIGN;
}

/*
 * Reads a split document, in the snapshot of the statement or, where the row may be newer than that, in one that sees
 * what is committed now. PGT_APPLIED or PGT_MISSING.
 */
static PgtOutcome
read_split(Document *document, Reader reader, void *arg, const char *operation)
{
	uint16		flags = document->origin.flags;
	bool		newest = (flags & (PGT_ORIGIN_NEWEST | PGT_ORIGIN_LOCKED)) != 0;
	PgtOutcome	outcome;

	if (flags & PGT_ORIGIN_LOCKED)
	{
		outcome = read_once(document, true, lock, NULL);
		if (outcome != PGT_APPLIED && outcome != PGT_FOREIGN)
			pgt_raise(outcome, document->column, &document->key, operation);
	}
	outcome = read_once(document, newest, reader, arg);
	if ((outcome == PGT_FOREIGN || outcome == PGT_DAMAGED) && flags != 0)
		outcome = read_once(document, !newest, reader, arg);
	if (outcome > PGT_MISSING)
		pgt_raise(outcome, document->column, &document->key, operation);
	return outcome;
}

typedef struct Value
{
	PgtPath    *path;
	Jsonb	   *result;
} Value;

static PgtOutcome
get_value(PgtDoc *doc, void *arg)
{
	Value	   *value = arg;

	return pgt_doc_get(doc, value->path, &value->result);
}

typedef struct Described
{
	PgtPath    *path;
	bool		sized;
	const char *type;
	int64		count;
} Described;

static PgtOutcome
describe(PgtDoc *doc, void *arg)
{
	Described  *described = arg;

	return pgt_doc_describe(doc, described->path, described->sized, &described->type, &described->count);
}

/* The value at the path that arguments 2 and 3 name, of a document plain or split; NULL if there is none. */
static Jsonb *
get(FunctionCallInfo fcinfo)
{
	Document	document;
	PgtPath		path;
	Value		value = {.path = &path};
	bool		split = begin(&document, fcinfo, 4);

	if (!read_path(PG_GETARG_ARRAYTYPE_P(2), &path))
		return NULL;
	document.kinds = text_to_cstring(PG_GETARG_TEXT_PP(3));
	if (split)
		return read_split(&document, get_value, &value, "reading") == PGT_APPLIED ? value.result : NULL;
	return read_once(&document, false, get_value, &value) == PGT_APPLIED ? value.result : NULL;
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

PG_FUNCTION_INFO_V1(pgt_document_get_text);

Datum
pgt_document_get_text(PG_FUNCTION_ARGS)
{
	Jsonb	   *value = get(fcinfo);
	JsonbValue	scalar;

	if (value == NULL)
		PG_RETURN_NULL();
	if (!JB_ROOT_IS_SCALAR(value))
		PG_RETURN_TEXT_P(cstring_to_text(JsonbToCString(NULL, &value->root, VARSIZE(value))));
	JsonbExtractScalar(&value->root, &scalar);
	if (scalar.type == jbvNull)
		PG_RETURN_NULL();
	if (scalar.type == jbvString)
		PG_RETURN_TEXT_P(cstring_to_text_with_len(scalar.val.string.val, scalar.val.string.len));
	PG_RETURN_TEXT_P(cstring_to_text(JsonbToCString(NULL, &value->root, VARSIZE(value))));
}

static Jsonb *
whole(Document *document)
{
	PgtPath		root = {0};
	Value		value = {.path = &root};

	(void) read_split(document, get_value, &value, "reading");
	return value.result;
}

PG_FUNCTION_INFO_V1(pgt_document_whole);

Datum
pgt_document_whole(PG_FUNCTION_ARGS)
{
	Document	document;

	if (!begin(&document, fcinfo, 2))
		PG_RETURN_JSONB_P(document.stub);
	PG_RETURN_JSONB_P(whole(&document));
}

PG_FUNCTION_INFO_V1(pgt_document_row);

/* A row of the table with the document whole: argument 1 is the row. */
Datum
pgt_document_row(PG_FUNCTION_ARGS)
{
	Document	document = {.origin = pgt_datum_origin(PG_GETARG_DATUM(0))};
	HeapTupleHeader row = PG_GETARG_HEAPTUPLEHEADER(1);
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row), .t_data = row};
	Datum	   *values = palloc(sizeof(Datum) * desc->natts);
	bool	   *nulls = palloc(sizeof(bool) * desc->natts);
	char	   *name = get_attname(document.origin.relid, document.origin.attnum, false);
	int			at = SPI_fnumber(desc, name);

	ItemPointerSetInvalid(&tuple.t_self);
	heap_deform_tuple(&tuple, desc, values, nulls);
	if (at > 0 && !nulls[at - 1])
	{
		document.stub = DatumGetJsonbP(values[at - 1]);
		if (has_header(document.stub))
		{
			find_column(&document);
			for (int i = 0; i < document.key.count; i++)
			{
				AttrNumber	attnum = ((PgtEntry *) document.column)->key_attnums[i];
				int			key = SPI_fnumber(desc, get_attname(document.origin.relid, attnum, false));

				if (key <= 0 || nulls[key - 1])
					elog(ERROR, "a row of %s is without its key", pgt_column_text(document.column));
				document.key.values[i] = values[key - 1];
			}
			values[at - 1] = JsonbPGetDatum(whole(&document));
			row = DatumGetHeapTupleHeader(heap_copy_tuple_as_datum(heap_form_tuple(desc, values, nulls), desc));
		}
	}
	ReleaseTupleDesc(desc);
	PG_RETURN_HEAPTUPLEHEADER(row);
}

/* Notes that a value is set, or removed (value NULL), by the functions of the catalog. */
static Jsonb *
note(Jsonb *stub, Datum *steps, int count, Jsonb *value)
{
	Oid			types[4] = {JSONBOID, TEXTARRAYOID, JSONBOID, BOOLOID};
	Datum		path = PointerGetDatum(construct_array(steps, count, TEXTOID, -1, false, TYPALIGN_INT));

	if (value == NULL)
		return DatumGetJsonbP(OidFunctionCall2(pgt_function("pgtoaster", "remove", 2, types), JsonbPGetDatum(stub), path));
	return DatumGetJsonbP(OidFunctionCall4(pgt_function("pgtoaster", "set", 4, types), JsonbPGetDatum(stub), path,
										   JsonbPGetDatum(value), BoolGetDatum(true)));
}

/* Takes edits that are noted in what the row holds out of it; NULL if there are none. */
static Jsonb *
take_edits(Document *document)
{
	Jsonb	   *stub = document->stub;
	Datum		header = DirectFunctionCall2(jsonb_object_field, JsonbPGetDatum(stub), CStringGetTextDatum(PGT_MARKER));
	JsonbValue	edits;
	JsonbValue	own;

	if (!JB_ROOT_IS_OBJECT(DatumGetJsonbP(header)) ||
		getKeyJsonValueFromContainer(&DatumGetJsonbP(header)->root, "edits", 5, &edits) == NULL ||
		getKeyJsonValueFromContainer(&DatumGetJsonbP(header)->root, "document", 8, &own) == NULL)
		return NULL;
	document->stub = DatumGetJsonbP(DirectFunctionCall4(jsonb_set, JsonbPGetDatum(stub),
														PointerGetDatum(construct_array((Datum[]) {CStringGetTextDatum(PGT_MARKER)}, 1, TEXTOID, -1, false, TYPALIGN_INT)),
														JsonbPGetDatum(JsonbValueToJsonb(&own)), BoolGetDatum(false)));
	return JsonbValueToJsonb(&edits);
}

/* The whole of a split document, with what is noted done. */
static Jsonb *
whole_edited(Document *document)
{
	Jsonb	   *edits = take_edits(document);
	Jsonb	   *result = whole(document);

	Oid			types[2] = {JSONBOID, JSONBOID};

	return edits == NULL ? result
		: DatumGetJsonbP(OidFunctionCall2(pgt_function("pgtoaster", "edited", 2, types), JsonbPGetDatum(result), JsonbPGetDatum(edits)));
}

/* Whether the root of a split document is an object; edits that are noted leave it one. */
static bool
root_is_object(Document *document)
{
	PgtPath		root = {0};
	Described	described = {.path = &root};
	Document	stored = *document;

	(void) take_edits(&stored);
	(void) read_split(&stored, describe, &described, "reading");
	return strcmp(described.type, "object") == 0;
}

PG_FUNCTION_INFO_V1(pgt_document_concat);

/* ||: members of an object are set one by one. */
Datum
pgt_document_concat(PG_FUNCTION_ARGS)
{
	Document	document;
	Jsonb	   *value = PG_GETARG_JSONB_P(2);

	JsonbIterator *members;
	JsonbValue	key;
	JsonbValue	member;
	JsonbIteratorToken token;

	if (!begin(&document, fcinfo, 3))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_concat, JsonbPGetDatum(document.stub), JsonbPGetDatum(value)));
	if (!JB_ROOT_IS_OBJECT(value) || !root_is_object(&document))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_concat, JsonbPGetDatum(whole_edited(&document)), JsonbPGetDatum(value)));
	members = JsonbIteratorInit(&value->root);
	while ((token = JsonbIteratorNext(&members, &key, true)) != WJB_DONE)
	{
		Datum		step;

		if (token != WJB_KEY)
			continue;
		step = PointerGetDatum(cstring_to_text_with_len(key.val.string.val, key.val.string.len));
		(void) JsonbIteratorNext(&members, &member, true);
		document.stub = note(document.stub, &step, 1, JsonbValueToJsonb(&member));
	}
	PG_RETURN_JSONB_P(document.stub);
}

PG_FUNCTION_INFO_V1(pgt_document_delete_key);

/* - text */
Datum
pgt_document_delete_key(PG_FUNCTION_ARGS)
{
	Document	document;
	Datum		key = PG_GETARG_DATUM(2);

	if (!begin(&document, fcinfo, 3))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete, JsonbPGetDatum(document.stub), key));
	if (!root_is_object(&document))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete, JsonbPGetDatum(whole_edited(&document)), key));
	PG_RETURN_JSONB_P(note(document.stub, &key, 1, NULL));
}

PG_FUNCTION_INFO_V1(pgt_document_delete_keys);

/* - text[] */
Datum
pgt_document_delete_keys(PG_FUNCTION_ARGS)
{
	Document	document;
	Datum		keys = PG_GETARG_DATUM(2);
	Datum	   *each;
	bool	   *nulls;
	int			count;

	if (!begin(&document, fcinfo, 3))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete_array, JsonbPGetDatum(document.stub), keys));
	if (ARR_NDIM(DatumGetArrayTypeP(keys)) > 1 || !root_is_object(&document))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete_array, JsonbPGetDatum(whole_edited(&document)), keys));
	deconstruct_array(DatumGetArrayTypeP(keys), TEXTOID, -1, false, TYPALIGN_INT, &each, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			document.stub = note(document.stub, &each[i], 1, NULL);
	PG_RETURN_JSONB_P(document.stub);
}

/* Whether a value can be set in a split document without making anything around it. */
static bool
has_place(Document *document, Datum *steps, int count)
{
	PgtPath		parent = {.length = count - 1};
	Described	described = {.path = &parent,.sized = true};
	char	   *last = TextDatumGetCString(steps[count - 1]);
	char	   *end;
	long		position;

	parent.steps = palloc(sizeof(text *) * count);
	for (int i = 0; i < count - 1; i++)
		parent.steps[i] = DatumGetTextPP(steps[i]);
	if (read_split(document, describe, &described, "reading") != PGT_APPLIED)
		return false;
	if (strcmp(described.type, "array") != 0)
		return strcmp(described.type, "object") == 0;
	errno = 0;
	position = strtol(last, &end, 10);
	return errno == 0 && end != last && *end == '\0' && position >= -described.count && position < described.count;
}

PG_FUNCTION_INFO_V1(pgt_document_assign);

/*
 * SET doc['a'][1] = value: set where its parent is there; what else it makes, parents and elements between, it makes of
 * the whole document. Argument 3 has a character for each subscript, i for a number. Not strict: NULL subscripts are an
 * error, NULL assigned is JSON's null, and a NULL document becomes an array or object.
 */
Datum
pgt_document_assign(PG_FUNCTION_ARGS)
{
	Document	document;
	JsonbValue	assigned;
	JsonbValue	empty = {.type = jbvObject};
	Datum	   *steps;
	bool	   *nulls;
	int			count;
	Jsonb	   *value = PG_ARGISNULL(4) ? DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum("null"))) : PG_GETARG_JSONB_P(4);

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(2), TEXTOID, -1, false, TYPALIGN_INT, &steps, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("jsonb subscript in assignment must not be null")));
	pgt_root_value(value, &assigned);
	if (PG_ARGISNULL(1))
	{
		if (*VARDATA_ANY(PG_GETARG_TEXT_PP(3)) == PGT_STEP_POSITION)
			empty.type = jbvArray;
		return jsonb_set_element(JsonbValueToJsonb(&empty), steps, count, &assigned);
	}
	if (!begin(&document, fcinfo, 5))
		return jsonb_set_element(document.stub, steps, count, &assigned);
	if (take_edits(&document) == NULL && has_place(&document, steps, count))
		PG_RETURN_JSONB_P(note(document.stub, steps, count, value));
	document.stub = PG_GETARG_JSONB_P(1);
	return jsonb_set_element(whole_edited(&document), steps, count, &assigned);
}
