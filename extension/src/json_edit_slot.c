/*
 * json_edit_slot.c: edits one slot of a document in the general case. It reads the document, computes the new content,
 * then takes the necessary locks. If the rows that it read have changed meanwhile, it reads again, with the locks
 * held.
 *
 * It locks in the same order as the library's writers, which may change the same document: the owner's row (to
 * change its content); the head (shared by all writers, exclusively to drop branches); the root of a branch and the
 * nodes below (to change its structure); the leaf.
 */
#include "json_edit.h"

#include "access/htup_details.h"
#include "mb/pg_wchar.h"
#include "utils/datum.h"

#define MAX_ATTEMPTS 100

/* Deletes branches that no marker names any more. */
static void
drop(PgtDoc *doc, int64 document, const PgtIds *branches, HeapTuple head)
{
	PgtWriter	writer = {.doc = doc,.document = document};

	pgt_doc_renew(doc);
	pgt_delete_nodes(&writer, branches, true);
	pgt_raise_generation(doc, head);
}

/*
 * Each of the following functions returns false if the rows of the walk have changed; the caller then repeats the
 * walk.
 */

static bool
in_row(PgtDoc *doc, PgtWalk *walk, PgtSteps *steps, PgtChange *change, PgtOutcome *outcome)
{
	PgtSteps	within;
	JsonbValue	tree;
	PgtOwnerRow row;
	HeapTuple	head = NULL;

	pgt_walk_within(walk, 0, steps, &within);
	pgt_root_value(walk->stub, &tree);
	*outcome = pgt_change(doc, walk->split ? walk->document : 0, &tree, &within, change);
	if (*outcome != PGT_APPLIED)
		return true;
	if (!pgt_owner_lock(doc->column, doc->key, &row))
	{
		*outcome = pgt_owner_unlocked(doc->column, doc->key);
		return true;
	}
	if (row.isnull || !datum_image_eq(row.value, JsonbPGetDatum(walk->stub), false, -1))
		return false;
	if (walk->split)
	{
		head = pgt_lock_head(doc, walk, change->dropped.count > 0);
		if (head == NULL)
			return false;
	}
	pgt_write_row(doc, walk, &tree, &row);
	if (walk->split && change->dropped.count > 0)
		drop(doc, walk->document, &change->dropped, head);
	return true;
}

/* Locks nodes; returns true if none has changed since the walk. */
static bool
lock_nodes(PgtDoc *doc, PgtNode **chain, int from, int to)
{
	for (int i = from; i < to; i++)
	{
		PgtNode    *locked = pgt_lock_node(doc, chain[i]);

		if (locked == NULL || locked->version != chain[i]->version)
			return false;
		chain[i]->tuple = locked->tuple;
	}
	return true;
}

/*
 * Removes elements from the first leaf of an array of several leaves. Returns PGT_ELSEWHERE if that is not enough, or if
 * nodes would have to be dropped or joined.
 */
static PgtOutcome
cut_front(PgtFit *fit, PgtChange *change, JsonbValue *rest)
{
	PgtNode    *root = fit->chain[0];
	int64		removed = root->starts[root->kid_count] + pgt_json_count(&change->value) - change->keep;
	PgtNode    *front;

	if (removed <= 0)
		return PGT_APPLIED;
	if (fit->depth != 1 || root->kids[0] == fit->chain[1]->id || removed >= root->starts[1] ||
		fit->bytes < pgt_json_options(fit->doc->column)->leaf_size / 4)
		return PGT_ELSEWHERE;
	front = pgt_doc_node(fit->doc, fit->document, root->kids[0]);
	if (front == NULL || front->value == NULL || front->kind != PGT_ARRAY)
		return PGT_ELSEWHERE;
	pgt_root_value(front->value, rest);
	pgt_json_open(rest);
	if (rest->val.array.nElems != root->starts[1])
		return PGT_ELSEWHERE;
	pgt_change_cut(change, rest, (int) removed);
	fit->front = front;
	fit->front_content = rest;
	fit->front_removed = (int) removed;
	return change->dropped.count > 0 ? PGT_ELSEWHERE : PGT_APPLIED;
}

