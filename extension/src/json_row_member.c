/*
 * json_row_member.c: reads the members of a document for its stub. Each is stored in the form for split documents. If
 * there are too many, they go directly into the overflow branch.
 */
#include "json_row_stub.h"

#include "miscadmin.h"
#include "utils/memutils.h"

/* If the text of all members is longer than this, they go directly into the overflow branch. */
#define MAX_CHARS (1 << 20)

/*
 * Returns whether the keys from the root down to a key in kept are a path of the option keep_inline, or the beginning
 * of one.
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

/* Called if there are too many members: all unpinned members go directly into the overflow branch. */
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
	int64		branch;
	PgtPart		part;
	MemoryContext caller;
	Member	   *member;

	CHECK_FOR_INTERRUPTS();
	stub->builder->escapes |= pgt_key_like_marker(key->val.string.val, key->val.string.len);
	if (pin == PARTLY && (stub->builder->follow || !pgt_json_marker(value, &branch)) && pgt_store_kind(stub->builder, value) == PGT_OBJECT)
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

Kept *
pgt_stub_take(Stub *stub, const JsonbValue *root, const JsonbValue *below)
{
	Kept	   *kept = new_kept(NULL, NULL);

	stub->kept = kept;
	stub->own = *root;
	if (below != NULL)
		pgt_store_each(stub->builder, below, take_overflow, stub);
	take_own(stub, NULL);
	return kept;
}
