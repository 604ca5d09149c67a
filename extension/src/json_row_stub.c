/*
 * json_row_stub.c: computes the part of a document that the owner's row contains.
 *
 * Members are moved out of line, the largest first, until the others fit the row's budget. If the remaining members
 * are too many, all but the smallest go into one branch, the overflow branch. Members named by keep_inline stay, and
 * do not count. This file follows the rules of the library's StubBuilder.
 */
#include "json_row_stub.h"

#include "utils/numeric.h"

/* Maximum number of members that get their own branches although they could share leaves. */
#define MOST_BRANCHES 16

/* Returns the size of a member. If part of an object is pinned, this is only the size of its key. */
static int64
member_size(const Member *member)
{
	return 2 * PGT_ENTRY_BYTES + member->key.val.string.len + (member->inner == NULL ? member->part.size : 0);
}

/* Adds up the sizes of the members that stay, except pinned ones, and lists the members that may be moved out. */
static void
collect(Stub *stub, Kept *kept)
{
	stub->total += PGT_CONTAINER;
	for (int i = 0; i < kept->count; i++)
	{
		Member	   *member = &kept->members[i];

		if (member->pin != WHOLE)
			stub->total += member_size(member);
		if (member->inner != NULL)
			collect(stub, member->inner);
		else
		{
			PgtIds		branches = {0};

			pgt_json_markers(&member->part.value, &branches);
			stub->split |= branches.count > 0;
			if (!member->part.marker && member->pin != WHOLE)
			{
				if (stub->candidate_count == stub->candidate_room)
				{
					stub->candidate_room = Max(16, stub->candidate_room * 2);
					stub->candidates = stub->candidates == NULL ? palloc(sizeof(Member *) * stub->candidate_room)
						: repalloc_huge(stub->candidates, sizeof(Member *) * (Size) stub->candidate_room);
				}
				member->rank = stub->candidate_count;
				stub->candidates[stub->candidate_count++] = member;
			}
		}
	}
}

/* Sorts the largest members first, and members of equal size in their original order. */
static int
by_size(const void *a, const void *b)
{
	const Member *x = *(Member *const *) a;
	const Member *y = *(Member *const *) b;

	if (x->part.size != y->part.size)
		return x->part.size > y->part.size ? -1 : 1;
	return x->rank - y->rank;
}

/* Returns true if a member could share a leaf with other members of the root. */
static bool
shares_leaf(Stub *stub, const Kept *root, const Member *member)
{
	return member >= root->members && member < root->members + root->count &&
		member->part.size <= stub->builder->options->whole_leaf_size / 2;
}

/*
 * Moves the largest members to their own branches. If many of them could share leaves, these go into one branch
 * together.
 */
static void
leave(Stub *stub, Kept *root, bool *together)
{
	int64		left = stub->total + PGT_MARKER_BYTES;
	int			count = 0;
	int			sharing = 0;

	qsort(stub->candidates, stub->candidate_count, sizeof(Member *), by_size);
	while (count < stub->candidate_count && left > stub->budget && stub->candidates[count]->part.size > 2 * PGT_MARKER_BYTES)
	{
		sharing += shares_leaf(stub, root, stub->candidates[count]);
		left -= stub->candidates[count++]->part.size - PGT_MARKED_BYTES;
	}
	for (int i = 0; i < count; i++)
	{
		Member	   *member = stub->candidates[i];

		if (stub->overflow == 0 && stub->many == NULL && sharing > MOST_BRANCHES && shares_leaf(stub, root, member))
			together[member - root->members] = true;
		else
			pgt_store_branch(stub->builder, &member->part);
		stub->split = true;
	}
}

