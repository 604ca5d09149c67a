/*
 * json_tree_build.c: assembles a value of a split document as one jsonb.
 *
 * The result is written in jsonb's own format, from front to back, as the server does. Containers without markers and
 * escaped keys are copied as they are; no tree of values is built. Besides the result, one leaf per level is in memory.
 * If an object has several leaves, they are all in memory, because its keys precede its values.
 */
#include "json_tree.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "utils/memutils.h"

/* A member of an object to be written. */
typedef struct Member
{
	const char *key;
	int			key_len;
	uint32		type;			/* as in a JEntry */
	const char *data;
	uint32		len;
} Member;

typedef struct Members
{
	int64		count;
	int64		room;
	Member	   *members;
} Members;

static PgtOutcome add_branch(PgtBuild *build, int64 id, uint32 *type);
static PgtOutcome add_container(PgtBuild *build, const JsonbContainer *container, uint32 len);

/* Adds a stored value; replaces markers with the values that they refer to. */
static PgtOutcome
add_value(PgtBuild *build, PgtFrame *frame, uint32 type, const char *data, uint32 len)
{
	int			from = build->out.text.len;

	if (type == JENTRY_ISCONTAINER || type == JENTRY_ISNUMERIC)
	{
		if (type == JENTRY_ISCONTAINER && build->split && pgt_has_marker_text(data, len))
		{
			JsonbValue	value = {.type = jbvBinary};
			int64		branch;
			bool		damaged;

			value.val.binary.data = (JsonbContainer *) data;
			value.val.binary.len = len;
			if (pgt_marked(&value, &branch, &damaged))
			{
				if (damaged)
					return PGT_DAMAGED;
				PGT_TRY(add_branch(build, branch, &type));
				return pgt_out_entry(&build->out, frame, type, from);
			}
			PGT_TRY(pgt_out_pad(&build->out));
			PGT_TRY(add_container(build, value.val.binary.data, len));
			return pgt_out_entry(&build->out, frame, type, from);
		}
		PGT_TRY(pgt_out_pad(&build->out));
	}
	PGT_TRY(pgt_out_append(&build->out, data, len));
	return pgt_out_entry(&build->out, frame, type, from);
}

/* Adds the elements in [from, to) of an array. */
static PgtOutcome
add_elements(PgtBuild *build, PgtFrame *frame, const JsonbContainer *array, uint32 from, uint32 to)
{
	const char *base = (const char *) &array->children[JsonContainerSize(array)];
	uint32		offset = from == 0 ? 0 : getJsonbOffset(array, from);

	for (uint32 i = from; i < to; i++)
	{
		uint32		type;
		const char *data;
		uint32		len;

		pgt_entry_at(array, base, i, &offset, &type, &data, &len);
		PGT_TRY(add_value(build, frame, type, data, len));
	}
	return PGT_APPLIED;
}

/* Collects the members of an object, without the header if it is a stub. */
static PgtOutcome
note_members(Members *all, const JsonbContainer *object, bool stub)
{
	int			count = JsonContainerSize(object);
	const char *base = (const char *) &object->children[2 * count];
	uint32		key_at = 0;
	uint32		value_at = count == 0 ? 0 : getJsonbOffset(object, count);

	if (all->count + count > PGT_MAX_PAIRS)
		return PGT_TOO_LARGE;
	if (all->count + count > all->room)
	{
		all->room = Max(2 * all->room, all->count + count);
		all->members = all->members == NULL ? MemoryContextAllocHuge(CurrentMemoryContext, all->room * sizeof(Member))
			: repalloc_huge(all->members, all->room * sizeof(Member));
	}
	for (int i = 0; i < count; i++)
	{
		Member	   *member = &all->members[all->count];
		uint32		type;
		uint32		len;

		pgt_entry_at(object, base, i, &key_at, &type, &member->key, &len);
		member->key_len = len;
		pgt_entry_at(object, base, count + i, &value_at, &member->type, &member->data, &member->len);
		if (pgt_key_like_marker(member->key, member->key_len))
		{
			if (member->key_len == PGT_MARKER_LEN)
			{
				if (!stub)
					return PGT_DAMAGED;
				continue;
			}
			member->key++;
			member->key_len--;
		}
		all->count++;
	}
	return PGT_APPLIED;
}

