/*
 * json_tree_walk.c: finds the place that a path names: through the owner's row, markers and inner nodes.
 *
 * A walk uses one snapshot. A stub is valid only if its head names the row that contains the stub; the walk checks
 * this when it first follows a marker. Nodes are found one by one through the primary key, with one scan that is
 * restarted for each.
 */
#include "json_tree.h"

#include "access/htup_details.h"
#include "access/tableam.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

static void
read_header(PgtWalk *walk)
{
	JsonbContainer *root = &walk->stub->root;
	JsonbValue	header;
	JsonbContainer *array;

	if (!JsonContainerIsObject(root) ||
		getKeyJsonValueFromContainer(root, PGT_MARKER, PGT_MARKER_LEN, &header) == NULL)
		return;
	walk->split = true;
	walk->document = -1;
	walk->bare = JsonContainerSize(root) == 1;
	if (!pgt_is_array(&header))
		return;
	array = header.val.binary.data;
	walk->document = pgt_branch_number(getIthJsonbValueFromContainer(array, 0));
	walk->has_overflow = JsonContainerSize(array) > 1;
	if (walk->has_overflow)
		walk->overflow = pgt_branch_number(getIthJsonbValueFromContainer(array, 1));
}

static PgtHop *
add_hop(PgtWalk *walk, int step)
{
	PgtHop	   *hop;

	if (walk->count == walk->room)
	{
		walk->room *= 2;
		walk->hops = repalloc(walk->hops, walk->room * sizeof(PgtHop));
	}
	hop = &walk->hops[walk->count++];
	memset(hop, 0, sizeof(PgtHop));
	hop->step = step;
	return hop;
}

/* Returns true if a step can name the only element of a one-element array, but nothing else. */
static bool
is_only(PgtStep *step)
{
	return step->kind == PGT_STEP_POSITION && (step->position == 0 || step->position == -1);
}

/*
 * Takes one step into a value: element number rel, or the entry that the step names. Returns false if it finds
 * nothing.
 */
bool
pgt_step_into(PgtHop *from, bool split, PgtStep *step, JsonbValue *value)
{
	if (pgt_is_object(&from->value) && !from->has_rel)
		return step->kind != PGT_STEP_POSITION && getKeyJsonValueFromContainer(from->value.val.binary.data, split ? step->key : step->raw,
											split ? step->key_len : step->raw_len, value) != NULL;
	if (pgt_is_array(&from->value) && (from->has_rel || (step->is_position && step->kind != PGT_STEP_KEY)))
	{
		int64		at = from->has_rel ? from->rel : step->position;
		int64		size = JsonContainerSize(from->value.val.binary.data);
		JsonbValue *found;

		if (at < 0 && !from->has_rel)
			at += size;
		if (at < 0 || at >= size)
			return false;
		found = getIthJsonbValueFromContainer(from->value.val.binary.data, (uint32) at);
		if (found == NULL)
			return false;
		*value = *found;
		pfree(found);
		return true;
	}
	/* As in jsonb, a scalar is stored as an array of one element. */
	if (from->value.type != jbvBinary && is_only(step))
	{
		*value = from->value;
		return true;
	}
	return false;
}

/* Returns the child of an inner node that a step leads to, and the position in that child; -1 if it finds nothing. */
static int
descend(PgtHop *from, PgtStep *step, bool *has_rel, int64 *rel)
{
	PgtNode    *node = from->node;
	int			child;

	*has_rel = false;
	if (step->kind == (node->lows != NULL ? PGT_STEP_POSITION : PGT_STEP_KEY) && !from->has_rel)
		return -1;
	if (node->lows != NULL)
		return pgt_child_of(node, step->key, step->key_len);
	if (node->starts == NULL || !(from->has_rel || step->is_position))
		return -1;
	*rel = from->has_rel ? from->rel : step->position;
	if (*rel < 0 && !from->has_rel)
		*rel += node->starts[node->kid_count];
	child = pgt_child_at(node, *rel);
	if (child >= 0)
	{
		*has_rel = true;
		*rel -= node->starts[child];
	}
	return child;
}

/* Returns true if a member of the root is a path of the option keep_inline, or the beginning of one. */
static bool
is_kept(const PgtJsonOptions *options, const PgtStep *step)
{
	for (int i = 0; i < options->pin_count; i++)
	{
		PgtPath    *path = &options->pins[i];

		if (path->length > 0 && VARSIZE_ANY_EXHDR(path->steps[0]) == step->raw_len &&
			memcmp(VARDATA_ANY(path->steps[0]), step->raw, step->raw_len) == 0)
			return true;
	}
	return false;
}

/*
 * Determines whether a writer that does not find a member in the row continues in the overflow branch. Members that
 * keep_inline names are added to the row. Those that were in the overflow branch before the option was set stay there
 * until the next put.
 */
static PgtOutcome
goes_down(PgtDoc *doc, Jsonb *stub, PgtSteps *steps, bool *down)
{
	PgtWalk		walk;
	PgtOutcome	outcome = pgt_walk_from(doc, stub, steps, 1, false, &walk);
	PgtHop	   *last = &walk.hops[walk.count - 1];

	*down = last->present || last->node != NULL || walk.count < 2 || walk.hops[1].node == NULL || walk.hops[1].node->kind != PGT_OBJECT;
	return outcome;
}

