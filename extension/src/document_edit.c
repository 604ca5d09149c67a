/*
 * document_edit.c: computes the new value for an UPDATE of a document with jsonb_set, jsonb_insert, #-, ||, - or
 * subscripts: a noted edit (document/edits.sql) if that has the same result, otherwise the whole document.
 */
#include "attached.h"
#include "document.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/fmgrprotos.h"

/* Notes an edit in the row content of a split document (document/edits.sql). */
static Jsonb *
note(Jsonb *stub, const char *edit, Datum path, Jsonb *value, bool flag)
{
	Oid			types[5] = {JSONBOID, TEXTOID, TEXTARRAYOID, JSONBOID, BOOLOID};

	return DatumGetJsonbP(OidFunctionCall5(pgt_catalog_function("note_edit", JSONBOID, 5, types), JsonbPGetDatum(stub), CStringGetTextDatum(edit), path,
										   JsonbPGetDatum(value), BoolGetDatum(flag)));
}

static Datum
path_of(Datum *steps, int count)
{
	return PointerGetDatum(construct_array(steps, count, TEXTOID, -1, false, TYPALIGN_INT));
}

static Jsonb *
json_null(void)
{
	return DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum("null")));
}

PG_FUNCTION_INFO_V1(pgt_document_set);

/*
 * jsonb_set. Like the server's own functions, this function and the ones below are strict, so that the planner knows
 * which results are NULL.
 */
Datum
pgt_document_set(PG_FUNCTION_ARGS)
{
	if (!pgt_has_header(PG_GETARG_JSONB_P(0)))
		return jsonb_set(fcinfo);
	PG_RETURN_JSONB_P(note(PG_GETARG_JSONB_P(0), "set", PG_GETARG_DATUM(1), PG_GETARG_JSONB_P(2), PG_GETARG_BOOL(3)));
}

PG_FUNCTION_INFO_V1(pgt_document_insert);

/* jsonb_insert */
Datum
pgt_document_insert(PG_FUNCTION_ARGS)
{
	if (!pgt_has_header(PG_GETARG_JSONB_P(0)))
		return jsonb_insert(fcinfo);
	PG_RETURN_JSONB_P(note(PG_GETARG_JSONB_P(0), "insert", PG_GETARG_DATUM(1), PG_GETARG_JSONB_P(2), PG_GETARG_BOOL(3)));
}

PG_FUNCTION_INFO_V1(pgt_document_remove);

/* #- */
Datum
pgt_document_remove(PG_FUNCTION_ARGS)
{
	if (!pgt_has_header(PG_GETARG_JSONB_P(0)))
		return jsonb_delete_path(fcinfo);
	PG_RETURN_JSONB_P(note(PG_GETARG_JSONB_P(0), "remove", PG_GETARG_DATUM(1), json_null(), false));
}

/* Removes the noted edits from the row content and returns them; NULL if the row has none. */
static Jsonb *
take_edits(PgtDocument *document)
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
														path_of((Datum[]) {CStringGetTextDatum(PGT_MARKER)}, 1),
														JsonbPGetDatum(JsonbValueToJsonb(&own)), BoolGetDatum(false)));
	return JsonbValueToJsonb(&edits);
}

/* Returns the whole of a split document with the noted edits applied. */
static Jsonb *
whole_edited(PgtDocument *document)
{
	Jsonb	   *edits = take_edits(document);
	Jsonb	   *result = pgt_document_all(document);

	Oid			types[2] = {JSONBOID, JSONBOID};

	return edits == NULL ? result
		: DatumGetJsonbP(OidFunctionCall2(pgt_catalog_function("edited", JSONBOID, 2, types), JsonbPGetDatum(result), JsonbPGetDatum(edits)));
}

/* Returns true if the root of a split document is an object; noted edits do not change that. */
static bool
root_is_object(PgtDocument *document)
{
	PgtPath		root = {0};
	PgtDescribed	described = {.path = &root};
	PgtDocument	stored = *document;

	/* A root with members in the row, apart from its header, is an object. */
	if (JB_ROOT_COUNT(document->stub) > 1)
		return true;

	(void) take_edits(&stored);
	(void) pgt_read_split(&stored, pgt_describe_value, &described, "reading");
	return strcmp(described.type, "object") == 0;
}

PG_FUNCTION_INFO_V1(pgt_document_concat);

