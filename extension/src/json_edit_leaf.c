/*
 * json_edit_leaf.c: sets and increments values in place: in a leaf that neither splits nor merges, or in the owner's row
 * while it stays within its budget. json_edit_slot.c does everything else.
 *
 * It does not hold a lock between reading and writing. It remembers the version of the leaf and the generation of the
 * head, or the whole stub. If one of them has changed since, it writes nothing and reads again. It locks in the same
 * order as all writers: first the head (shared), then the leaf.
 */
#include "json_edit.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "utils/numeric.h"

#define MAX_ATTEMPTS 100

/* Bytes that jsonb needs per key in addition to the key itself. */
#define KEY_ENTRY ((int) sizeof(JEntry))

/* The place of the last step of a path. */
typedef struct Slot
{
	PgtDoc	   *doc;
	PgtSteps	steps;
	PgtWalk		walk;
	PgtStep    *last;
	bool		in_object;
	bool		found;
	JsonbValue	old;
	Jsonb	   *refused;		/* stub that could not be replaced, or NULL */
} Slot;

/* Result of an attempt. */
typedef enum Attempt
{
	DONE, AGAIN, NOT_HERE
} Attempt;

/*
 * Finds the container of the last step. Returns PGT_ELSEWHERE if it does not exist, or if its entries may be out of
 * line.
 */
static PgtOutcome
find_slot(Slot *slot)
{
	PgtOutcome	outcome = pgt_walk(slot->doc, &slot->steps, slot->steps.length - 1, true, &slot->walk);
	PgtHop	   *hop;

	if (outcome != PGT_APPLIED)
		return outcome;
	hop = pgt_walk_last(&slot->walk);
	slot->last = &slot->steps.steps[slot->steps.length - 1];
	if (!hop->present || hop->step != slot->steps.length - 1 || hop->value.type != jbvBinary)
		return PGT_ELSEWHERE;
	slot->in_object = pgt_is_object(&hop->value);
	slot->found = pgt_step_into(hop, slot->walk.split, slot->last, &slot->old);
	if (!slot->found && !slot->in_object)
		return PGT_ELSEWHERE;
	if (slot->found && slot->old.type == jbvBinary && slot->walk.split &&
		pgt_has_marker_text(slot->old.val.binary.data, slot->old.val.binary.len))
		return PGT_ELSEWHERE;
	return PGT_APPLIED;
}

/* Returns the size of the old value. For an added key, it is negative: the size of the key and its entry. */
static int64
old_bytes(Slot *slot)
{
	if (slot->found)
		return pgt_value_size(&slot->old);
	return -(KEY_ENTRY + (slot->walk.split ? slot->last->key_len : slot->last->raw_len));
}

static Attempt
write_row(Slot *slot, Jsonb *value)
{
	PgtJsonOptions *options = pgt_json_options(slot->doc->column);
	PgtSteps	within;
	Jsonb	   *changed;
	int64		growth = (int64) VARSIZE(value) - Min(old_bytes(slot), slot->found ? PG_INT64_MAX : 0);

	pgt_walk_within(&slot->walk, 0, &slot->steps, &within);
	if (growth > options->row_budget || pgt_splice(slot->walk.stub, &within, value, &changed) != PGT_APPLIED)
		return NOT_HERE;
	/* If the row is the same at the second attempt, no other writer was the reason: the row is too large. */
	if (slot->refused != NULL && VARSIZE(slot->refused) == VARSIZE(slot->walk.stub) &&
		memcmp(slot->refused, slot->walk.stub, VARSIZE(slot->refused)) == 0)
		return NOT_HERE;
	slot->refused = slot->walk.stub;
	return pgt_owner_replace(slot->doc->column, slot->doc->key, JsonbPGetDatum(slot->walk.stub), JsonbPGetDatum(changed), growth,
							 options->row_budget) ? DONE : AGAIN;
}

static Attempt
write_leaf(Slot *slot, int leaf, Jsonb *value)
{
	PgtJsonOptions *options = pgt_json_options(slot->doc->column);
	PgtTable   *table = pgt_doc_node_table(slot->doc);
	PgtNode    *node = slot->walk.hops[leaf].node;
	int64		bytes = node->bytes + (int64) VARSIZE(value) - old_bytes(slot);
	bool		container = !JB_ROOT_IS_SCALAR(value) || (slot->found && slot->old.type == jbvBinary);
	PgtSteps	within;
	Jsonb	   *changed;
	int			columns[] = {PGT_NODE_VERSION, PGT_NODE_BYTES, PGT_NODE_VALUE};
	Datum		values[3];
	bool		nulls[3] = {false, false, false};
	HeapTuple	tuple;

	if (bytes > options->leaf_size + options->leaf_size / 2 || bytes < 0)
		return NOT_HERE;
	/* A new container may need its own branch, or the leaf may become so small that it must be merged. */
	if (container && (bytes < options->leaf_size / 4 || VARSIZE(value) > options->leaf_size / 2))
		return NOT_HERE;
	pgt_walk_within(&slot->walk, leaf, &slot->steps, &within);
	if (pgt_splice(node->value, &within, value, &changed) != PGT_APPLIED)
		return NOT_HERE;
	if (pgt_lock_head(slot->doc, &slot->walk, false) == NULL)
		return AGAIN;
	values[0] = Int64GetDatum(node->version + 1);
	values[1] = Int32GetDatum((int32) bytes);
	values[2] = JsonbPGetDatum(changed);
	tuple = heap_modify_tuple_by_cols(node->tuple, RelationGetDescr(table->rel), 3, columns, values, nulls);
	return pgt_update(table, node->tuple, tuple) ? DONE : AGAIN;
}

