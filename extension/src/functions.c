/*
 * functions.c: the SQL functions. Each finds the column, calls its toaster's vtable, and converts the outcome to a
 * result or an error.
 *
 * Each operation exists twice: if toaster.blob_append refuses, it raises an error; toaster.try_blob_append then returns
 * NULL and changes nothing, so that a client can continue differently in the same transaction.
 */
#include "core.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"

/* A call: its column, the row, and how to report a refusal. */
typedef struct Call
{
	const char *operation;
	PgtColumn  *column;
	PgtKey		key;
	bool		writes;
	bool		quiet;
} Call;

#define OPERATION(name) \
	static Datum name(FunctionCallInfo fcinfo, bool quiet); \
	PG_FUNCTION_INFO_V1(pgt_##name); \
	Datum pgt_##name(PG_FUNCTION_ARGS) { return name(fcinfo, false); } \
	PG_FUNCTION_INFO_V1(pgt_try_##name); \
	Datum pgt_try_##name(PG_FUNCTION_ARGS) { return name(fcinfo, true); } \
	static Datum name(FunctionCallInfo fcinfo, bool quiet)

/* Calls an operation of the column's toaster, if the toaster supports it. */
#define RUN(vtable, operation, ...) \
	(call.column->routine->vtable != NULL && call.column->routine->vtable->operation != NULL \
	 ? call.column->routine->vtable->operation(call.column, &call.key, ##__VA_ARGS__) : PGT_NO_OPERATION)

static void
no_null(FunctionCallInfo fcinfo, int n, const char *what)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s cannot be NULL", what)));
}

/* Reads arguments 0 to 2: table, column, key. A writing call gets its own snapshot, which end() pops. */
static void
begin(Call *call, FunctionCallInfo fcinfo, const char *operation, bool writes, bool quiet)
{
	no_null(fcinfo, 0, "the table");
	no_null(fcinfo, 1, "the column");
	call->operation = operation;
	call->writes = writes;
	call->quiet = quiet;
	if (writes)
	{
		PreventCommandIfReadOnly(operation);
		PreventCommandIfParallelMode(operation);
	}
	call->column = pgt_column(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)));
	pgt_key(call->column, fcinfo, 2, &call->key);
	if (writes)
		pgt_push_snapshot();
}

/* Ends a call: returns true if it was done, false if it was refused quietly; raises an error otherwise. */
static bool
end(Call *call, PgtOutcome outcome)
{
	if (call->writes)
		pgt_pop_snapshot();
	if (outcome < PGT_NO_ROW)
		return true;
	if (!call->quiet)
		pgt_raise(outcome, call->column, &call->key, call->operation);
	return false;
}

/* Returns the result of a call that finds or changes something: true, or false if there was nothing. */
static Datum
done(FunctionCallInfo fcinfo, Call *call, PgtOutcome outcome)
{
	if (!end(call, outcome))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(outcome != PGT_MISSING);
}

static void
no_negative(int64 value, const char *what)
{
	if (value < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s cannot be negative: " INT64_FORMAT, what, value)));
}

OPERATION(blob_append)
{
	Call		call;
	PgtAppend	append = {0};
	bytea	   *data;
	PgtOutcome	outcome;

	no_null(fcinfo, 3, "the data");
	if (PG_ARGISNULL(5) != PG_ARGISNULL(6))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a token consists of a writer and a sequence, but one of them is NULL")));
	begin(&call, fcinfo, "blob_append()", true, quiet);
	data = PG_GETARG_BYTEA_PP(3);
	append.data = VARDATA_ANY(data);
	append.size = VARSIZE_ANY_EXHDR(data);
	append.has_expected = !PG_ARGISNULL(4);
	if (append.has_expected)
	{
		append.expected = PG_GETARG_INT64(4);
		no_negative(append.expected, "the expected offset");
	}
	append.has_token = !PG_ARGISNULL(5);
	if (append.has_token)
	{
		append.writer = *PG_GETARG_UUID_P(5);
		append.sequence = PG_GETARG_INT64(6);
		no_negative(append.sequence, "a sequence");
	}
	outcome = RUN(blob, append, &append);
	if (!end(&call, outcome))
		PG_RETURN_NULL();
	if (quiet)
	{
		if (outcome != PGT_APPLIED)
			PG_RETURN_NULL();
		PG_RETURN_INT64(append.offset);
	}
	else
	{
		TupleDesc	desc;
		Datum		values[3];
		bool		nulls[3] = {false, false, false};

		if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "blob_append was declared with another result");
		values[0] = Int64GetDatum(append.offset);
		values[1] = Int64GetDatum(outcome == PGT_CONFLICT ? 0 : append.length);
		values[2] = CStringGetTextDatum(outcome == PGT_APPLIED ? "applied"
										: outcome == PGT_ALREADY_APPLIED ? "already applied" : "conflict");
		PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
	}
}

OPERATION(blob_read)
{
	Call		call;
	bytea	   *result = NULL;
	PgtOutcome	outcome;

	no_null(fcinfo, 3, "the offset");
	no_null(fcinfo, 4, "the length");
	no_negative(PG_GETARG_INT64(3), "the offset");
	no_negative(PG_GETARG_INT32(4), "the length");
	begin(&call, fcinfo, "blob_read()", false, quiet);
	outcome = RUN(blob, read, PG_GETARG_INT64(3), PG_GETARG_INT32(4), &result);
	if (outcome == PGT_NO_CONTENT || !end(&call, outcome))
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(result);
}

OPERATION(blob_write)
{
	Call		call;
	bytea	   *data;

	no_null(fcinfo, 3, "the offset");
	no_null(fcinfo, 4, "the data");
	no_negative(PG_GETARG_INT64(3), "the offset");
	begin(&call, fcinfo, "blob_write()", true, quiet);
	data = PG_GETARG_BYTEA_PP(4);
	return done(fcinfo, &call, RUN(blob, write, PG_GETARG_INT64(3), VARDATA_ANY(data), VARSIZE_ANY_EXHDR(data)));
}

OPERATION(blob_truncate)
{
	Call		call;

	no_null(fcinfo, 3, "the length");
	no_negative(PG_GETARG_INT64(3), "the length");
	begin(&call, fcinfo, "blob_truncate()", true, quiet);
	return done(fcinfo, &call, RUN(blob, truncate, PG_GETARG_INT64(3)));
}

OPERATION(blob_length)
{
	Call		call;
	int64		length = 0;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "blob_length()", false, quiet);
	outcome = RUN(blob, length, &length);
	if (outcome == PGT_NO_CONTENT || !end(&call, outcome))
		PG_RETURN_NULL();
	PG_RETURN_INT64(length);
}

