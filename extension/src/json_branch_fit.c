/*
 * json_branch_fit.c: writes changed content back into a branch: as the same leaf, as several leaves, merged with a
 * neighbour, or not at all if it is empty; and updates the inner nodes above. The root of a branch keeps its id.
 */
#include "json_branch.h"

typedef struct Branch
{
	PgtFit	   *fit;
	PgtWriter	writer;
	PgtBuilder	builder;
	PgtIds		removed;		/* nodes that are no longer part of the branch */
} Branch;

/* Adjacent children. */
typedef struct Row
{
	int			count;
	PgtChild   *children;
} Row;

static Row
children_of(const PgtNode *node)
{
	Row			row;

	row.count = node->kid_count;
	row.children = palloc0(sizeof(PgtChild) * Max(row.count, 1));
	for (int i = 0; i < row.count; i++)
	{
		row.children[i].id = node->kids[i];
		if (node->starts != NULL)
			row.children[i].count = node->starts[i + 1] - node->starts[i];
		if (node->lows != NULL && VARSIZE_ANY_EXHDR(node->lows[i]) > 0)
			row.children[i].low = node->lows[i];
	}
	return row;
}

static int
index_of(const Row *row, int64 id)
{
	for (int i = 0; i < row->count; i++)
		if (row->children[i].id == id)
			return i;
	elog(ERROR, "node " INT64_FORMAT " is not below its parent", id);
	return -1;
}

#define leaf_splits(fit) ((fit)->bytes > options(fit)->leaf_size + options(fit)->leaf_size / 2 && pgt_json_count((fit)->content) > 0)
#define options(fit) pgt_json_options((fit)->doc->column)

static bool
leaf_folds(const PgtFit *fit)
{
	return fit->depth > 0 && (pgt_json_count(fit->content) == 0 || fit->bytes < options(fit)->leaf_size / 4);
}

void
pgt_fit(PgtFit *fit, PgtDoc *doc, int64 document, PgtNode **chain, int length, JsonbValue *content)
{
	PgtNode    *leaf = chain[length - 1];

	fit->doc = doc;
	fit->document = document;
	fit->chain = chain;
	fit->depth = length - 1;
	fit->content = content;
	fit->bytes = pgt_json_datum_bytes(content);
	fit->front = NULL;
	fit->structural = leaf_splits(fit) || leaf_folds(fit);
	if (leaf->kind == PGT_ARRAY && fit->depth > 0)
	{
		Row			row = children_of(chain[fit->depth - 1]);

		if (row.children[index_of(&row, leaf->id)].count != pgt_json_count(content))
			fit->structural = true;
	}
}

/* Returns the content as one leaf of the given size. */
static List *
one_leaf(JsonbValue *content, int64 bytes)
{
	PgtLeaf    *leaf = palloc0(sizeof(PgtLeaf));

	leaf->kind = pgt_json_kind(content);
	leaf->value = pgt_json_form(content);
	leaf->bytes = bytes;
	leaf->count = pgt_json_count(content);
	return list_make1(leaf);
}

static void
write_root(Branch *branch, const PgtNode *root, Row *children)
{
	Row			top = *children;

	if (children->count == 0)
	{
		JsonbValue	empty = {0};

		empty.type = root->kind == PGT_ARRAY ? jbvArray : jbvObject;
		pgt_replace_leaf(&branch->writer, root, linitial(one_leaf(&empty, pgt_json_bytes(&empty))));
		return;
	}
	if (children->count > options(branch->fit)->fan_out)
	{
		PgtLevels  *levels = pgt_levels_begin(&branch->builder, root->kind);

		for (int i = 0; i < children->count; i++)
			pgt_levels_add(levels, &children->children[i]);
		top.children = pgt_levels_top(levels, &top.count);
	}
	pgt_replace_inner(&branch->writer, root, top.children, top.count);
}

/* Writes an inner node that is not the root. It may be split into groups of about equal size, or disappear. */
static Row
write_inner(Branch *branch, const PgtNode *inner, const Row *children)
{
	int			fan_out = options(branch->fit)->fan_out;
	int			groups = (children->count + fan_out - 1) / fan_out;
	Row			nodes;

	nodes.count = groups;
	nodes.children = palloc0(sizeof(PgtChild) * Max(groups, 1));
	if (groups == 0)
		pgt_ids_add(&branch->removed, inner->id);
	for (int i = 0; i < groups; i++)
	{
		int			from = (int) ((int64) children->count * i / groups);
		int			to = (int) ((int64) children->count * (i + 1) / groups);
		PgtChild   *node = &nodes.children[i];

		if (i == 0)
		{
			pgt_replace_inner(&branch->writer, inner, children->children + from, to - from);
			node->id = inner->id;
		}
		else
			node->id = pgt_write_inner(&branch->writer, inner->kind, children->children + from, to - from);
		for (int k = from; k < to; k++)
			node->count += children->children[k].count;
		node->low = children->children[from].low;
	}
	return nodes;
}

/* Returns the children of a row after replacing span of them, starting at position at. */
static Row
with_others(const Row *row, int at, int span, const Row *others)
{
	Row			result;

	result.count = row->count - span + others->count;
	result.children = palloc(sizeof(PgtChild) * Max(result.count, 1));
	memcpy(result.children, row->children, sizeof(PgtChild) * at);
	memcpy(result.children + at, others->children, sizeof(PgtChild) * others->count);
	memcpy(result.children + at + others->count, row->children + at + span, sizeof(PgtChild) * (row->count - at - span));
	return result;
}