/* ||: sets the members of an object one by one. */
Datum
pgt_document_concat(PG_FUNCTION_ARGS)
{
	PgtDocument	document;
	Jsonb	   *value = PG_GETARG_JSONB_P(2);

	JsonbIterator *members;
	JsonbValue	key;
	JsonbValue	member;
	JsonbIteratorToken token;

	if (!pgt_document_begin(&document, fcinfo, 3))
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
		document.stub = note(document.stub, "set", path_of(&step, 1), JsonbValueToJsonb(&member), true);
	}
	PG_RETURN_JSONB_P(document.stub);
}

PG_FUNCTION_INFO_V1(pgt_document_delete_key);

/* - text */
Datum
pgt_document_delete_key(PG_FUNCTION_ARGS)
{
	PgtDocument	document;
	Datum		key = PG_GETARG_DATUM(2);

	if (!pgt_document_begin(&document, fcinfo, 3))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete, JsonbPGetDatum(document.stub), key));
	if (!root_is_object(&document))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete, JsonbPGetDatum(whole_edited(&document)), key));
	PG_RETURN_JSONB_P(note(document.stub, "remove", path_of(&key, 1), json_null(), false));
}

PG_FUNCTION_INFO_V1(pgt_document_delete_keys);

/* - text[] */
Datum
pgt_document_delete_keys(PG_FUNCTION_ARGS)
{
	PgtDocument	document;
	Datum		keys = PG_GETARG_DATUM(2);
	Datum	   *each;
	bool	   *nulls;
	int			count;

	if (!pgt_document_begin(&document, fcinfo, 3))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete_array, JsonbPGetDatum(document.stub), keys));
	if (ARR_NDIM(DatumGetArrayTypeP(keys)) > 1 || !root_is_object(&document))
		PG_RETURN_DATUM(DirectFunctionCall2(jsonb_delete_array, JsonbPGetDatum(whole_edited(&document)), keys));
	deconstruct_array(DatumGetArrayTypeP(keys), TEXTOID, -1, false, TYPALIGN_INT, &each, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			document.stub = note(document.stub, "remove", path_of(&each[i], 1), json_null(), false);
	PG_RETURN_JSONB_P(document.stub);
}

/* Returns true if a value can be set in a split document without creating parents or elements. */
static bool
has_place(PgtDocument *document, Datum *steps, int count)
{
	PgtPath		parent = {.length = count - 1};
	PgtDescribed	described = {.path = &parent,.sized = true};
	char	   *last = TextDatumGetCString(steps[count - 1]);
	char	   *end;
	long		position;

	parent.steps = palloc(sizeof(text *) * count);
	for (int i = 0; i < count - 1; i++)
		parent.steps[i] = DatumGetTextPP(steps[i]);
	if (pgt_read_split(document, pgt_describe_value, &described, "reading") != PGT_APPLIED)
		return false;
	if (strcmp(described.type, "array") != 0)
		return strcmp(described.type, "object") == 0;
	errno = 0;
	position = strtol(last, &end, 10);
	return errno == 0 && end != last && *end == '\0' && position >= -described.count && position < described.count;
}

PG_FUNCTION_INFO_V1(pgt_document_assign);

/*
 * SET doc['a'][1] = value: notes an edit if the parent exists. Otherwise parents, or elements in between, must be
 * created, and the result is the whole document. Argument 3 has one character for each subscript; i is an integer.
 * The function is not strict: a NULL subscript is an error, assigning NULL sets JSON null, and a NULL document
 * becomes an array or object.
 */
Datum
pgt_document_assign(PG_FUNCTION_ARGS)
{
	PgtDocument	document;
	JsonbValue	assigned;
	JsonbValue	empty = {.type = jbvObject};
	Datum	   *steps;
	bool	   *nulls;
	int			count;
	Jsonb	   *value;

	/* The planner hook passes these arguments. */
	if (PG_ARGISNULL(0) || PG_ARGISNULL(2) || PG_ARGISNULL(3))
		PG_RETURN_NULL();
	value = PG_ARGISNULL(4) ? json_null() : PG_GETARG_JSONB_P(4);

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
	if (!pgt_document_begin(&document, fcinfo, 5))
		return jsonb_set_element(document.stub, steps, count, &assigned);
	if (take_edits(&document) == NULL && has_place(&document, steps, count))
		PG_RETURN_JSONB_P(note(document.stub, "set", path_of(steps, count), value, true));
	document.stub = PG_GETARG_JSONB_P(1);
	return jsonb_set_element(whole_edited(&document), steps, count, &assigned);
}