OPERATION(blob_compact)
{
	Call		call;
	int64		rows = 0;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "blob_compact()", true, quiet);
	outcome = RUN(blob, compact, &rows);
	if (!end(&call, outcome))
		PG_RETURN_NULL();
	PG_RETURN_INT64(rows);
}

OPERATION(blob_copy)
{
	Call		call;
	PgtKey		target;
	PgtOwnerRow source;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "blob_copy()", true, quiet);
	pgt_key(call.column, fcinfo, 3, &target);
	outcome = RUN(blob, copy, &target);
	/* Only the target is changed. A missing row is the target unless the source is missing. */
	if (outcome == PGT_DENIED || outcome == PGT_SUPPRESSED ||
		(outcome == PGT_NO_ROW && !quiet && pgt_owner_read(call.column, &call.key, &source)))
		call.key = target;
	return done(fcinfo, &call, outcome);
}

OPERATION(blob_delete)
{
	Call		call;

	begin(&call, fcinfo, "blob_delete()", true, quiet);
	return done(fcinfo, &call, RUN(blob, remove));
}

/* Returns the path in argument n, of type text[]. */
static PgtPath
path_argument(FunctionCallInfo fcinfo, int n)
{
	PgtPath		path;
	ArrayType  *array;
	Datum	   *steps;
	bool	   *nulls;

	no_null(fcinfo, n, "the path");
	array = PG_GETARG_ARRAYTYPE_P(n);
	if (ARR_NDIM(array) > 1)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR), errmsg("a path is an array of one dimension")));
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &steps, &nulls, &path.length);
	path.steps = palloc(sizeof(text *) * Max(path.length, 1));
	for (int i = 0; i < path.length; i++)
	{
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("step %d of the path is NULL", i + 1)));
		path.steps[i] = DatumGetTextPP(steps[i]);
	}
	return path;
}