/*
 * Replaces adjacent leaves, starting with leaf, by others; then updates the nodes above that change.
 */
static void
replace(Branch *branch, PgtNode *leaf, int replaced, List *leaves)
{
	PgtNode   **chain = branch->fit->chain;
	int			depth = branch->fit->depth;
	int64		gone = leaf->id;
	int			span = replaced;
	Row			now;
	ListCell   *cell;

	now.count = 0;
	now.children = palloc0(sizeof(PgtChild) * Max(list_length(leaves), 1));
	foreach(cell, leaves)
	{
		PgtLeaf    *piece = lfirst(cell);
		PgtChild   *child = &now.children[now.count];

		if (now.count == 0 && (depth > 0 || list_length(leaves) == 1))
		{
			pgt_replace_leaf(&branch->writer, leaf, piece);
			child->id = leaf->id;
		}
		else
			child->id = pgt_write_leaf(&branch->writer, piece);
		/* Only elements of arrays are counted. */
		child->count = leaf->kind == PGT_ARRAY ? piece->count : 0;
		child->low = piece->low;
		now.count++;
	}
	if (depth == 0)
	{
		if (now.count > 1)
			write_root(branch, leaf, &now);
		return;
	}
	if (now.count == 0)
		pgt_ids_add(&branch->removed, leaf->id);
	for (int i = depth - 1; i >= 0; i--)
	{
		Row			before = children_of(chain[i]);
		int			at = index_of(&before, gone);
		Row			after;

		if (i == 0 && branch->fit->front != NULL)
			before.children[0].count -= branch->fit->front_removed;
		for (int k = 1; k < span; k++)
			pgt_ids_add(&branch->removed, before.children[at + k].id);
		if (now.count > 0)
			now.children[0].low = before.children[at].low;
		if (span == 1 && now.count == 1 && before.children[at].id == now.children[0].id &&
			before.children[at].count == now.children[0].count)
			return;
		after = with_others(&before, at, span, &now);
		if (i == 0)
		{
			write_root(branch, chain[0], &after);
			return;
		}
		now = write_inner(branch, chain[i], &after);
		gone = chain[i]->id;
		span = 1;
	}
}

/*
 * Merges with the next leaf or the previous one; returns false if the leaf has no neighbour or the result would be
 * too large.
 */
static bool
merge(Branch *branch)
{
	PgtFit	   *fit = branch->fit;
	PgtNode    *leaf = fit->chain[fit->depth];
	Row			row = children_of(fit->chain[fit->depth - 1]);
	int			at = index_of(&row, leaf->id);
	bool		next = at + 1 < row.count;
	PgtNode    *other;
	JsonbValue	neighbour;
	JsonbValue	joined = *fit->content;
	JsonbValue	first;
	JsonbValue	second;

	if (!next && at == 0)
		return false;
	other = pgt_doc_node(fit->doc, fit->document, row.children[next ? at + 1 : at - 1].id);
	if (other != NULL)
		other = pgt_lock_node(fit->doc, other);
	if (other == NULL || other->value == NULL || other->kind != leaf->kind ||
		fit->bytes + other->bytes > (int64) options(fit)->leaf_size * 3 / 4)
		return false;
	pgt_root_value(other->value, &neighbour);
	if (IsAJsonbScalar(&neighbour))
		return false;
	pgt_json_open(&neighbour);
	first = next ? joined : neighbour;
	second = next ? neighbour : joined;
	if (leaf->kind == PGT_ARRAY)
	{
		for (int i = 0; i < second.val.array.nElems; i++)
			pgt_json_insert_element(&first, first.val.array.nElems, &second.val.array.elems[i]);
	}
	else
		for (int i = 0; i < second.val.object.nPairs; i++)
			pgt_json_put_member(&first, second.val.object.pairs[i].key.val.string.val,
								second.val.object.pairs[i].key.val.string.len, &second.val.object.pairs[i].value);
	replace(branch, next ? leaf : other, 2, one_leaf(&first, pgt_json_bytes(&first)));
	return true;
}

void
pgt_fit_write(PgtFit *fit)
{
	Branch		branch = {0};
	PgtNode    *leaf = fit->chain[fit->depth];

	branch.fit = fit;
	branch.writer.doc = fit->doc;
	branch.writer.document = fit->document;
	branch.builder.options = options(fit);
	branch.builder.writer = &branch.writer;
	if (fit->front != NULL)
		pgt_replace_leaf(&branch.writer, fit->front, linitial(one_leaf(fit->front_content, pgt_json_bytes(fit->front_content))));
	if (leaf_splits(fit))
		replace(&branch, leaf, 1, pgt_store_leaves(&branch.builder, fit->content));
	else if (pgt_json_count(fit->content) == 0 && fit->depth > 0)
		replace(&branch, leaf, 1, NIL);
	else if (!leaf_folds(fit) || !merge(&branch))
		replace(&branch, leaf, 1, one_leaf(fit->content, fit->bytes - PGT_DATUM));
	if (branch.removed.count > 0)
	{
		pgt_doc_renew(fit->doc);
		pgt_delete_nodes(&branch.writer, &branch.removed, false);
	}
}
