/*
 * json_edit_change.c: applies an edit to one stored value, in place, as PostgreSQL's jsonb_set, jsonb_insert, #- and ||
 * would; also adds to numbers.
 */
#include "json_edit.h"

#include "utils/numeric.h"

/* Returns the container of the last step of a path, or NULL. Opens all containers on the path. */
static JsonbValue *
parent(JsonbValue *root, PgtSteps *within)
{
	JsonbValue *at = root;

	for (int i = 0; i < within->length - 1; i++)
	{
		PgtStep    *step = &within->steps[i];

		pgt_json_open(at);
		if (at->type == jbvObject)
		{
			bool		found;
			int			member = pgt_json_find(at, step->key, step->key_len, &found);

			if (!found)
				return NULL;
			at = &at->val.object.pairs[member].value;
		}
		else if (at->type == jbvArray && step->is_position)
		{
			int64		position = step->position;

			if (position < 0)
				position += at->val.array.nElems;
			if (position < 0 || position >= at->val.array.nElems)
				return NULL;
			at = &at->val.array.elems[position];
		}
		else
			return NULL;
	}
	pgt_json_open(at);
	return at;
}

/* Notes the branches named by a value that is removed. */
static void
drop(PgtChange *change, JsonbValue *value)
{
	pgt_json_markers(value, &change->dropped);
}

static PgtOutcome
set(JsonbValue *container, PgtStep *step, PgtChange *change)
{
	if (container->type == jbvObject)
	{
		bool		found;
		int			member = pgt_json_find(container, step->key, step->key_len, &found);

		if (!found && !change->flag)
			return PGT_MISSING;
		if (found)
			drop(change, &container->val.object.pairs[member].value);
		pgt_json_put_member(container, step->key, step->key_len, &change->value);
	}
	else
	{
		int			count = container->val.array.nElems;
		int64		at = step->position;

		if (!step->is_position)
			return PGT_NO_POSITION;
		if (at < 0)
			at += count;
		if (at >= 0 && at < count)
		{
			drop(change, &container->val.array.elems[at]);
			container->val.array.elems[at] = change->value;
		}
		else if (change->flag)
			pgt_json_insert_element(container, at < 0 ? 0 : count, &change->value);
		else
			return PGT_MISSING;
	}
	return PGT_APPLIED;
}

static PgtOutcome
insert(JsonbValue *container, PgtStep *step, PgtChange *change)
{
	if (container->type == jbvObject)
	{
		bool		found;

		(void) pgt_json_find(container, step->key, step->key_len, &found);
		if (found)
			return PGT_WRONG_TYPE;
		pgt_json_put_member(container, step->key, step->key_len, &change->value);
	}
	else
	{
		int			count = container->val.array.nElems;
		int64		at = step->position;

		if (!step->is_position)
			return PGT_NO_POSITION;
		if (at < 0)
			at += count;
		if (change->flag && at >= 0 && at < count)
			at++;
		pgt_json_insert_element(container, (int) Max(0, Min(at, count)), &change->value);
	}
	return PGT_APPLIED;
}

static PgtOutcome
remove_entry(JsonbValue *container, PgtStep *step, PgtChange *change)
{
	int64		at;

	if (container->type == jbvObject)
	{
		bool		found;

		at = pgt_json_find(container, step->key, step->key_len, &found);
		if (!found)
			return PGT_MISSING;
		drop(change, &container->val.object.pairs[at].value);
	}
	else
	{
		if (!step->is_position)
			return PGT_NO_POSITION;
		at = step->position;
		if (at < 0)
			at += container->val.array.nElems;
		if (at < 0 || at >= container->val.array.nElems)
			return PGT_MISSING;
		drop(change, &container->val.array.elems[at]);
	}
	pgt_json_delete_entry(container, (int) at);
	return PGT_APPLIED;
}

