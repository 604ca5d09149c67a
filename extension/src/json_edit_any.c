/*
 * json_edit_any.c: makes any edit of a document. Editing several members edits several slots, and editing the root
 * stores the whole document again.
 */
#include "json_edit.h"

#include "mb/pg_wchar.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

static PgtOutcome
type_at(PgtDoc *doc, PgtPath *path, const char **type)
{
	int64		count;

	*type = "";
	return pgt_keyed_describe(doc->column, doc->key, path, false, type, &count);
}

static PgtPath
member_path(PgtPath *path, const JsonbValue *key)
{
	PgtPath		member;

	member.length = path->length + 1;
	member.steps = palloc(sizeof(text *) * member.length);
	memcpy(member.steps, path->steps, sizeof(text *) * path->length);
	member.steps[path->length] = cstring_to_text_with_len(key->val.string.val, key->val.string.len);
	return member;
}

/*
 * Raises an error if an edit is refused after earlier ones were written, because the caller might continue the
 * transaction.
 */
static PgtOutcome
checked(PgtDoc *doc, PgtOutcome outcome, bool *written)
{
	if (*written && outcome >= PGT_NO_ROW)
		pgt_raise(outcome, doc->column, doc->key, "an edit of several members");
	*written |= outcome == PGT_APPLIED;
	return outcome;
}

static PgtOutcome
set(PgtDoc *doc, PgtPath *path, const JsonbValue *value, bool create)
{
	PgtChange	change = {.kind = PGT_SET,.value = *value,.flag = create};

	pgt_doc_renew(doc);
	return pgt_edit_slot(doc, path, &change);
}

/* Appends elements to an array; returns PGT_MISSING if the path does not lead to an array. */
static PgtOutcome
append_elements(PgtDoc *doc, PgtPath *path, JsonbValue *value, int keep)
{
	PgtChange	change = {.kind = PGT_APPEND,.keep = keep};

	if (pgt_json_kind(value) == PGT_ARRAY)
		change.value = *value;
	else
	{
		change.value.type = jbvArray;
		change.value.val.array.nElems = 1;
		change.value.val.array.elems = value;
		change.value.val.array.rawScalar = false;
	}
	if (pgt_json_count(&change.value) == 0)
		return PGT_MISSING;
	return pgt_edit_slot(doc, path, &change);
}

static PgtOutcome
set_members(PgtDoc *doc, PgtPath *path, JsonbValue *members)
{
	PgtCursor	cursor;
	JsonbValue	key;
	JsonbValue	value;
	bool		written = false;

	pgt_json_begin(&cursor, members);
	while (pgt_json_next(&cursor, &key, &value))
	{
		PgtPath		member = member_path(path, &key);

		PGT_TRY(checked(doc, set(doc, &member, &value, true), &written));
	}
	return PGT_APPLIED;
}

/* Locks the owner's row and the head, so that nobody else writes the document until the transaction ends. */
static PgtOutcome
lock_document(PgtDoc *doc, bool *isnull)
{
	PgtOwnerRow row;
	PgtSteps	none = {0};
	PgtWalk		walk;
	PgtOutcome	outcome;

	if (!pgt_owner_lock(doc->column, doc->key, &row))
		return pgt_owner_unlocked(doc->column, doc->key);
	*isnull = row.isnull;
	if (row.isnull)
		return PGT_APPLIED;
	pgt_doc_renew(doc);
	outcome = pgt_walk_from(doc, DatumGetJsonbP(row.value), &none, 0, false, &walk);
	if (outcome == PGT_APPLIED && walk.split && walk.head == NULL)
		outcome = pgt_doc_head(doc, walk.document, &walk.head, &walk.generation);
	if (outcome != PGT_APPLIED || !walk.split)
		return outcome;
	return pgt_lock(pgt_doc_head_table(doc), walk.head, LockTupleExclusive) == NULL ? PGT_FOREIGN : PGT_APPLIED;
}

/*
 * Adds elements to an array, or sets members of an object; returns PGT_MISSING if the path leads to neither. May edit
 * several slots; raises an error if a later one is refused.
 */