/* Returns true if a value can be written to a leaf unchanged: it has no key to escape. */
static bool
is_plain(Jsonb *value)
{
	return JB_ROOT_IS_SCALAR(value) || !pgt_has_marker_text(&value->root, VARSIZE(value) - VARHDRSZ);
}

/* Computes the new value of a slot. Returns PGT_APPLIED, or the reason why the slot has no new value. */
typedef PgtOutcome (*NewValue) (Slot *slot, PgtEdit *edit, Jsonb **value);

static PgtOutcome
edit_in_place(PgtDoc *doc, PgtEdit *edit, NewValue new_value)
{
	Slot		slot;

	slot.doc = doc;
	slot.refused = NULL;
	pgt_steps(&slot.steps, edit->path);
	for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
	{
		PgtOutcome	outcome;
		Attempt		result = NOT_HERE;
		Jsonb	   *value;
		bool		again = attempt > 0;

		CHECK_FOR_INTERRUPTS();
		if (again)
			pgt_push_snapshot();
		outcome = find_slot(&slot);
		if (outcome == PGT_APPLIED)
			outcome = new_value(&slot, edit, &value);
		if (outcome == PGT_APPLIED)
		{
			int			leaf = pgt_walk_leaf(&slot.walk);

			result = leaf > 0 ? write_leaf(&slot, leaf, value) : write_row(&slot, value);
		}
		if (again)
			pgt_pop_snapshot();
		if (outcome != PGT_APPLIED || result == DONE)
			return outcome;
		if (result == NOT_HERE)
			break;
	}
	return PGT_ELSEWHERE;
}

static PgtOutcome
edit(PgtColumn *column, PgtKey *key, PgtEdit *edit, NewValue new_value)
{
	PgtDoc		doc;
	PgtOutcome	outcome = PGT_ELSEWHERE;

	if (edit->path->length > 0 && !pgt_json_options(column)->touch &&
		!pgt_key_like_marker(VARDATA_ANY(edit->path->steps[edit->path->length - 1]),
							 VARSIZE_ANY_EXHDR(edit->path->steps[edit->path->length - 1])))
	{
		pgt_doc_begin(&doc, column, key, true);
		outcome = edit_in_place(&doc, edit, new_value);
		pgt_doc_end(&doc);
	}
	return outcome == PGT_ELSEWHERE ? pgt_json_edit(column, key, edit) : outcome;
}

static PgtOutcome
value_to_set(Slot *slot, PgtEdit *edit, Jsonb **value)
{
	if (!slot->found && !edit->flag)
		return PGT_MISSING;
	*value = edit->value;
	return PGT_APPLIED;
}

PgtOutcome
pgt_keyed_set(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool create, bool parents)
{
	PgtEdit		set = {.kind = PGT_SET,.path = path,.value = value,.flag = create || parents,.parents = parents};

	return is_plain(value) ? edit(column, key, &set, value_to_set) : pgt_json_edit(column, key, &set);
}

/* A missing number in an object counts as 0. */
static PgtOutcome
sum_to_set(Slot *slot, PgtEdit *edit, Jsonb **value)
{
	JsonbValue	sum = {.type = jbvNumeric};

	if (slot->found && slot->old.type != jbvNumeric)
		return PGT_ELSEWHERE;
	edit->sum = DirectFunctionCall2(numeric_add,
									slot->found ? NumericGetDatum(slot->old.val.numeric) : NumericGetDatum(int64_to_numeric(0)),
									edit->delta);
	sum.val.numeric = DatumGetNumeric(edit->sum);
	*value = pgt_value_jsonb(&sum);
	return PGT_APPLIED;
}

PgtOutcome
pgt_keyed_increment(PgtColumn *column, PgtKey *key, PgtPath *path, Datum delta, Datum *sum)
{
	PgtEdit		increment = {.kind = PGT_INCREMENT,.path = path,.delta = delta};
	PgtOutcome	outcome;

	if (numeric_is_nan(DatumGetNumeric(delta)) || numeric_is_inf(DatumGetNumeric(delta)))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a number that is not finite cannot be added")));
	outcome = edit(column, key, &increment, sum_to_set);
	*sum = increment.sum;
	return outcome;
}