/*
 * Maximum size of an array or object, stored in several rows, that the library receives as one value. The library reads
 * larger ones row by row, because allocating and freeing megabytes for a value and its text would take half of each
 * call's time.
 */
#define PGT_MOST_ANSWER ((Size) 1024 * 1024)

/* Returns the text of a value for the library: JSON; for a string, a tab and the string itself (document/read_template.sql). */
static text *
answer_text(Jsonb *value)
{
	JsonbValue	string;
	StringInfoData answer;

	initStringInfo(&answer);
	appendStringInfoSpaces(&answer, VARHDRSZ);
	if (JB_ROOT_IS_SCALAR(value) && JsonbExtractScalar(&value->root, &string) && string.type == jbvString)
	{
		appendStringInfoChar(&answer, '\t');
		appendBinaryStringInfo(&answer, string.val.string.val, string.val.string.len);
	}
	else
		JsonbToCString(&answer, &value->root, VARSIZE(value));
	SET_VARSIZE(answer.data, answer.len);
	return (text *) answer.data;
}

/*
 * Returns the result of a reading call. The try_ form returns the JSON text (for a string, a tab and the string), or
 * an empty text if the value does not exist, so that a client can distinguish that from a refusal.
 */
static Datum
found(FunctionCallInfo fcinfo, Call *call, PgtOutcome outcome, Jsonb *value)
{
	if (!end(call, outcome))
		PG_RETURN_NULL();
	if (outcome == PGT_MISSING && call->quiet)
		PG_RETURN_TEXT_P(cstring_to_text(""));
	if (outcome == PGT_MISSING)
		PG_RETURN_NULL();
	if (call->quiet)
		PG_RETURN_TEXT_P(answer_text(value));
	PG_RETURN_JSONB_P(value);
}

OPERATION(json_get)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);
	Jsonb	   *result = NULL;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "json_get()", false, quiet);
	outcome = RUN(json, get, &path, quiet ? PGT_MOST_ANSWER : MaxAllocSize, &result);
	return found(fcinfo, &call, outcome, result);
}

OPERATION(json_slice)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);
	Jsonb	   *result = NULL;
	PgtOutcome	outcome;

	no_null(fcinfo, 4, "the first position");
	no_null(fcinfo, 5, "the end position");
	begin(&call, fcinfo, "json_slice()", false, quiet);
	outcome = RUN(json, slice, &path, PG_GETARG_INT64(4), PG_GETARG_INT64(5), &result);
	return found(fcinfo, &call, outcome, result);
}

/* json_expand(table, column, key) returns the whole document. */
OPERATION(json_expand)
{
	Call		call;
	PgtPath		path = {0, NULL};
	Jsonb	   *result = NULL;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "json_expand()", false, quiet);
	outcome = RUN(json, get, &path, quiet ? PGT_MOST_ANSWER : MaxAllocSize, &result);
	return found(fcinfo, &call, outcome, result);
}

OPERATION(json_exists)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);
	const char *type = NULL;
	int64		count;

	begin(&call, fcinfo, "json_exists()", false, quiet);
	return done(fcinfo, &call, RUN(json, describe, &path, false, &type, &count));
}