static PgtOutcome
increment(PgtDoc *doc, int64 document, JsonbValue *container, PgtStep *step, PgtChange *change)
{
	JsonbValue	before;
	int64		branch;
	Numeric		sum;
	bool		found = false;
	int64		at;

	if (container->type == jbvObject)
	{
		at = pgt_json_find(container, step->key, step->key_len, &found);
		if (found)
			before = container->val.object.pairs[at].value;
		else
		{
			before.type = jbvNumeric;
			before.val.numeric = int64_to_numeric(0);
		}
	}
	else
	{
		if (!step->is_position)
			return PGT_MISSING;
		at = step->position;
		if (at < 0)
			at += container->val.array.nElems;
		if (at < 0 || at >= container->val.array.nElems)
			return PGT_MISSING;
		before = container->val.array.elems[at];
	}
	if (document != 0 && pgt_json_marker(&before, &branch))
	{
		/* A number was moved out of line because it has very many digits. */
		PgtNode    *node = pgt_doc_node(doc, document, branch);

		if (node == NULL)
			return PGT_DAMAGED;
		if (node->value == NULL)
			return PGT_WRONG_TYPE;
		pgt_ids_add(&change->dropped, branch);
		pgt_root_value(node->value, &before);
	}
	if (before.type != jbvNumeric)
		return PGT_WRONG_TYPE;
	sum = DatumGetNumeric(DirectFunctionCall2(numeric_add, NumericGetDatum(before.val.numeric), change->delta));
	if (numeric_is_nan(sum) || numeric_is_inf(sum))
		return PGT_WRONG_TYPE;
	change->sum = NumericGetDatum(sum);
	before.val.numeric = sum;
	if (container->type == jbvObject)
		pgt_json_put_member(container, step->key, step->key_len, &before);
	else
		container->val.array.elems[at] = before;
	return PGT_APPLIED;
}

void
pgt_change_cut(PgtChange *change, JsonbValue *array, int count)
{
	JsonbValue *elems = array->val.array.elems;

	for (int i = 0; i < count; i++)
		drop(change, &elems[i]);
	array->val.array.nElems -= count;
	memmove(elems, elems + count, sizeof(JsonbValue) * array->val.array.nElems);
}

/* Appends elements, all at once, because there may be many. */
static PgtOutcome
append(JsonbValue *container, PgtChange *change)
{
	int			more = pgt_json_count(&change->value);
	int			count;
	PgtCursor	cursor;
	JsonbValue	key;

	if (container->type != jbvArray)
		return PGT_MISSING;
	count = container->val.array.nElems;
	container->val.array.elems = repalloc_huge(container->val.array.elems, sizeof(JsonbValue) * (Size) Max(count + more, 1));
	pgt_json_begin(&cursor, &change->value);
	while (pgt_json_next(&cursor, &key, &container->val.array.elems[count]))
		count++;
	container->val.array.nElems = count;
	if (change->keep > 0 && count > change->keep)
		pgt_change_cut(change, container, count - change->keep);
	return PGT_APPLIED;
}

bool
pgt_change_adds(const PgtChange *change)
{
	return change->kind == PGT_INSERT || (change->kind == PGT_SET && change->flag);
}

PgtOutcome
pgt_change(PgtDoc *doc, int64 document, JsonbValue *root, PgtSteps *within, PgtChange *change)
{
	JsonbValue *container;
	PgtStep    *last = &within->steps[within->length - 1];
	bool		looks_like_get = change->kind == PGT_APPEND || change->kind == PGT_INCREMENT;

	change->dropped.count = 0;
	if (IsAJsonbScalar(root))
		return looks_like_get ? PGT_MISSING : PGT_WRONG_TYPE;
	container = parent(root, within);
	if (container == NULL || (container->type != jbvObject && container->type != jbvArray))
		return PGT_MISSING;
	switch (change->kind)
	{
		case PGT_SET:
			return set(container, last, change);
		case PGT_INSERT:
			return insert(container, last, change);
		case PGT_APPEND:
			return append(container, change);
		case PGT_REMOVE:
			return remove_entry(container, last, change);
		case PGT_INCREMENT:
			return increment(doc, document, container, last, change);
		default:
			elog(ERROR, "edit %d does not change one value", (int) change->kind);
	}
	return PGT_MISSING;
}
