/*
 * json_row_stub.c: computes what the owner's row contains of a document.
 *
 * Members are moved out of line, the largest first, until the others fit the row's budget. If the remaining members
 * are too many, all but the smallest go into one branch, the overflow branch. Members named by keep_inline stay, and
 * do not count. This file follows the rules of the library's StubBuilder.
 */
#include "json_edit.h"

#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

/* If the text of the members together is longer than this, they go into the overflow branch at once. */
#define MAX_CHARS (1 << 20)

/* Maximum number of members that get their own branches although they could share leaves. */
#define MOST_BRANCHES 16

typedef enum Pin
{
	NONE, PARTLY, WHOLE
} Pin;

/* A member that stays so far: a value, or an object of which a part is pinned. */
typedef struct Member
{
	JsonbValue	key;
	Pin			pin;
	PgtPart		part;
	struct Kept *inner;
} Member;

typedef struct Kept
{
	int			count;
	int			room;
	Member	   *members;
	struct Kept *parent;
	JsonbValue	key;			/* key of the object in its parent */
} Kept;

typedef struct Stub
{
	PgtBuilder *builder;
	int64		budget;
	int64		overflow;			/* id of the existing overflow branch; 0 if there is none */
	bool		split;
	MemoryContext memory;		/* for what stays */
	MemoryContext temporary;
	Kept	   *kept;			/* the object whose members are being read */
	PgtPieces  *many;			/* receives the members of the overflow branch if there are too many */
	int64		chars;			/* length of the text of what stays, counted once it may be too long */
	int64		most_chars;		/* upper bound of chars */
	int64		total;			/* size of what is not pinned */
	int			candidate_count;
	int			candidate_room;
	Member	  **candidates;
	/* Members of the stub itself, which are merged with those of its overflow branch. */
	JsonbValue	own;
	int			next;
} Stub;

/*
 * Returns whether keys, from the root down to one in kept, are a path of the option keep_inline, or the beginning of
 * one.
 */
static Pin
pin_of(Stub *stub, Kept *kept, const JsonbValue *key)
{
	const PgtJsonOptions *options = stub->builder->options;
	int			depth = 1;
	Pin			pin = NONE;

	for (Kept *k = kept; k->parent != NULL; k = k->parent)
		depth++;
	for (int i = 0; i < options->pin_count && pin != WHOLE; i++)
	{
		PgtPath    *path = &options->pins[i];
		const JsonbValue *at = key;
		Kept	   *k = kept;
		bool		same = path->length >= depth;

		for (int step = depth - 1; step >= 0 && same; step--)
		{
			int			length;
			const char *stored = pgt_key_escape(VARDATA_ANY(path->steps[step]), VARSIZE_ANY_EXHDR(path->steps[step]), &length);

			same = length == at->val.string.len && memcmp(stored, at->val.string.val, length) == 0;
			at = &k->key;
			k = k->parent;
		}
		if (same)
			pin = path->length == depth ? WHOLE : PARTLY;
	}
	return pin;
}

/* Finds the member of an object for a step of a path as the user writes it. */
static bool
member_at(const JsonbValue *object, text *step, JsonbValue *key, JsonbValue *value)
{
	int			length;
	const char *stored = pgt_key_escape(VARDATA_ANY(step), VARSIZE_ANY_EXHDR(step), &length);

	if (pgt_json_kind(object) != PGT_OBJECT)
		return false;
	for (int i = 0; i < pgt_json_count(object); i++)
	{
		pgt_json_entry(object, i, key, value);
		if (key->val.string.len == length && memcmp(key->val.string.val, stored, length) == 0)
			return true;
	}
	return false;
}

/* Returns true if another path of keep_inline leads to a value that contains the value at this path. */
static bool
is_below_pinned(const PgtJsonOptions *options, const PgtPath *path)
{
	for (int i = 0; i < options->pin_count; i++)
	{
		PgtPath    *other = &options->pins[i];
		bool		above = other->length < path->length;

		for (int step = 0; step < other->length && above; step++)
			above = VARSIZE_ANY_EXHDR(other->steps[step]) == VARSIZE_ANY_EXHDR(path->steps[step]) &&
				memcmp(VARDATA_ANY(other->steps[step]), VARDATA_ANY(path->steps[step]), VARSIZE_ANY_EXHDR(path->steps[step])) == 0;
		if (above)
			return true;
	}
	return false;
}

