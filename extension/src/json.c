/* json.c: the toaster keyed: its routine and the options of its columns. */
#include "json_edit.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/memutils.h"

/* Lower limit of the leaf size for edits, in bytes. */
#define LEAST_LEAF 512

static const Oid types[] = {JSONBOID, InvalidOid};

/* Returns a part of a JSON Pointer as text, without its escapes. */
static text *
unescape(const char *from, const char *to)
{
	text	   *step = palloc(VARHDRSZ + (to - from));
	char	   *at = VARDATA(step);

	while (from < to)
	{
		if (*from == '~' && from + 1 < to)
		{
			*at++ = from[1] == '0' ? '~' : '/';
			from += 2;
		}
		else
			*at++ = *from++;
	}
	SET_VARSIZE(step, at - (char *) step);
	return step;
}

static PgtPath
read_pointer(JsonbValue *pointer)
{
	const char *at = pointer->val.string.val;
	const char *end = at + pointer->val.string.len;
	PgtPath		path = {0, NULL};

	path.steps = palloc(sizeof(text *) * (pointer->val.string.len + 1));
	while (at < end && *at == '/')
	{
		const char *from = ++at;

		while (at < end && *at != '/')
			at++;
		path.steps[path.length++] = unescape(from, at);
	}
	return path;
}

static void
open_column(PgtColumn *column)
{
	PgtJsonOptions *options = palloc0(sizeof(PgtJsonOptions));
	char	   *touch = pgt_option_text(column, "touch");
	JsonbValue	keep;

	options->row_budget = pgt_option_int(column, "row_budget");
	options->leaf_size = pgt_option_int(column, "leaf_size");
	options->fan_out = pgt_option_int(column, "fan_out");
	options->touch = touch != NULL && strcmp(touch, "row") == 0;
	if (getKeyJsonValueFromContainer(&column->options->root, "keep_inline", strlen("keep_inline"), &keep) != NULL &&
		keep.type == jbvBinary && JsonContainerIsArray(keep.val.binary.data))
	{
		int			count = JsonContainerSize(keep.val.binary.data);

		options->pins = palloc0(sizeof(PgtPath) * Max(count, 1));
		for (int i = 0; i < count; i++)
		{
			JsonbValue *pointer = getIthJsonbValueFromContainer(keep.val.binary.data, i);

			if (pointer != NULL && pointer->type == jbvString)
				options->pins[options->pin_count++] = read_pointer(pointer);
		}
	}
	if (options->row_budget < 0 || options->leaf_size < 16 || options->leaf_size > MaxAllocSize / 16 || options->fan_out < 2)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the catalog has invalid options for %s", pgt_column_text(column))));
	/* Edits split the leaves that they change into smaller ones (catalog/routine.sql). */
	options->whole_leaf_size = options->leaf_size;
	options->string_size = 16 * options->leaf_size;
	options->leaf_size = Max(options->leaf_size / 4, LEAST_LEAF);
	column->state = options;
}

static PgtOutcome
insert(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool after)
{
	PgtEdit		edit = {.kind = PGT_INSERT,.path = path,.value = value,.flag = after};

	return pgt_json_edit(column, key, &edit);
}

static PgtOutcome
append(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, int keep)
{
	PgtEdit		edit = {.kind = PGT_APPEND,.path = path,.value = value,.keep = keep};

	return pgt_json_edit(column, key, &edit);
}

static PgtOutcome
remove_value(PgtColumn *column, PgtKey *key, PgtPath *path)
{
	PgtEdit		edit = {.kind = PGT_REMOVE,.path = path};

	return pgt_json_edit(column, key, &edit);
}

/*
 * Stores the document again as put would, with the owner's row and the head locked exclusively until the end of the
 * transaction. rows is the number of rows written. Returns PGT_ELSEWHERE if the database encoding is not UTF-8.
 */
static PgtOutcome
shrink(PgtColumn *column, PgtKey *key, int64 *rows)
{
	MemoryContext memory;
	MemoryContext caller;
	PgtDoc		doc;
	PgtOutcome	outcome;

	if (GetDatabaseEncoding() != PG_UTF8)
		return PGT_ELSEWHERE;
	memory = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster shrink", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(memory);
	pgt_doc_begin(&doc, column, key, true);
	outcome = pgt_put(&doc, NULL, rows);
	pgt_doc_end(&doc);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(memory);
	return outcome;
}

static const PgtJsonVtable json = {
	.get = pgt_keyed_get,.describe = pgt_keyed_describe,.slice = pgt_keyed_slice,.set = pgt_keyed_set,.insert = insert,
	.append = append,.remove = remove_value,.increment = pgt_keyed_increment,.shrink = shrink
};

const PgtRoutine pgt_keyed = {
	.magic = PGT_ROUTINE_MAGIC,.name = "keyed",.types = types,.json = &json,.open = open_column
};
