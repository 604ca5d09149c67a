/*
 * document_ask.c: answers questions about a value in a document without reading all of it: its type, length and keys,
 * and what it contains. Also reads single members, and elements one by one.
 */
#include "document.h"
#include "rewrite.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/fmgrprotos.h"

/* Number of elements of an array that are read at once. */
#define BATCH 256

/* A document, plain or split, and a path in it. */
typedef struct Place
{
	PgtDocument document;
	bool		split;
	PgtPath		path;
} Place;

/*
 * Reads arguments 0 to 3, and the key from argument number key on. Returns false if a step is NULL: such a path finds
 * nothing.
 */
static bool
find_place(Place *place, FunctionCallInfo fcinfo, int key)
{
	place->split = pgt_document_begin(&place->document, fcinfo, key);
	place->document.kinds = text_to_cstring(PG_GETARG_TEXT_PP(3));
	return pgt_read_path(PG_GETARG_ARRAYTYPE_P(2), &place->path);
}

static PgtOutcome
ask(Place *place, PgtReader reader, void *arg)
{
	return place->split ? pgt_read_split(&place->document, reader, arg, "reading")
		: pgt_read_once(&place->document, false, reader, arg);
}

static Jsonb *
value_at(Place *place)
{
	PgtValue	value = {.path = &place->path};

	return ask(place, pgt_get_value, &value) == PGT_APPLIED ? value.result : NULL;
}

/* Sets the type of the value at a place and, for a container, its size; returns false if the value does not exist. */
static bool
describe(Place *place, bool sized, PgtDescribed *described)
{
	described->path = &place->path;
	described->sized = sized;
	/* A root with members in the row, apart from its header, is an object. */
	if (place->split && !sized && place->path.length == 0 && JB_ROOT_COUNT(place->document.stub) > 1)
	{
		described->type = "object";
		return true;
	}
	return ask(place, pgt_describe_value, described) == PGT_APPLIED;
}

/* Returns the place of a member, given the place of its object. */
static Place
member_of(Place *object, text *key)
{
	Place		member = *object;
	int			length = object->path.length;
	char	   *kinds = palloc(length + 2);

	memset(kinds, 'p', length);
	memcpy(kinds, object->document.kinds, strnlen(object->document.kinds, length));
	kinds[length] = PGT_STEP_KEY;
	kinds[length + 1] = '\0';
	member.document.kinds = kinds;
	member.path.length = length + 1;
	member.path.steps = palloc(sizeof(text *) * (length + 1));
	for (int i = 0; i < length; i++)
		member.path.steps[i] = object->path.steps[i];
	member.path.steps[length] = key;
	return member;
}

PG_FUNCTION_INFO_V1(pgt_document_typeof);

Datum
pgt_document_typeof(PG_FUNCTION_ARGS)
{
	Place		place;
	PgtDescribed described = {0};

	if (!find_place(&place, fcinfo, 4) || !describe(&place, false, &described))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(described.type));
}

PG_FUNCTION_INFO_V1(pgt_document_array_length);

Datum
pgt_document_array_length(PG_FUNCTION_ARGS)
{
	Place		place;
	PgtDescribed described = {0};

	if (!find_place(&place, fcinfo, 4) || !describe(&place, true, &described))
		PG_RETURN_NULL();
	if (strcmp(described.type, "array") != 0)
		/* Let PostgreSQL raise its own error. */
		return DirectFunctionCall1(jsonb_array_length, DirectFunctionCall1(jsonb_in, CStringGetDatum(
			strcmp(described.type, "object") == 0 ? "{}" : "0")));
	PG_RETURN_INT32((int32) described.count);
}

/* ?, ?| and ?&: looks up each key of an object; reads any other value. */
static Datum
exists(FunctionCallInfo fcinfo, PGFunction operator, int count, Datum *keys, bool *nulls, bool all)
{
	Place		place;
	PgtDescribed described = {0};

	if (!find_place(&place, fcinfo, 5) || !describe(&place, false, &described))
		PG_RETURN_NULL();
	if (strcmp(described.type, "object") != 0)
		return DirectFunctionCall2(operator, JsonbPGetDatum(value_at(&place)), PG_GETARG_DATUM(4));
	for (int i = 0; i < count; i++)
		if (nulls == NULL || !nulls[i])
		{
			Place		member = member_of(&place, DatumGetTextPP(keys[i]));

			if (describe(&member, false, &described) != all)
				PG_RETURN_BOOL(!all);
		}
	PG_RETURN_BOOL(all);
}

PG_FUNCTION_INFO_V1(pgt_document_exists);

