/* json_branch_source.c: reads the content to rebuild: values, and the branches that their markers name. */
#include "json_branch.h"

#include "miscadmin.h"
#include "utils/memutils.h"

void
pgt_source_damaged(PgtBuilder *builder)
{
	pgt_raise(PGT_DAMAGED, builder->writer->doc->column, builder->writer->doc->key, "json_shrink()");
}

PgtNode *
pgt_source_node(PgtBuilder *builder, int64 id)
{
	PgtNode    *node = pgt_doc_node(builder->writer->doc, builder->source, id);

	if (node == NULL)
		pgt_source_damaged(builder);
	return node;
}

char
pgt_store_kind(PgtBuilder *builder, const JsonbValue *value)
{
	int64		branch;

	if (builder->follow && pgt_json_marker(value, &branch))
		return pgt_source_node(builder, branch)->kind;
	return pgt_json_kind(value);
}

static void
each_below(PgtBuilder *builder, int64 id, char kind, int depth, PgtMet *met, PgtTaker taker, void *arg)
{
	MemoryContext memory = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster node", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(memory);
	PgtNode    *node = pgt_source_node(builder, id);

	CHECK_FOR_INTERRUPTS();
	/* All nodes of a branch have the same kind. */
	if (depth > PGT_MAX_LEVELS || (depth > 0 && node->kind != kind) || !pgt_first_time(met, id, node))
		pgt_source_damaged(builder);
	if (node->value == NULL)
	{
		for (int i = 0; i < node->kid_count; i++)
			each_below(builder, node->kids[i], node->kind, depth + 1, met, taker, arg);
	}
	else
	{
		JsonbValue	root;

		pgt_root_value(node->value, &root);
		if (IsAJsonbScalar(&root))
			taker(arg, NULL, &root);
		else
		{
			PgtCursor	cursor;
			JsonbValue	key;
			JsonbValue	value;
			bool		object = pgt_json_kind(&root) == PGT_OBJECT;

			pgt_json_begin(&cursor, &root);
			while (pgt_json_next(&cursor, &key, &value))
				taker(arg, object ? &key : NULL, &value);
		}
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(memory);
}

void
pgt_store_each(PgtBuilder *builder, const JsonbValue *value, PgtTaker taker, void *arg)
{
	int64		branch;

	if (builder->follow && pgt_json_marker(value, &branch))
	{
		PgtMet		met;

		pgt_met_begin(&met);
		each_below(builder, branch, 0, 0, &met, taker, arg);
	}
	else
	{
		PgtCursor	cursor;
		JsonbValue	key;
		JsonbValue	entry;
		bool		object = pgt_json_kind(value) == PGT_OBJECT;

		pgt_json_begin(&cursor, value);
		while (pgt_json_next(&cursor, &key, &entry))
			taker(arg, object ? &key : NULL, &entry);
	}
}

/* Appends the text of a piece of a string. */
static void
join(void *arg, const JsonbValue *key, const JsonbValue *value)
{
	if (value->type == jbvString)
		appendBinaryStringInfo((StringInfo) arg, value->val.string.val, value->val.string.len);
}

void
pgt_source_text(PgtBuilder *builder, int64 branch, StringInfo text)
{
	PgtMet		met;

	pgt_met_begin(&met);
	each_below(builder, branch, 0, 0, &met, join, text);
}