/* json_type returns "object", "array", "string", "number", "boolean" or "null"; NULL if the path finds nothing. */
OPERATION(json_type)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);
	const char *type = "";
	int64		count;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "json_type()", false, quiet);
	outcome = RUN(json, describe, &path, false, &type, &count);
	if (!end(&call, outcome) || (outcome == PGT_MISSING && !quiet))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(outcome == PGT_MISSING ? "" : type));
}

/*
 * json_size returns the number of elements of an array or members of an object; NULL for anything else. The try_ form
 * returns the type and the size, such as "array 12" or "string -1", or an empty text if the path finds nothing.
 */
OPERATION(json_size)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);
	const char *type = NULL;
	int64		count = -1;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "json_size()", false, quiet);
	outcome = RUN(json, describe, &path, true, &type, &count);
	if (!end(&call, outcome) || (!quiet && (outcome == PGT_MISSING || count < 0)))
		PG_RETURN_NULL();
	if (quiet)
		PG_RETURN_TEXT_P(cstring_to_text(outcome == PGT_MISSING ? "" : psprintf("%s " INT64_FORMAT, type, count)));
	PG_RETURN_INT64(count);
}

OPERATION(json_set)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);

	no_null(fcinfo, 4, "the value");
	no_null(fcinfo, 5, "create_missing");
	if (quiet)
		no_null(fcinfo, 6, "create_parents");
	begin(&call, fcinfo, "json_set()", true, quiet);
	return done(fcinfo, &call, RUN(json, set, &path, PG_GETARG_JSONB_P(4), PG_GETARG_BOOL(5), quiet && PG_GETARG_BOOL(6)));
}

OPERATION(json_insert)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);

	no_null(fcinfo, 4, "the value");
	no_null(fcinfo, 5, "insert_after");
	begin(&call, fcinfo, "json_insert()", true, quiet);
	return done(fcinfo, &call, RUN(json, insert, &path, PG_GETARG_JSONB_P(4), PG_GETARG_BOOL(5)));
}

OPERATION(json_append)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);

	int			keep = 0;

	no_null(fcinfo, 4, "the value");
	if (quiet && !PG_ARGISNULL(5))
	{
		keep = PG_GETARG_INT32(5);
		if (keep < 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("keep must be positive, but is %d", keep)));
	}
	else if (quiet && JB_ROOT_IS_OBJECT(PG_GETARG_JSONB_P(4)))
		keep = PGT_MEMBERS;
	begin(&call, fcinfo, "json_append()", true, quiet);
	return done(fcinfo, &call, RUN(json, append, &path, PG_GETARG_JSONB_P(4), keep));
}

OPERATION(json_remove)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);

	begin(&call, fcinfo, "json_remove()", true, quiet);
	return done(fcinfo, &call, RUN(json, remove, &path));
}

/* Returns the new number; the try_ form returns it as text, or an empty text if the path finds nothing. */
OPERATION(json_increment)
{
	Call		call;
	PgtPath		path = path_argument(fcinfo, 3);
	Datum		sum = (Datum) 0;
	PgtOutcome	outcome;

	no_null(fcinfo, 4, "the number to add");
	begin(&call, fcinfo, "json_increment()", true, quiet);
	outcome = RUN(json, increment, &path, PG_GETARG_DATUM(4), &sum);
	if (!end(&call, outcome) || (outcome == PGT_MISSING && !quiet))
		PG_RETURN_NULL();
	if (quiet)
		PG_RETURN_TEXT_P(cstring_to_text(outcome == PGT_MISSING ? "" : DatumGetCString(DirectFunctionCall1(numeric_out, sum))));
	PG_RETURN_DATUM(sum);
}

OPERATION(json_shrink)
{
	Call		call;
	int64		rows = 0;
	PgtOutcome	outcome;

	begin(&call, fcinfo, "json_shrink()", true, quiet);
	outcome = RUN(json, shrink, &rows);
	if (!end(&call, outcome))
		PG_RETURN_NULL();
	PG_RETURN_INT64(rows);
}