static bool
in_leaf(PgtDoc *doc, PgtWalk *walk, int at, PgtSteps *steps, PgtChange *change, PgtOutcome *outcome)
{
	PgtNode    *chain[PGT_MAX_LEVELS + 1];
	int			length = pgt_walk_chain(walk, at, chain);
	PgtNode    *leaf = chain[length - 1];
	bool		touch = pgt_json_options(doc->column)->touch;
	PgtSteps	within;
	JsonbValue	content;
	JsonbValue	rest;
	PgtFit		fit;
	PgtOwnerRow row;
	HeapTuple	head;
	int			keep = change->keep;
	bool		window;

	pgt_root_value(leaf->value, &content);
	if (leaf->kind != PGT_ARRAY && leaf->kind != PGT_OBJECT)
	{
		/* A scalar has no slots. PostgreSQL rejects the edit only if the scalar is the root. */
		*outcome = walk->hops[at].step == 0 && change->kind != PGT_APPEND && change->kind != PGT_INCREMENT
			? PGT_WRONG_TYPE : PGT_MISSING;
		return true;
	}
	pgt_walk_within(walk, at, steps, &within);
	/* Of an array of several leaves, this leaf contains only the end. */
	window = keep > 0 && length > 1 && within.length == 1;
	if (window)
		change->keep = 0;
	*outcome = pgt_change(doc, walk->document, &content, &within, change);
	change->keep = keep;
	if (*outcome != PGT_APPLIED)
		return true;
	pgt_fit(&fit, doc, walk->document, chain, length, &content);
	if (window)
	{
		*outcome = cut_front(&fit, change, &rest);
		if (*outcome != PGT_APPLIED)
			return true;
	}
	if (touch && !pgt_owner_lock(doc->column, doc->key, &row))
	{
		*outcome = pgt_owner_unlocked(doc->column, doc->key);
		return true;
	}
	head = pgt_lock_head(doc, walk, change->dropped.count > 0);
	if (head == NULL)
		return false;
	if (fit.front != NULL)
	{
		PgtNode    *nodes[] = {chain[0], fit.front, chain[1]};

		if (!lock_nodes(doc, nodes, 0, 3))
			return false;
	}
	else if (!lock_nodes(doc, chain, fit.structural ? 0 : length - 1, length))
		return false;
	pgt_fit_write(&fit);
	if (change->dropped.count > 0)
		drop(doc, walk->document, &change->dropped, head);
	if (touch)
		pgt_update_row(doc, row.isnull ? NULL : DatumGetJsonbP(row.value));
	return true;
}

/* Returns true if the walk has reached the container of the last step. */
static bool
reached(PgtWalk *walk, PgtSteps *steps)
{
	PgtHop	   *last = pgt_walk_last(walk);

	return last->step == steps->length - 1 && last->present;
}

static bool
hop_is_array(PgtHop *hop)
{
	return pgt_hop_inner(hop) ? hop->node->kind == PGT_ARRAY : hop->present && pgt_is_array(&hop->value);
}

static bool
hop_is_container(PgtHop *hop)
{
	if (pgt_hop_inner(hop))
		return hop->node->kind != PGT_STRING;
	return hop->present && hop->value.type == jbvBinary;
}

/* PostgreSQL ignores the path if the root is empty and the edit adds nothing. */
static bool
is_no_op_on_empty(PgtHop *hop, const PgtChange *change)
{
	return (change->kind == PGT_REMOVE || (change->kind == PGT_SET && !change->flag)) && hop->step == 0 && hop->present &&
		hop->value.type == jbvBinary && JsonContainerSize(hop->value.val.binary.data) == 0;
}

/*
 * Decides what to do if the container was not reached. Returns PGT_APPLIED for an edit beyond the end of an array:
 * the edit becomes an insert at that end, *end. Also if missing parents are to be created: sets *missing to the number
 * of the first missing step.
 */
static PgtOutcome
beside(PgtWalk *walk, PgtSteps *steps, PgtChange *change, const char **end, int *missing)
{
	PgtHop	   *from = &walk->hops[Max(walk->count - 2, 0)];
	PgtStep    *last = &steps->steps[steps->length - 1];

	if (change->kind == PGT_APPEND || change->kind == PGT_INCREMENT)
		return PGT_MISSING;
	if (is_no_op_on_empty(from, change))
		return PGT_MISSING;
	if (hop_is_array(from) && !steps->steps[from->step].is_position)
		return PGT_NO_POSITION;
	if (from->step == 0 && !hop_is_container(from))
		return PGT_WRONG_TYPE;
	*missing = from->step;
	if (change->parents && from->step < steps->length - 1 && hop_is_container(from))
		return PGT_APPLIED;
	if (from->step != steps->length - 1 || !pgt_hop_inner(from) || from->node->kind != PGT_ARRAY || !pgt_change_adds(change))
		return PGT_MISSING;
	*end = last->position < 0 ? "0" : "-1";
	change->kind = PGT_INSERT;
	change->flag = last->position >= 0;
	return PGT_APPLIED;
}