/* Compares members in jsonb's order of keys. */
static int
compare_members(const void *a, const void *b)
{
	const Member *left = a;
	const Member *right = b;

	if (left->key_len != right->key_len)
		return left->key_len < right->key_len ? -1 : 1;
	return memcmp(left->key, right->key, left->key_len);
}

static PgtOutcome
add_members(PgtBuild *build, Members *all)
{
	PgtFrame	frame;
	bool		sorted = true;

	for (int64 i = 1; i < all->count && sorted; i++)
		sorted = compare_members(&all->members[i - 1], &all->members[i]) < 0;
	if (!sorted)
	{
		qsort(all->members, all->count, sizeof(Member), compare_members);
		for (int64 i = 1; i < all->count; i++)
			if (compare_members(&all->members[i - 1], &all->members[i]) == 0)
				return PGT_DAMAGED;
	}
	PGT_TRY(pgt_out_open(&build->out, &frame, JB_FOBJECT, all->count));
	for (int64 i = 0; i < all->count; i++)
	{
		int			from = build->out.text.len;

		PGT_TRY(pgt_out_append(&build->out, all->members[i].key, all->members[i].key_len));
		PGT_TRY(pgt_out_entry(&build->out, &frame, JENTRY_ISSTRING, from));
	}
	for (int64 i = 0; i < all->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		PGT_TRY(add_value(build, &frame, all->members[i].type, all->members[i].data, all->members[i].len));
	}
	return PGT_APPLIED;
}

/* Adds a container that is not a marker, at an aligned offset. */
static PgtOutcome
add_container(PgtBuild *build, const JsonbContainer *container, uint32 len)
{
	check_stack_depth();
	if (!build->split || !pgt_has_marker_text(container, len))
		return pgt_out_append(&build->out, container, len);
	if (JsonContainerIsArray(container))
	{
		PgtFrame	frame;

		PGT_TRY(pgt_out_open(&build->out, &frame, container->header & (JB_FARRAY | JB_FSCALAR), JsonContainerSize(container)));
		return add_elements(build, &frame, container, 0, JsonContainerSize(container));
	}
	else
	{
		Members		all = {0};

		PGT_TRY(note_members(&all, container, false));
		PGT_TRY(add_members(build, &all));
		pfree(all.members);
		return PGT_APPLIED;
	}
}

/* Reads the next lower node of a branch, which must have the branch's kind. */
static PgtOutcome
child_node(PgtBuild *build, PgtNode *parent, int n, int level, PgtNode **node)
{
	CHECK_FOR_INTERRUPTS();
	if (level > PGT_MAX_LEVELS)
		return PGT_DAMAGED;
	*node = pgt_doc_node(build->doc, build->document, parent->kids[n]);
	if (*node == NULL || (*node)->kind != parent->kind || !pgt_first_time(&build->met, parent->kids[n], *node))
		return PGT_DAMAGED;
	if ((*node)->value != NULL &&
		!(parent->kind == PGT_ARRAY ? JB_ROOT_IS_ARRAY((*node)->value) && !JB_ROOT_IS_SCALAR((*node)->value)
		  : parent->kind == PGT_OBJECT ? JB_ROOT_IS_OBJECT((*node)->value)
		  : JB_ROOT_IS_SCALAR((*node)->value)))
		return PGT_DAMAGED;
	return PGT_APPLIED;
}

/* Adds elements of an array, by their positions below this inner node. */
static PgtOutcome
add_array(PgtBuild *build, PgtFrame *frame, PgtNode *inner, int64 from, int64 to, int level)
{
	int			first = pgt_child_at(inner, from);

	for (int i = Max(first, 0); i < inner->kid_count && inner->starts[i] < to; i++)
	{
		int64		begin = Max(from - inner->starts[i], 0);
		int64		end = Min(to, inner->starts[i + 1]) - inner->starts[i];
		PgtNode    *node;

		if (begin >= end)
			continue;
		PGT_TRY(child_node(build, inner, i, level + 1, &node));
		if (node->value == NULL)
		{
			if (node->starts[node->kid_count] < end)
				return PGT_DAMAGED;
			PGT_TRY(add_array(build, frame, node, begin, end, level + 1));
		}
		else
		{
			if (JB_ROOT_COUNT(node->value) != inner->starts[i + 1] - inner->starts[i])
				return PGT_DAMAGED;
			PGT_TRY(add_elements(build, frame, &node->value->root, begin, end));
		}
		pgt_node_free(node);
	}
	return PGT_APPLIED;
}