int64
pgt_pinned_bytes(const PgtJsonOptions *options, const JsonbValue *document)
{
	int64		bytes = 0;

	for (int i = 0; i < options->pin_count; i++)
	{
		PgtPath    *path = &options->pins[i];
		JsonbValue	key;
		JsonbValue	value = *document;
		bool		there = path->length > 0 && !is_below_pinned(options, path);

		for (int step = 0; step < path->length && there; step++)
		{
			JsonbValue	object = value;

			there = member_at(&object, path->steps[step], &key, &value);
		}
		if (there)
			bytes += 2 * PGT_ENTRY_BYTES + key.val.string.len + pgt_json_bytes(&value);
	}
	return bytes;
}

static Kept *
new_kept(Kept *parent, const JsonbValue *key)
{
	Kept	   *kept = palloc0(sizeof(Kept));

	kept->room = 16;
	kept->members = palloc(sizeof(Member) * kept->room);
	kept->parent = parent;
	if (key != NULL)
		kept->key = *key;
	return kept;
}

static Member *
keep(Stub *stub, Kept *kept, const JsonbValue *key, Pin pin)
{
	MemoryContext caller = MemoryContextSwitchTo(stub->memory);
	Member	   *member;

	if (kept->count == kept->room)
	{
		kept->room *= 2;
		kept->members = repalloc_huge(kept->members, sizeof(Member) * (Size) kept->room);
	}
	member = &kept->members[kept->count++];
	memset(member, 0, sizeof(Member));
	member->key = *key;
	member->key.val.string.val = palloc(Max(key->val.string.len, 1));
	memcpy(member->key.val.string.val, key->val.string.val, key->val.string.len);
	member->pin = pin;
	MemoryContextSwitchTo(caller);
	return member;
}

/* Called if there are too many members: all that are not pinned go into the overflow branch at once. */
static void
become_many(Stub *stub, Kept *root)
{
	int			left = 0;

	stub->many = pgt_store_begin(stub->builder, PGT_OBJECT);
	stub->split = true;
	for (int i = 0; i < root->count; i++)
	{
		Member	   *member = &root->members[i];

		if (member->inner == NULL && member->pin == NONE)
			pgt_store_add(stub->many, &member->key, &member->part);
		else
			root->members[left++] = *member;
	}
	root->count = left;
}

static int64
chars_of(const Member *member)
{
	int64		chars;
	int64		key_chars;
	MemoryContext memory = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster text", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(memory);

	(void) pgt_json_text_hash(&member->part.value, &chars);
	(void) pgt_string_hash(member->key.val.string.val, member->key.val.string.len, &key_chars);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(memory);
	return key_chars + chars;
}

static int64
chars_of_all(const Kept *kept)
{
	int64		chars = 0;

	for (int i = 0; i < kept->count; i++)
	{
		const Member *member = &kept->members[i];

		if (member->inner != NULL)
			chars += chars_of_all(member->inner);
		else if (member->pin != WHOLE)
			chars += chars_of(member);
	}
	return chars;
}

/*
 * Adds the text of a member that stays; returns true if the text is too long. An escaped byte takes at most 6 chars.
 */
static bool
count_chars(Stub *stub, const Member *member)
{
	int64		most = 8 + member->key.val.string.len + 6 * member->part.size;
	Kept	   *root = stub->kept;

	if (member->pin == WHOLE)
		return stub->chars > MAX_CHARS;
	if (stub->most_chars + most <= MAX_CHARS)
	{
		stub->most_chars += most;
		return false;
	}
	if (stub->most_chars <= MAX_CHARS)
	{
		while (root->parent != NULL)
			root = root->parent;
		stub->chars = chars_of_all(root);
		stub->most_chars = PG_INT64_MAX / 2;
	}
	else
		stub->chars += chars_of(member);
	return stub->chars > MAX_CHARS;
}

static void take_all(Stub *stub, Kept *kept, const JsonbValue *value);