/* Returns a path with another last step. */
static PgtPath
with_last(PgtPath *path, int length, const char *last)
{
	PgtPath		result;

	result.length = length;
	result.steps = palloc(sizeof(text *) * length);
	memcpy(result.steps, path->steps, sizeof(text *) * (length - 1));
	result.steps[length - 1] = cstring_to_text(last);
	return result;
}

/*
 * Puts a value into new arrays and objects, one for each step from a number on. A position of up to 9 characters creates
 * an array.
 */
static void
nest(PgtSteps *steps, int from, JsonbValue *value)
{
	for (int i = steps->length - 1; i >= from; i--)
	{
		PgtStep    *step = &steps->steps[i];
		char	   *position = psprintf("%d", step->position);
		JsonbValue	outer = {0};

		if (step->is_position && step->raw_len <= 9 && strlen(position) == step->raw_len &&
			memcmp(position, step->raw, step->raw_len) == 0)
		{
			outer.type = jbvArray;
			outer.val.array.elems = palloc(sizeof(JsonbValue));
			pgt_json_insert_element(&outer, 0, value);
		}
		else
		{
			outer.type = jbvObject;
			outer.val.object.pairs = palloc(sizeof(JsonbPair));
			pgt_json_put_member(&outer, step->raw, step->raw_len, value);
		}
		*value = outer;
	}
	pgt_root_value(pgt_json_form(value), value);
}

/* The root is not a slot, so nothing happens, except that PostgreSQL rejects the edit if the root is a scalar. */
static PgtOutcome
at_root(PgtDoc *doc)
{
	PgtPath		root = {0, NULL};
	const char *type = NULL;
	int64		count;
	PgtOutcome	outcome = pgt_keyed_describe(doc->column, doc->key, &root, false, &type, &count);

	if (outcome == PGT_APPLIED && strcmp(type, "object") != 0 && strcmp(type, "array") != 0)
		return PGT_WRONG_TYPE;
	return outcome == PGT_APPLIED || outcome == PGT_NO_CONTENT ? PGT_MISSING : outcome;
}

PgtOutcome
pgt_edit_slot(PgtDoc *doc, PgtPath *path, PgtChange *change)
{
	PgtPath		slot = *path;
	JsonbValue	given = change->value;
	JsonbValue	whole;
	PgtSteps	steps;
	bool		renews = false;

	if (change->kind == PGT_APPEND)
		slot = with_last(path, path->length + 1, "-1");
	if (slot.length == 0)
		return at_root(doc);
	if ((change->kind == PGT_SET || change->kind == PGT_INSERT || change->kind == PGT_APPEND) && !IsAJsonbScalar(&given))
		pgt_root_value(pgt_json_form(&change->value), &given);
	pgt_steps(&steps, &slot);
	whole = given;
	for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
	{
		PgtWalk		walk;
		PgtOutcome	outcome;
		bool		done;
		int			leaf;

		CHECK_FOR_INTERRUPTS();
		if (renews)
			pgt_doc_renew(doc);
		if (renews && change->parents)
		{
			/* Another writer may have created some of the parents. */
			change->kind = PGT_SET;
			change->flag = true;
			slot = *path;
			pgt_steps(&steps, &slot);
			given = whole;
		}
		renews = true;
		PGT_TRY(pgt_walk(doc, &steps, steps.length - 1, true, &walk));
		if (walk.stub == NULL)
			return change->parents ? PGT_ELSEWHERE : PGT_MISSING;
		if (!reached(&walk, &steps))
		{
			const char *end;
			int			missing;

			PGT_TRY(beside(&walk, &steps, change, &end, &missing));
			if (missing < steps.length - 1)
			{
				nest(&steps, missing + 1, &given);
				slot.length = missing + 1;
			}
			else
				slot = with_last(&slot, slot.length, end);
			pgt_steps(&steps, &slot);
			renews = false;
			continue;
		}
		if (is_no_op_on_empty(pgt_walk_last(&walk), change))
			return PGT_MISSING;
		change->value = given;
		if (walk.split && (change->kind == PGT_SET || change->kind == PGT_INSERT || change->kind == PGT_APPEND))
			pgt_json_escape(&change->value);
		leaf = pgt_walk_leaf(&walk);
		if (leaf == 0)
			done = in_row(doc, &walk, &steps, change, &outcome);
		else
			done = in_leaf(doc, &walk, leaf, &steps, change, &outcome);
		if (done)
			return outcome;
	}
	ereport(ERROR,
			(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
			 errmsg("other writers kept changing the place of the edit in %s; try again", pgt_column_text(doc->column))));
	return PGT_DAMAGED;
}