static PgtOutcome
note_object(PgtBuild *build, Members *all, PgtNode *inner, int level)
{
	for (int i = 0; i < inner->kid_count; i++)
	{
		PgtNode    *node;

		PGT_TRY(child_node(build, inner, i, level + 1, &node));
		if (node->value != NULL)
			PGT_TRY(note_members(all, &node->value->root, false));
		else
		{
			PGT_TRY(note_object(build, all, node, level + 1));
			pgt_node_free(node);
		}
	}
	return PGT_APPLIED;
}

static PgtOutcome
add_string(PgtBuild *build, PgtNode *inner, int level)
{
	for (int i = 0; i < inner->kid_count; i++)
	{
		PgtNode    *node;
		JsonbValue	piece;

		PGT_TRY(child_node(build, inner, i, level + 1, &node));
		if (node->value == NULL)
			PGT_TRY(add_string(build, node, level + 1));
		else
		{
			if (!JsonbExtractScalar(&node->value->root, &piece) || piece.type != jbvString)
				return PGT_DAMAGED;
			PGT_TRY(pgt_out_append(&build->out, piece.val.string.val, piece.val.string.len));
		}
		pgt_node_free(node);
	}
	return PGT_APPLIED;
}

/* Adds a branch, starting at its root. Also adds the padding, because the branch may be a scalar. */
static PgtOutcome
add_node(PgtBuild *build, PgtNode *node, uint32 *type)
{
	check_stack_depth();
	*type = JENTRY_ISCONTAINER;
	if (node->value != NULL && JB_ROOT_IS_SCALAR(node->value))
	{
		/* The only entry of a scalar. */
		uint32		offset = 0;
		const char *data;
		uint32		len;

		pgt_entry_at(&node->value->root, (const char *) &node->value->root.children[1], 0, &offset, type, &data, &len);
		if (*type == JENTRY_ISNUMERIC)
			PGT_TRY(pgt_out_pad(&build->out));
		return pgt_out_append(&build->out, data, len);
	}
	if (node->value == NULL && node->kind == PGT_STRING)
	{
		*type = JENTRY_ISSTRING;
		return add_string(build, node, 0);
	}
	PGT_TRY(pgt_out_pad(&build->out));
	if (node->value != NULL)
		return add_container(build, &node->value->root, VARSIZE(node->value) - VARHDRSZ);
	if (node->kind == PGT_ARRAY)
	{
		PgtFrame	frame;
		int64		count = node->starts[node->kid_count];

		PGT_TRY(pgt_out_open(&build->out, &frame, JB_FARRAY, count));
		PGT_TRY(add_array(build, &frame, node, 0, count, 0));
		return frame.count == count ? PGT_APPLIED : PGT_DAMAGED;
	}
	else
	{
		Members		all = {0};
		MemoryContext leaves = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster leaves", ALLOCSET_DEFAULT_SIZES);
		MemoryContext before = MemoryContextSwitchTo(leaves);

		PGT_TRY(note_object(build, &all, node, 0));
		MemoryContextSwitchTo(before);
		PGT_TRY(add_members(build, &all));
		MemoryContextDelete(leaves);
		return PGT_APPLIED;
	}
}

static PgtOutcome
add_branch(PgtBuild *build, int64 id, uint32 *type)
{
	PgtNode    *node;

	CHECK_FOR_INTERRUPTS();
	node = pgt_doc_node(build->doc, build->document, id);
	if (node == NULL)
		return PGT_DAMAGED;
	PGT_TRY(add_node(build, node, type));
	pgt_node_free(node);
	return PGT_APPLIED;
}