Datum
pgt_document_exists(PG_FUNCTION_ARGS)
{
	Datum		key = PG_GETARG_DATUM(4);

	return exists(fcinfo, jsonb_exists, 1, &key, NULL, false);
}

static Datum
exists_some(FunctionCallInfo fcinfo, PGFunction operator, bool all)
{
	Datum	   *keys;
	bool	   *nulls;
	int			count;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(4), TEXTOID, -1, false, TYPALIGN_INT, &keys, &nulls, &count);
	return exists(fcinfo, operator, count, keys, nulls, all);
}

PG_FUNCTION_INFO_V1(pgt_document_exists_any);

Datum
pgt_document_exists_any(PG_FUNCTION_ARGS)
{
	return exists_some(fcinfo, jsonb_exists_any, false);
}

PG_FUNCTION_INFO_V1(pgt_document_exists_all);

Datum
pgt_document_exists_all(PG_FUNCTION_ARGS)
{
	return exists_some(fcinfo, jsonb_exists_all, true);
}

/* Returns the object at a place with only some of its members; any other value unchanged. */
static Jsonb *
some_members(Place *place, int count, Datum *keys)
{
	PgtDescribed described = {0};
	JsonbValue	object = {.type = jbvObject,.val.object.pairs = palloc(sizeof(JsonbPair))};

	if (!place->split && place->path.length == 0)
		return place->document.stub;
	if (!describe(place, false, &described))
		return NULL;
	if (strcmp(described.type, "object") != 0)
		return value_at(place);
	for (int i = 0; i < count; i++)
	{
		text	   *key = DatumGetTextPP(keys[i]);
		Place		member = member_of(place, key);
		Jsonb	   *value = value_at(&member);
		JsonbValue	part;

		if (value == NULL)
			continue;
		pgt_root_value(value, &part);
		pgt_json_put_member(&object, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key), &part);
	}
	return pgt_json_form(&object);
}

PG_FUNCTION_INFO_V1(pgt_document_contains);

/* @>: reads only the members of an object that the right operand names. */
Datum
pgt_document_contains(PG_FUNCTION_ARGS)
{
	Place		place;
	Jsonb	   *probe = PG_GETARG_JSONB_P(4);
	Jsonb	   *value;

	if (!find_place(&place, fcinfo, 5))
		PG_RETURN_NULL();
	if (JB_ROOT_IS_OBJECT(probe))
	{
		JsonbIterator *members = JsonbIteratorInit(&probe->root);
		Datum	   *keys = palloc(sizeof(Datum) * Max(JB_ROOT_COUNT(probe), 1));
		int			count = 0;
		JsonbValue	part;
		JsonbIteratorToken token;

		while ((token = JsonbIteratorNext(&members, &part, true)) != WJB_DONE)
			if (token == WJB_KEY)
				keys[count++] = PointerGetDatum(cstring_to_text_with_len(part.val.string.val, part.val.string.len));
		value = some_members(&place, count, keys);
	}
	else
		value = value_at(&place);
	if (value == NULL)
		PG_RETURN_NULL();
	return DirectFunctionCall2(jsonb_contains, JsonbPGetDatum(value), JsonbPGetDatum(probe));
}

/* @? and @@: reads only the members of an object that the jsonpath names. */
static Datum
apply_path(FunctionCallInfo fcinfo, PGFunction operator)
{
	Place		place;
	JsonPath   *path = PG_GETARG_JSONPATH_P(4);
	List	   *keys = NIL;
	Jsonb	   *value;
	NullableDatum result;

	if (!find_place(&place, fcinfo, 5))
		PG_RETURN_NULL();
	if (pgt_path_members(path, &keys))
	{
		Datum	   *members = palloc(sizeof(Datum) * Max(list_length(keys), 1));
		ListCell   *cell;

		foreach(cell, keys)
			members[foreach_current_index(cell)] = PointerGetDatum(lfirst(cell));
		value = some_members(&place, list_length(keys), members);
	}
	else
		value = value_at(&place);
	if (value == NULL)
		PG_RETURN_NULL();
	result = pgt_apply_path(operator, value, path);
	fcinfo->isnull = result.isnull;
	return result.value;
}

PG_FUNCTION_INFO_V1(pgt_document_path_exists);

Datum
pgt_document_path_exists(PG_FUNCTION_ARGS)
{
	return apply_path(fcinfo, jsonb_path_exists_opr);
}

PG_FUNCTION_INFO_V1(pgt_document_path_match);

Datum
pgt_document_path_match(PG_FUNCTION_ARGS)
{
	return apply_path(fcinfo, jsonb_path_match_opr);
}

