/* json_row_write.c: writes the owner's row, within the budget of bytes that a document may use there. */
#include "json_row.h"

/* Bytes of a row without its columns. */
#define ROW_HEADER 24
/* Minimum number of bytes that a document may use in the row, regardless of the width of the other columns. */
#define LEAST_INLINE 128

/* Finds the member of an object for a step of a path as the user writes it. */
static bool
member_at(const JsonbValue *object, text *step, JsonbValue *key, JsonbValue *value)
{
	int			length;
	const char *stored = pgt_key_escape(VARDATA_ANY(step), VARSIZE_ANY_EXHDR(step), &length);

	if (pgt_json_kind(object) != PGT_OBJECT)
		return false;
	for (int i = 0; i < pgt_json_count(object); i++)
	{
		pgt_json_entry(object, i, key, value);
		if (key->val.string.len == length && memcmp(key->val.string.val, stored, length) == 0)
			return true;
	}
	return false;
}

/* Returns true if another path of keep_inline leads to a value that contains the value at this path. */
static bool
is_below_pinned(const PgtJsonOptions *options, const PgtPath *path)
{
	for (int i = 0; i < options->pin_count; i++)
	{
		PgtPath    *other = &options->pins[i];
		bool		above = other->length < path->length;

		for (int step = 0; step < other->length && above; step++)
			above = VARSIZE_ANY_EXHDR(other->steps[step]) == VARSIZE_ANY_EXHDR(path->steps[step]) &&
				memcmp(VARDATA_ANY(other->steps[step]), VARDATA_ANY(path->steps[step]), VARSIZE_ANY_EXHDR(path->steps[step])) == 0;
		if (above)
			return true;
	}
	return false;
}

/* Returns the number of bytes that members named by keep_inline use in a document, with their keys. */
static int64
pinned_bytes(const PgtJsonOptions *options, const JsonbValue *document)
{
	int64		bytes = 0;

	for (int i = 0; i < options->pin_count; i++)
	{
		PgtPath    *path = &options->pins[i];
		JsonbValue	key;
		JsonbValue	value = *document;
		bool		there = path->length > 0 && !is_below_pinned(options, path);

		for (int step = 0; step < path->length && there; step++)
		{
			JsonbValue	object = value;

			there = member_at(&object, path->steps[step], &key, &value);
		}
		if (there)
			bytes += 2 * PGT_ENTRY_BYTES + key.val.string.len + pgt_json_bytes(&value);
	}
	return bytes;
}

/*
 * Returns the number of bytes that a document uses of its row, without the members that keep_inline names. For a split
 * document, it counts the header with the size that the library assumes.
 */
static int64
row_bytes(const PgtJsonOptions *options, const JsonbValue *document, bool split)
{
	int64		bytes = pgt_json_datum_bytes(document) - pinned_bytes(options, document);

	for (int i = 0; split && i < pgt_json_count(document); i++)
	{
		JsonbValue	key;
		JsonbValue	value;

		pgt_json_entry(document, i, &key, &value);
		if (key.val.string.len == PGT_MARKER_LEN && memcmp(key.val.string.val, PGT_MARKER, PGT_MARKER_LEN) == 0)
			bytes += PGT_MARKER_BYTES - (2 * PGT_ENTRY_BYTES + key.val.string.len + pgt_json_bytes(&value));
	}
	return bytes;
}

int64
pgt_row_budget(PgtDoc *doc, PgtOwnerRow *row)
{
	return Max((int64) pgt_json_options(doc->column)->row_budget - ROW_HEADER - row->other_bytes, LEAST_INLINE);
}

void
pgt_update_row(PgtDoc *doc, Jsonb *value)
{
	if (!pgt_owner_update(doc->column, doc->key, JsonbPGetDatum(value), value == NULL))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("row %s of %s was not updated", pgt_key_text(doc->column, doc->key), pgt_column_text(doc->column)),
				 errhint("A trigger or a policy of the table prevents the update.")));
}

void
pgt_write_row(PgtDoc *doc, PgtWalk *walk, JsonbValue *tree, PgtOwnerRow *row)
{
	PgtWriter	writer = {.doc = doc,.document = walk->split ? walk->document : 0};
	PgtJsonOptions whole;
	PgtBuilder	builder = {.options = pgt_json_options(doc->column),.writer = &writer};
	int64		budget = pgt_row_budget(doc, row);
	bool		escapes = !walk->split && pgt_json_special(tree);
	bool		is_split;
	JsonbValue	before;

	pgt_root_value(walk->stub, &before);
	if (!escapes && (row_bytes(builder.options, tree, walk->split) <= budget || pgt_json_datum_bytes(tree) <= pgt_json_datum_bytes(&before)))
	{
		pgt_update_row(doc, pgt_json_form(tree));
		return;
	}
	if (escapes)
		pgt_json_escape(tree);
	/* Move out the same entries as for a document that is written as a whole. */
	whole = *builder.options;
	whole.leaf_size = whole.whole_leaf_size;
	builder.options = &whole;
	pgt_update_row(doc, pgt_stub(&builder, tree, walk->split || escapes, walk->split && walk->has_overflow ? walk->overflow : 0,
								 budget, &is_split));
}