void
pgt_build_begin(PgtBuild *build, PgtDoc *doc, bool split, int64 document, Size most)
{
	build->doc = doc;
	build->split = split;
	build->document = document;
	pgt_met_begin(&build->met);
	pgt_out_begin(&build->out);
	build->out.limit = Min(build->out.limit, most);
}

static PgtOutcome
finish(PgtBuild *build, PgtOutcome outcome, Jsonb **result)
{
	if (outcome != PGT_APPLIED)
		return outcome;
	*result = pgt_out_end(&build->out);
	return PGT_APPLIED;
}

PgtOutcome
pgt_build_value(PgtBuild *build, JsonbValue *value, Jsonb **result)
{
	JsonbContainer *container;
	int64		branch;
	bool		damaged;

	if (value->type != jbvBinary || !build->split ||
		!pgt_has_marker_text(value->val.binary.data, value->val.binary.len))
	{
		*result = pgt_value_jsonb(value);
		return PGT_APPLIED;
	}
	container = value->val.binary.data;
	if (pgt_marked(value, &branch, &damaged))
	{
		PgtNode    *node = damaged ? NULL : pgt_doc_node(build->doc, build->document, branch);

		return node == NULL ? PGT_DAMAGED : pgt_build_node(build, node, result);
	}
	return finish(build, add_container(build, container, value->val.binary.len), result);
}

static PgtOutcome
build_scalar(PgtBuild *build, PgtNode *node)
{
	PgtFrame	frame;
	uint32		type;
	int			from;

	build->out.limit = MaxAllocSize - 1;
	PGT_TRY(pgt_out_open(&build->out, &frame, JB_FARRAY | JB_FSCALAR, 1));
	from = build->out.text.len;
	PGT_TRY(add_node(build, node, &type));
	return pgt_out_entry(&build->out, &frame, type, from);
}

PgtOutcome
pgt_build_node(PgtBuild *build, PgtNode *node, Jsonb **result)
{
	uint32		type;

	if (node->value != NULL ? JB_ROOT_IS_SCALAR(node->value) : node->kind == PGT_STRING)
		return finish(build, build_scalar(build, node), result);
	return finish(build, add_node(build, node, &type), result);
}

static PgtOutcome
build_document(PgtBuild *build, Jsonb *stub, bool has_overflow, int64 overflow)
{
	Members		all = {0};

	PGT_TRY(note_members(&all, &stub->root, true));
	if (has_overflow)
	{
		PgtNode    *node = pgt_doc_node(build->doc, build->document, overflow);

		if (node == NULL || node->kind != PGT_OBJECT || (node->value != NULL && !JB_ROOT_IS_OBJECT(node->value)))
			return PGT_DAMAGED;
		if (node->value != NULL)
			PGT_TRY(note_members(&all, &node->value->root, false));
		else
			PGT_TRY(note_object(build, &all, node, 0));
	}
	return add_members(build, &all);
}

PgtOutcome
pgt_build_document(PgtBuild *build, Jsonb *stub, bool has_overflow, int64 overflow, Jsonb **result)
{
	return finish(build, build_document(build, stub, has_overflow, overflow), result);
}

static PgtOutcome
build_slice(PgtBuild *build, PgtNode *inner, JsonbContainer *array, int64 from, int64 to)
{
	PgtFrame	frame;

	PGT_TRY(pgt_out_open(&build->out, &frame, JB_FARRAY, to - from));
	if (inner != NULL)
		PGT_TRY(add_array(build, &frame, inner, from, to, 0));
	else
		PGT_TRY(add_elements(build, &frame, array, from, to));
	return frame.count == to - from ? PGT_APPLIED : PGT_DAMAGED;
}

PgtOutcome
pgt_build_slice(PgtBuild *build, PgtNode *inner, JsonbContainer *array, int64 from, int64 to, Jsonb **result)
{
	int64		count = inner != NULL ? inner->starts[inner->kid_count] : JsonContainerSize(array);

	/* Negative positions count from the end. */
	to = Min(to < 0 ? Max(to + count, 0) : to, count);
	from = Min(from < 0 ? Max(from + count, 0) : from, to);
	return finish(build, build_slice(build, inner, array, from, to), result);
}
