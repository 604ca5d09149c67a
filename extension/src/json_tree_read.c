/* json_tree_read.c: reads documents: values, types and sizes, slices. */
#include "json_tree.h"

#include "miscadmin.h"

/* Walks to the place of a path. For the whole document it also looks up the head, because such a walk does not. */
static PgtOutcome
find(PgtDoc *doc, PgtPath *path, PgtSteps *steps, PgtWalk *walk)
{
	PgtOutcome	outcome;

	pgt_steps(steps, path);
	for (int i = 0; doc->kinds != NULL && i < steps->length && doc->kinds[i] != '\0'; i++)
		steps->steps[i].kind = doc->kinds[i];
	outcome = pgt_walk(doc, steps, steps->length, false, walk);
	if (outcome == PGT_APPLIED && walk->split && steps->length == 0 && walk->head == NULL)
		outcome = pgt_doc_head(doc, walk->document, &walk->head, &walk->generation);
	return outcome;
}

/* Returns true if a walk has reached the stub of a whole document. */
static bool
at_stub(PgtSteps *steps, PgtWalk *walk)
{
	return walk->split && steps->length == 0 && walk->count == 1;
}

PgtOutcome
pgt_doc_get(PgtDoc *doc, PgtPath *path, Size most, Jsonb **result)
{
	PgtSteps	steps;
	PgtWalk		walk;
	PgtHop	   *hop;
	PgtBuild	build;
	PgtOutcome	outcome = find(doc, path, &steps, &walk);

	if (outcome != PGT_APPLIED)
		return outcome;
	hop = pgt_walk_last(&walk);
	if (!walk.split && hop->present && pgt_lost_header(&hop->value, true))
		return PGT_DAMAGED;
	if (!walk.split && steps.length == 0 && walk.stub != NULL)
	{
		*result = walk.stub;
		return PGT_APPLIED;
	}
	pgt_build_begin(&build, doc, walk.split, walk.document, most);
	if (at_stub(&steps, &walk))
		return pgt_build_document(&build, walk.stub, walk.has_overflow, walk.overflow, result);
	if (hop->present)
		return pgt_build_value(&build, &hop->value, result);
	return hop->node != NULL ? pgt_build_node(&build, hop->node, result) : PGT_MISSING;
}

PgtOutcome
pgt_keyed_get(PgtColumn *column, PgtKey *key, PgtPath *path, Size most, Jsonb **result)
{
	PgtDoc		doc;
	PgtOutcome	outcome;

	pgt_doc_begin(&doc, column, key, false);
	outcome = pgt_doc_get(&doc, path, most, result);
	pgt_doc_end(&doc);
	return outcome;
}

/* Counts the members of an object below an inner node. */
static PgtOutcome
count_members(PgtDoc *doc, int64 document, PgtNode *inner, int level, PgtMet *met, int64 *count)
{
	for (int i = 0; i < inner->kid_count; i++)
	{
		PgtNode    *node;

		CHECK_FOR_INTERRUPTS();
		node = level > PGT_MAX_LEVELS ? NULL : pgt_doc_node(doc, document, inner->kids[i]);
		if (node == NULL || node->kind != PGT_OBJECT || !pgt_first_time(met, inner->kids[i], node))
			return PGT_DAMAGED;
		if (node->value != NULL)
			*count += JB_ROOT_COUNT(node->value);
		else
			PGT_TRY(count_members(doc, document, node, level + 1, met, count));
		pgt_node_free(node);
	}
	return PGT_APPLIED;
}

static const char *
type_of(JsonbValue *value)
{
	switch (value->type)
	{
		case jbvBinary:
			return JsonContainerIsArray(value->val.binary.data) ? "array" : "object";
		case jbvString:
			return "string";
		case jbvNumeric:
			return "number";
		case jbvBool:
			return "boolean";
		default:
			return "null";
	}
}

PgtOutcome
pgt_doc_describe(PgtDoc *doc, PgtPath *path, bool size, const char **type, int64 *count)
{
	PgtSteps	steps;
	PgtWalk		walk;
	PgtHop	   *hop;
	PgtMet		met;
	PgtOutcome	outcome = find(doc, path, &steps, &walk);

	pgt_met_begin(&met);
	*count = -1;
	if (outcome != PGT_APPLIED)
		return outcome;
	hop = pgt_walk_last(&walk);
	/* From now on, only the number of entries of each leaf is needed. */
	doc->shallow = true;
	if (hop->present)
	{
		*type = type_of(&hop->value);
		if (!size || hop->value.type != jbvBinary)
			return PGT_APPLIED;
		*count = JsonContainerSize(hop->value.val.binary.data);
		if (!at_stub(&steps, &walk))
			return PGT_APPLIED;
		*count -= 1;
		if (walk.has_overflow)
		{
			PgtNode    *overflow = pgt_doc_node(doc, walk.document, walk.overflow);

			if (overflow == NULL || overflow->kind != PGT_OBJECT)
				return PGT_DAMAGED;
			if (overflow->value == NULL)
				return count_members(doc, walk.document, overflow, 0, &met, count);
			*count += JB_ROOT_COUNT(overflow->value);
		}
		return PGT_APPLIED;
	}
	if (hop->node == NULL)
		return PGT_MISSING;
	*type = hop->node->kind == PGT_ARRAY ? "array" : hop->node->kind == PGT_OBJECT ? "object" : "string";
	if (!size || hop->node->kind == PGT_STRING)
		return PGT_APPLIED;
	*count = 0;
	if (hop->node->kind == PGT_OBJECT)
		return count_members(doc, walk.document, hop->node, 0, &met, count);
	*count = hop->node->starts[hop->node->kid_count];
	return PGT_APPLIED;
}

PgtOutcome
pgt_keyed_describe(PgtColumn *column, PgtKey *key, PgtPath *path, bool size, const char **type, int64 *count)
{
	PgtDoc		doc;
	PgtOutcome	outcome;

	pgt_doc_begin(&doc, column, key, false);
	outcome = pgt_doc_describe(&doc, path, size, type, count);
	pgt_doc_end(&doc);
	return outcome;
}

PgtOutcome
pgt_doc_slice(PgtDoc *doc, PgtPath *path, int64 from, int64 to, Jsonb **result)
{
	PgtSteps	steps;
	PgtWalk		walk;
	PgtHop	   *hop;
	PgtBuild	build;
	PgtOutcome	outcome = find(doc, path, &steps, &walk);

	if (outcome != PGT_APPLIED)
		return outcome;
	hop = pgt_walk_last(&walk);
	pgt_build_begin(&build, doc, walk.split, walk.document, MaxAllocSize);
	if (hop->present)
		return pgt_is_array(&hop->value)
			? pgt_build_slice(&build, NULL, hop->value.val.binary.data, from, to, result) : PGT_MISSING;
	return hop->node != NULL && hop->node->kind == PGT_ARRAY
		? pgt_build_slice(&build, hop->node, NULL, from, to, result) : PGT_MISSING;
}

PgtOutcome
pgt_keyed_slice(PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result)
{
	PgtDoc		doc;
	PgtOutcome	outcome;

	pgt_doc_begin(&doc, column, key, false);
	outcome = pgt_doc_slice(&doc, path, from, to, result);
	pgt_doc_end(&doc);
	return outcome;
}