static PgtOutcome
edit_append(PgtDoc *doc, PgtPath *path, Jsonb *given, int keep)
{
	JsonbValue	value;
	const char *type;
	PgtOutcome	outcome;

	pgt_root_value(given, &value);
	/* The value is usually an array, so check the type only if this fails. */
	if (keep > 0 && pgt_json_kind(&value) != PGT_ARRAY)
		return PGT_ELSEWHERE;
	outcome = keep == PGT_MEMBERS ? PGT_MISSING : append_elements(doc, path, &value, keep);
	if (outcome != PGT_MISSING || keep > 0)
		return outcome == PGT_MISSING ? PGT_ELSEWHERE : outcome;
	pgt_doc_renew(doc);
	outcome = type_at(doc, path, &type);
	if (outcome != PGT_APPLIED)
		return outcome == PGT_NO_CONTENT ? PGT_MISSING : outcome;
	if (strcmp(type, "array") == 0 && keep != PGT_MEMBERS)
		return pgt_json_kind(&value) == PGT_ARRAY && pgt_json_count(&value) == 0 ? PGT_APPLIED
			: append_elements(doc, path, &value, 0);
	if (strcmp(type, "object") == 0 && pgt_json_kind(&value) == PGT_OBJECT)
		return set_members(doc, path, &value);
	return PGT_MISSING;
}

/* Adds to a number, which may be the root. */
static PgtOutcome
edit_increment(PgtDoc *doc, PgtPath *path, PgtChange *change)
{
	Jsonb	   *there = NULL;
	JsonbValue	number;
	PgtOutcome	outcome;
	bool		isnull;
	int64		rows;

	if (path->length > 0)
		return pgt_edit_slot(doc, path, change);
	outcome = lock_document(doc, &isnull);
	if (outcome != PGT_APPLIED || isnull)
		return outcome == PGT_APPLIED ? PGT_MISSING : outcome;
	pgt_doc_renew(doc);
	PGT_TRY(pgt_keyed_get(doc->column, doc->key, path, MaxAllocSize, &there));
	pgt_root_value(there, &number);
	if (number.type != jbvNumeric)
		return PGT_WRONG_TYPE;
	number.val.numeric = DatumGetNumeric(DirectFunctionCall2(numeric_add, NumericGetDatum(number.val.numeric), change->delta));
	if (numeric_is_nan(number.val.numeric) || numeric_is_inf(number.val.numeric))
		return PGT_WRONG_TYPE;
	change->sum = NumericGetDatum(number.val.numeric);
	return pgt_put(doc, &number, &rows);
}

/* Copies a number from the operation's memory to the caller's. */
static Datum
copy_numeric(MemoryContext caller, Datum numeric)
{
	MemoryContext before = MemoryContextSwitchTo(caller);
	Datum		copy = datumCopy(numeric, false, -1);

	MemoryContextSwitchTo(before);
	return copy;
}

PgtOutcome
pgt_json_edit(PgtColumn *column, PgtKey *key, PgtEdit *edit)
{
	MemoryContext memory;
	MemoryContext caller;
	PgtDoc		doc;
	PgtOutcome	outcome;
	PgtChange	change = {0};

	/* The keys in branches are in UTF-8 byte order. */
	if (GetDatabaseEncoding() != PG_UTF8)
		return PGT_ELSEWHERE;
	memory = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster edit", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(memory);
	pgt_doc_begin(&doc, column, key, true);
	change.kind = edit->kind;
	change.flag = edit->flag;
	change.parents = edit->parents;
	change.delta = edit->delta;
	switch (edit->kind)
	{
		case PGT_APPEND:
			outcome = edit_append(&doc, edit->path, edit->value, edit->keep);
			break;
		case PGT_INCREMENT:
			outcome = edit_increment(&doc, edit->path, &change);
			if (outcome == PGT_APPLIED)
				edit->sum = copy_numeric(caller, change.sum);
			break;
		default:
			if (edit->value != NULL)
				pgt_root_value(edit->value, &change.value);
			outcome = pgt_edit_slot(&doc, edit->path, &change);
	}
	pgt_doc_end(&doc);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(memory);
	return outcome;
}