PG_FUNCTION_INFO_V1(pgt_document_members);

/* Returns the document with only some members, for a jsonpath that uses no others. */
Datum
pgt_document_members(PG_FUNCTION_ARGS)
{
	Place		place = {.document.kinds = ""};
	Datum	   *keys;
	int			count;

	place.split = pgt_document_begin(&place.document, fcinfo, 3);
	place.document.kinds = "";
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(2), TEXTOID, -1, false, TYPALIGN_INT, &keys, NULL, &count);
	PG_RETURN_JSONB_P(some_members(&place, count, keys));
}

/* State for returning the elements of an array one by one. */
typedef struct Elements
{
	Place		place;
	bool		text;
	int64		next;			/* the first element that was not read yet */
	int64		behind;			/* the number of elements */
	Jsonb	   *batch;
	int			given;			/* number of elements of the batch already returned */
} Elements;

typedef struct Slice
{
	PgtPath    *path;
	int64		from;
	int64		to;
	Jsonb	   *result;
} Slice;

static PgtOutcome
get_slice(PgtDoc *doc, void *arg)
{
	Slice	   *slice = arg;

	return pgt_doc_slice(doc, slice->path, slice->from, slice->to, &slice->result);
}

static Elements *
begin_elements(FunctionCallInfo fcinfo, FuncCallContext *calls, bool text)
{
	MemoryContext caller = MemoryContextSwitchTo(calls->multi_call_memory_ctx);
	Elements   *elements = palloc0(sizeof(Elements));
	PgtDescribed described = {0};

	elements->text = text;
	if (find_place(&elements->place, fcinfo, 4) && describe(&elements->place, true, &described))
	{
		if (strcmp(described.type, "array") != 0)
			/* Let PostgreSQL raise its own error. */
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							strcmp(described.type, "object") == 0 ? errmsg("cannot extract elements from an object")
							: errmsg("cannot extract elements from a scalar")));
		elements->behind = described.count;
		/* The document must outlive the call that provided it. */
		elements->place.document.stub = (Jsonb *) PG_DETOAST_DATUM_COPY(JsonbPGetDatum(elements->place.document.stub));
	}
	MemoryContextSwitchTo(caller);
	return elements;
}

static bool
read_batch(Elements *elements, MemoryContext memory)
{
	Slice		slice = {.path = &elements->place.path,.from = elements->next,.to = Min(elements->next + BATCH, elements->behind)};
	MemoryContext caller = MemoryContextSwitchTo(memory);

	if (elements->batch != NULL)
		pfree(elements->batch);
	elements->batch = NULL;
	if (slice.from < slice.to && ask(&elements->place, get_slice, &slice) == PGT_APPLIED)
		elements->batch = slice.result;
	elements->next = slice.to;
	elements->given = 0;
	MemoryContextSwitchTo(caller);
	return elements->batch != NULL;
}

static Datum
next_element(FunctionCallInfo fcinfo, bool text)
{
	FuncCallContext *calls;
	Elements   *elements;
	JsonbValue *value;
	Jsonb	   *element;

	if (SRF_IS_FIRSTCALL())
	{
		calls = SRF_FIRSTCALL_INIT();
		calls->user_fctx = begin_elements(fcinfo, calls, text);
	}
	calls = SRF_PERCALL_SETUP();
	elements = calls->user_fctx;
	if ((elements->batch == NULL || elements->given == JB_ROOT_COUNT(elements->batch)) &&
		!read_batch(elements, calls->multi_call_memory_ctx))
		SRF_RETURN_DONE(calls);
	value = getIthJsonbValueFromContainer(&elements->batch->root, elements->given++);
	if (!text)
		SRF_RETURN_NEXT(calls, JsonbPGetDatum(JsonbValueToJsonb(value)));
	if (value->type == jbvNull)
		SRF_RETURN_NEXT_NULL(calls);
	if (value->type == jbvString)
		SRF_RETURN_NEXT(calls, PointerGetDatum(cstring_to_text_with_len(value->val.string.val, value->val.string.len)));
	element = JsonbValueToJsonb(value);
	SRF_RETURN_NEXT(calls, CStringGetTextDatum(JsonbToCString(NULL, &element->root, VARSIZE(element))));
}

PG_FUNCTION_INFO_V1(pgt_document_elements);

Datum
pgt_document_elements(PG_FUNCTION_ARGS)
{
	return next_element(fcinfo, false);
}

PG_FUNCTION_INFO_V1(pgt_document_elements_text);

Datum
pgt_document_elements_text(PG_FUNCTION_ARGS)
{
	return next_element(fcinfo, true);
}