static int
by_member_size(const void *a, const void *b)
{
	const Member *x = *(Member *const *) a;
	const Member *y = *(Member *const *) b;

	if (member_size(x) != member_size(y))
		return member_size(x) > member_size(y) ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int64
overflow_branch(Stub *stub, PgtPieces *pieces)
{
	PgtPart		part;
	int64		branch;

	pgt_store_end(pieces, &part);
	pgt_store_branch(stub->builder, &part);
	if (!pgt_json_marker(&part.value, &branch))
		elog(ERROR, "a branch has no marker");
	return branch;
}

/*
 * Moves members of the root into one branch: those chosen to share it and, if the others exceed their room, all others
 * except pinned members and the smallest. Pinned members do not use up this room. If other columns are wide, the room
 * is half of the row: PostgreSQL then moves such columns out of line itself.
 */
static int64
move_to_overflow(Stub *stub, Kept *root, bool *leaves)
{
	Member	  **members = palloc_extended(sizeof(Member *) * Max(root->count, 1), MCXT_ALLOC_HUGE);
	int			count = 0;
	bool		moved = false;
	PgtPieces  *pieces;
	int			left = 0;
	int64		room = Max(stub->budget, stub->builder->options->row_budget / 2);
	int64		size = PGT_DATUM + PGT_CONTAINER;

	for (int i = 0; i < root->count; i++)
	{
		moved |= leaves[i];
		if (root->members[i].inner == NULL && root->members[i].pin != WHOLE && !leaves[i])
		{
			members[count++] = &root->members[i];
			size += member_size(&root->members[i]);
		}
	}
	if (size > room)
		qsort(members, count, sizeof(Member *), by_member_size);
	else
		count = 0;
	for (int i = 0; i < count && size > room / 2; i++)
	{
		size -= member_size(members[i]);
		/* Use the same order as the library, so that nodes with equal content are reused. */
		if (members[i]->part.size > stub->builder->options->leaf_size / 2)
			pgt_store_branch(stub->builder, &members[i]->part);
		leaves[members[i] - root->members] = true;
		moved = true;
	}
	if (!moved)
		return 0;
	stub->split = true;
	pieces = pgt_store_begin(stub->builder, PGT_OBJECT);
	for (int i = 0; i < root->count; i++)
	{
		if (leaves[i])
			pgt_store_add(pieces, &root->members[i].key, &root->members[i].part);
		else
			root->members[left++] = root->members[i];
	}
	root->count = left;
	return overflow_branch(stub, pieces);
}

static void
value_of(Kept *kept, JsonbValue *object)
{
	object->type = jbvObject;
	object->val.object.nPairs = kept->count;
	object->val.object.pairs = palloc0(sizeof(JsonbPair) * Max(kept->count, 1));
	for (int i = 0; i < kept->count; i++)
	{
		JsonbPair  *pair = &object->val.object.pairs[i];

		pair->key = kept->members[i].key;
		if (kept->members[i].inner != NULL)
			value_of(kept->members[i].inner, &pair->value);
		else
			pair->value = kept->members[i].part.value;
	}
}

static void
add_header(JsonbValue *object, int64 document, int64 overflow)
{
	JsonbValue	header;
	JsonbValue *numbers = palloc0(sizeof(JsonbValue) * 2);

	numbers[0].type = numbers[1].type = jbvNumeric;
	numbers[0].val.numeric = int64_to_numeric(document);
	numbers[1].val.numeric = int64_to_numeric(overflow);
	header.type = jbvArray;
	header.val.array.nElems = overflow != 0 ? 2 : 1;
	header.val.array.elems = numbers;
	header.val.array.rawScalar = false;
	pgt_json_put_member(object, PGT_MARKER, PGT_MARKER_LEN, &header);
}

static Jsonb *
object_stub(Stub *stub, Kept *root)
{
	JsonbValue	object;
	int64		overflow = stub->overflow;

	stub->total = PGT_DATUM;
	stub->split |= stub->builder->follow && stub->builder->escapes;
	collect(stub, root);
	if (stub->many != NULL)
		overflow = overflow_branch(stub, stub->many);
	if (stub->total + (stub->split ? PGT_MARKER_BYTES : 0) > stub->budget)
	{
		bool	   *together = palloc0(Max(root->count, 1));

		leave(stub, root, together);
		if (overflow == 0)
			overflow = move_to_overflow(stub, root, together);
	}
	value_of(root, &object);
	if (stub->split)
		add_header(&object, pgt_writer_document(stub->builder->writer), overflow);
	return pgt_json_form(&object);
}

/* The root is an array or a scalar, which stays or is moved out as a whole. */
static Jsonb *
other_stub(Stub *stub, PgtPart *part)
{
	PgtIds		branches = {0};
	JsonbValue	object;
	int64		overflow;

	pgt_json_markers(&part->value, &branches);
	stub->split |= stub->builder->follow && stub->builder->escapes;
	if (branches.count == 0 && !stub->split && part->size + PGT_DATUM <= Max(stub->budget, 2 * PGT_MARKER_BYTES))
		return pgt_json_form(&part->value);
	pgt_store_branch(stub->builder, part);
	if (!pgt_json_marker(&part->value, &overflow))
		elog(ERROR, "a branch has no marker");
	stub->split = true;
	object.type = jbvObject;
	object.val.object.nPairs = 0;
	object.val.object.pairs = palloc(sizeof(JsonbPair));
	add_header(&object, pgt_writer_document(stub->builder->writer), overflow);
	return pgt_json_form(&object);
}

Jsonb *
pgt_stub(PgtBuilder *builder, const JsonbValue *root, bool split, int64 overflow, int64 budget, bool *is_split)
{
	Stub		stub = {0};
	Jsonb	   *result;
	JsonbValue	below;
	PgtPart		part;

	stub.builder = builder;
	stub.budget = budget;
	stub.split = split;
	stub.memory = CurrentMemoryContext;
	stub.own.type = jbvObject;
	if (builder->follow && overflow != 0)
		pgt_json_make_marker(&below, overflow);
	else
		stub.overflow = overflow;
	if (builder->follow && overflow != 0 && pgt_store_kind(builder, &below) != PGT_OBJECT)
	{
		pgt_store_value(builder, &below, false, &part);
		result = other_stub(&stub, &part);
	}
	else if (pgt_json_kind(root) != PGT_OBJECT)
	{
		pgt_store_value(builder, root, false, &part);
		result = other_stub(&stub, &part);
	}
	else
		result = object_stub(&stub, pgt_stub_take(&stub, root, builder->follow && overflow != 0 ? &below : NULL));
	*is_split = stub.split;
	return result;
}