PgtOutcome
pgt_walk_from(PgtDoc *doc, Jsonb *stub, PgtSteps *steps, int length, bool slot, PgtWalk *walk)
{
	int64		child = 0;
	bool		down = false;	/* whether the next hop is to node child */
	bool		has_rel = false;
	int64		rel = 0;
	int			step = 0;
	int			levels = 0;
	PgtHop	   *hop;

	memset(walk, 0, sizeof(PgtWalk));
	pgt_doc_snapshot_changed(doc);
	walk->room = 8;
	walk->hops = palloc(walk->room * sizeof(PgtHop));
	walk->stub = stub;
	hop = add_hop(walk, 0);
	if (stub == NULL)
		return PGT_APPLIED;
	read_header(walk);
	if (walk->split && slot && pgt_doc_head(doc, walk->document, &walk->head, &walk->generation) != PGT_APPLIED)
		return PGT_FOREIGN;
	if (walk->has_overflow)
	{
		JsonbValue	member;

		down = walk->bare || (length + slot > 0 &&
							  getKeyJsonValueFromContainer(&stub->root, steps->steps[0].key, steps->steps[0].key_len, &member) == NULL);
		child = walk->overflow;
		if (down && slot && is_kept(pgt_json_options(doc->column), &steps->steps[0]))
		{
			PgtOutcome	outcome = goes_down(doc, stub, steps, &down);

			if (outcome != PGT_APPLIED)
				return outcome;
		}
	}
	if (!down)
	{
		hop->present = true;
		pgt_root_value(stub, &hop->value);
	}
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (down)
		{
			PgtNode    *node;

			if (walk->head == NULL && pgt_doc_head(doc, walk->document, &walk->head, &walk->generation) != PGT_APPLIED)
				return PGT_FOREIGN;
			/*
			 * A reader takes one step into a leaf of an array: to the element that the inner node above determined.
			 */
			doc->partial = has_rel && !doc->writes;
			doc->upto = rel;
			node = child < 0 ? NULL : pgt_shared_node(doc, walk->document, child);
			doc->partial = false;
			if (node == NULL)
				return PGT_DAMAGED;
			hop = add_hop(walk, step);
			hop->node = node;
			hop->has_rel = has_rel;
			hop->rel = rel;
			hop->present = node->value != NULL;
			if (hop->present)
				pgt_root_value(node->value, &hop->value);
			levels = hop->present ? 0 : levels + 1;
			if (levels > PGT_MAX_LEVELS)
				return PGT_DAMAGED;
			down = false;
			has_rel = false;
		}
		else if (hop->present)
		{
			JsonbValue	value;
			bool		found;
			bool		damaged = false;

			if (step == length)
				return PGT_APPLIED;
			found = pgt_step_into(hop, walk->split, &steps->steps[step], &value);
			step++;
			if (found && !walk->split && pgt_lost_header(&value, false))
				return PGT_DAMAGED;
			if (found && walk->split && pgt_marked(&value, &child, &damaged))
			{
				if (damaged)
					return PGT_DAMAGED;
				down = true;
				continue;
			}
			hop = add_hop(walk, step);
			if (!found)
				return PGT_APPLIED;
			hop->present = true;
			hop->value = value;
		}
		else
		{
			int			at;

			if (step == length && !slot)
				return PGT_APPLIED;
			if (hop->node->kind == PGT_STRING && is_only(&steps->steps[step]))
			{
				hop->step = ++step;
				continue;
			}
			at = descend(hop, &steps->steps[step], &has_rel, &rel);
			if (at < 0)
			{
				add_hop(walk, step);
				return PGT_APPLIED;
			}
			child = hop->node->kids[at];
			down = true;
		}
	}
}

PgtOutcome
pgt_walk(PgtDoc *doc, PgtSteps *steps, int length, bool slot, PgtWalk *walk)
{
	PgtOwnerRow row;

	if (doc->stub != NULL)
		return pgt_walk_from(doc, doc->stub, steps, length, slot, walk);
	if (!pgt_owner_read(doc->column, doc->key, &row))
		return PGT_NO_ROW;
	if (doc->writes && !pgt_owner_permits(doc->column, doc->key))
		return PGT_DENIED;
	return pgt_walk_from(doc, row.isnull ? NULL : DatumGetJsonbP(row.value), steps, length, slot, walk);
}

int
pgt_walk_leaf(PgtWalk *walk)
{
	for (int i = walk->count - 1; i > 0; i--)
		if (walk->hops[i].node != NULL && walk->hops[i].present)
			return i;
	return 0;
}

int
pgt_walk_chain(PgtWalk *walk, int leaf, PgtNode **chain)
{
	int			first = leaf;

	while (first > 1 && pgt_hop_inner(&walk->hops[first - 1]))
		first--;
	for (int i = first; i <= leaf; i++)
		chain[i - first] = walk->hops[i].node;
	return leaf - first + 1;
}

void
pgt_walk_within(PgtWalk *walk, int leaf, PgtSteps *steps, PgtSteps *within)
{
	PgtHop	   *hop = &walk->hops[leaf];

	within->length = steps->length - hop->step;
	within->steps = palloc(Max(within->length, 1) * sizeof(PgtStep));
	memcpy(within->steps, steps->steps + hop->step, within->length * sizeof(PgtStep));
	if (!walk->split)
		for (int i = 0; i < within->length; i++)
		{
			within->steps[i].key = within->steps[i].raw;
			within->steps[i].key_len = within->steps[i].raw_len;
		}
	if (hop->has_rel && within->length > 0)
	{
		PgtStep    *first = &within->steps[0];

		first->key = first->raw = psprintf(INT64_FORMAT, hop->rel);
		first->key_len = first->raw_len = strlen(first->raw);
		first->is_position = true;
		first->position = (int32) hop->rel;
	}
}