/* Takes a member of the object that is being read. */
static void
take(Stub *stub, Kept *kept, const JsonbValue *key, const JsonbValue *value)
{
	Pin			pin = pin_of(stub, kept, key);
	PgtPart		part;
	MemoryContext caller;
	Member	   *member;

	CHECK_FOR_INTERRUPTS();
	stub->builder->escapes |= pgt_key_like_marker(key->val.string.val, key->val.string.len);
	if (pin == PARTLY && pgt_store_kind(stub->builder, value) == PGT_OBJECT)
	{
		Kept	   *inner;

		member = keep(stub, kept, key, pin);
		caller = MemoryContextSwitchTo(stub->memory);
		inner = new_kept(kept, &member->key);
		MemoryContextSwitchTo(caller);
		member->inner = inner;
		take_all(stub, inner, value);
		return;
	}
	pgt_store_value(stub->builder, value, pin == WHOLE, &part);
	if (pin != WHOLE && part.size > stub->budget && part.size > stub->builder->options->whole_leaf_size / 2)
		pgt_store_branch(stub->builder, &part);
	if (stub->many != NULL && kept->parent == NULL && pin == NONE)
	{
		pgt_store_add(stub->many, key, &part);
		return;
	}
	member = keep(stub, kept, key, pin);
	caller = MemoryContextSwitchTo(stub->memory);
	member->part = part;
	pgt_root_value(pgt_json_form(&part.value), &member->part.value);
	if (count_chars(stub, member) && kept->parent == NULL && stub->overflow == 0 && stub->many == NULL)
		become_many(stub, kept);
	MemoryContextSwitchTo(caller);
}

static void
take_one(void *arg, const JsonbValue *key, const JsonbValue *value)
{
	Stub	   *stub = arg;
	Kept	   *kept = stub->kept;
	MemoryContext before = stub->temporary;
	MemoryContext caller;

	if (key == NULL)
		pgt_raise(PGT_DAMAGED, stub->builder->writer->doc->column, stub->builder->writer->doc->key, "json_shrink()");
	stub->temporary = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster member", ALLOCSET_SMALL_SIZES);
	caller = MemoryContextSwitchTo(stub->temporary);
	take(stub, kept, key, value);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(stub->temporary);
	stub->temporary = before;
	stub->kept = kept;
}

static void
take_all(Stub *stub, Kept *kept, const JsonbValue *value)
{
	stub->kept = kept;
	pgt_store_each(stub->builder, value, take_one, stub);
}

static bool
is_header(const JsonbValue *key)
{
	return key->val.string.len == PGT_MARKER_LEN && memcmp(key->val.string.val, PGT_MARKER, PGT_MARKER_LEN) == 0;
}

/* Takes the stub's own members that come before a key, or all of them. */
static void
take_own(Stub *stub, const JsonbValue *key)
{
	JsonbValue	own;
	JsonbValue	value;

	while (stub->next < pgt_json_count(&stub->own))
	{
		pgt_json_entry(&stub->own, stub->next, &own, &value);
		if (key != NULL && (own.val.string.len > key->val.string.len ||
							(own.val.string.len == key->val.string.len &&
							 memcmp(own.val.string.val, key->val.string.val, own.val.string.len) > 0)))
			return;
		stub->next++;
		if (!is_header(&own))
			take_one(stub, &own, &value);
	}
}

static void
take_overflow(void *arg, const JsonbValue *key, const JsonbValue *value)
{
	if (key != NULL)
		take_own(arg, key);
	take_one(arg, key, value);
}

/* Returns the size of a member; for an object of which a part is pinned, the size of its key. */
static int64
member_size(const Member *member)
{
	return 2 * PGT_ENTRY_BYTES + member->key.val.string.len + (member->inner == NULL ? member->part.size : 0);
}

/* Adds up the size of what stays, without pinned members, and lists the members that may be moved out. */
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
				stub->candidates[stub->candidate_count++] = member;
			}
		}
	}
}

/* Sorts the largest first, members of equal size in their order. */
static int
by_size(const void *a, const void *b)
{
	const Member *x = *(Member *const *) a;
	const Member *y = *(Member *const *) b;

	if (x->part.size != y->part.size)
		return x->part.size > y->part.size ? -1 : 1;
	return x < y ? -1 : x > y;
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
		left -= stub->candidates[count++]->part.size - PGT_MARKER_BYTES;
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
 * Moves members of the root into a branch: those that leave together and, if the others exceed their room, all others
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
		/* Use the order of the library, so that nodes with equal content are reused. */
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
	{
		Kept	   *kept = new_kept(NULL, NULL);

		stub.kept = kept;
		stub.own = *root;
		if (builder->follow && overflow != 0)
			pgt_store_each(builder, &below, take_overflow, &stub);
		take_own(&stub, NULL);
		result = object_stub(&stub, kept);
	}
	*is_split = stub.split;
	return result;
}
