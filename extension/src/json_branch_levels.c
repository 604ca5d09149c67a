/* json_branch_levels.c: builds the inner nodes above leaves that are added in order. */
#include "json_branch.h"

static bool
closes_inner(const PgtJsonOptions *options, int children, int64 last)
{
	if (children >= options->fan_out)
		return true;
	return children >= Max(options->fan_out / 2, 2) &&
		pgt_hash_modulo((uint32) (last ^ ((uint64) last >> 32)), Max(options->fan_out / 4, 2)) == 0;
}

typedef struct Level
{
	int			count;
	PgtChild   *children;
} Level;

struct PgtLevels
{
	PgtBuilder *builder;
	char		kind;
	MemoryContext memory;
	int			count;
	Level		levels[PGT_MAX_LEVELS];
};

PgtLevels *
pgt_levels_begin(PgtBuilder *builder, char kind)
{
	PgtLevels  *levels = palloc0(sizeof(PgtLevels));

	levels->builder = builder;
	levels->kind = kind;
	levels->memory = CurrentMemoryContext;
	return levels;
}

static PgtChild
write_inner(PgtLevels *levels, Level *level)
{
	PgtChild	node = {0};

	node.id = pgt_write_inner(levels->builder->writer, levels->kind, level->children, level->count);
	for (int i = 0; i < level->count; i++)
		node.count += level->children[i].count;
	node.low = level->children[0].low;
	return node;
}

static void
add_to_level(PgtLevels *levels, int number, PgtChild child)
{
	const PgtJsonOptions *options = levels->builder->options;
	Level	   *level = &levels->levels[number];

	if (number == levels->count)
	{
		if (number == PGT_MAX_LEVELS)
			elog(ERROR, "a branch has too many levels");
		level->children = MemoryContextAlloc(levels->memory, sizeof(PgtChild) * options->fan_out);
		levels->count++;
	}
	/* Close the node only when the next child arrives, so that the last node of a level is never empty. */
	if (level->count > 0 && closes_inner(options, level->count, level->children[level->count - 1].id))
	{
		PgtChild	full = write_inner(levels, level);

		level->count = 0;
		add_to_level(levels, number + 1, full);
	}
	level->children[level->count++] = child;
}

void
pgt_levels_add(PgtLevels *levels, const PgtChild *child)
{
	PgtChild	copy = *child;

	if (copy.low != NULL)
	{
		copy.low = MemoryContextAlloc(levels->memory, VARSIZE_ANY(child->low));
		memcpy(copy.low, child->low, VARSIZE_ANY(child->low));
	}
	add_to_level(levels, 0, copy);
}

PgtChild *
pgt_levels_top(PgtLevels *levels, int *count)
{
	Level	   *last;

	for (int i = 0; i < levels->count - 1; i++)
	{
		Level	   *open = &levels->levels[i];

		add_to_level(levels, i + 1, open->count == 1 ? open->children[0] : write_inner(levels, open));
	}
	last = &levels->levels[levels->count - 1];
	*count = last->count;
	return last->children;
}

void
pgt_levels_leaf(PgtLevels *levels, const PgtLeaf *leaf)
{
	PgtChild	child;

	child.id = pgt_write_leaf(levels->builder->writer, leaf);
	child.count = leaf->count;
	child.low = leaf->low;
	pgt_levels_add(levels, &child);
}

void
pgt_levels_root(PgtLevels *levels, PgtPart *part)
{
	Level		top;
	int64		id;

	top.children = pgt_levels_top(levels, &top.count);
	id = top.count == 1 ? top.children[0].id : write_inner(levels, &top).id;
	pgt_json_make_marker(&part->value, id);
	part->size = pgt_json_bytes(&part->value);
	part->marker = true;
}
