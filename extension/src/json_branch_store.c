/*
 * json_branch_store.c: converts a value to the nodes of a branch.
 *
 * A small value stays in its place, byte for byte. A large array or object is cut into leaves, entry by entry. Before
 * that, entries larger than half a leaf get their own branches, at any depth. The file follows the rules of the
 * library (SplitPolicy, Pieces, Levels), including the hashes of content, so that each side can reuse what the other
 * has written. Memory holds about one leaf for each open level.
 */
#include "json_branch.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

/* Rules for moving values out of line, and for splitting and closing leaves */

#define leaves_leaf(options, bytes) ((bytes) > (options)->leaf_size / 2)

/* Leaves, filled in order with the entries of one array or object */

struct PgtPieces
{
	PgtBuilder *builder;
	char		kind;
	bool		whole;			/* stays in one piece, regardless of its size */
	PgtLevels  *levels;			/* receive the leaves, unless list does */
	List	  **list;
	MemoryContext caller;
	MemoryContext memory;		/* for the entries of the open leaf */
	int			count;
	int			room;
	JsonbPair  *entries;		/* keys only for members */
	int64		bytes;
	bool		closing;
	bool		cut;
};

static PgtPieces *
begin_pieces(PgtBuilder *builder, char kind, bool whole)
{
	PgtPieces  *pieces = palloc0(sizeof(PgtPieces));

	pieces->builder = builder;
	pieces->kind = kind;
	pieces->whole = whole;
	pieces->caller = CurrentMemoryContext;
	pieces->memory = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster leaf", ALLOCSET_DEFAULT_SIZES);
	pieces->room = 64;
	pieces->entries = palloc(sizeof(JsonbPair) * pieces->room);
	pieces->bytes = PGT_CONTAINER;
	return pieces;
}

/* Returns the open leaf as one value, in the current context. */
static Jsonb *
form_piece(PgtPieces *pieces)
{
	JsonbValue	value;
	Jsonb	   *formed;

	if (pieces->kind == PGT_OBJECT)
	{
		value.type = jbvObject;
		value.val.object.nPairs = pieces->count;
		value.val.object.pairs = pieces->entries;
		return pgt_json_form(&value);
	}
	value.type = jbvArray;
	value.val.array.nElems = pieces->count;
	value.val.array.rawScalar = false;
	value.val.array.elems = palloc_extended(sizeof(JsonbValue) * Max(pieces->count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < pieces->count; i++)
		value.val.array.elems[i] = pieces->entries[i].value;
	formed = pgt_json_form(&value);
	pfree(value.val.array.elems);
	return formed;
}

static void
close_piece(PgtPieces *pieces)
{
	PgtLeaf		leaf = {0};
	MemoryContext before = MemoryContextSwitchTo(pieces->list != NULL ? pieces->caller : pieces->memory);

	leaf.kind = pieces->kind;
	leaf.value = form_piece(pieces);
	leaf.bytes = pieces->bytes;
	leaf.count = pieces->count;
	if (pieces->kind == PGT_OBJECT && pieces->count > 0)
		leaf.low = pgt_key_code(pieces->entries[0].key.val.string.val, pieces->entries[0].key.val.string.len);
	if (pieces->list != NULL)
	{
		PgtLeaf    *kept = palloc(sizeof(PgtLeaf));

		*kept = leaf;
		*pieces->list = lappend(*pieces->list, kept);
	}
	else
		pgt_levels_leaf(pieces->levels, &leaf);
	MemoryContextSwitchTo(before);
	MemoryContextReset(pieces->memory);
	pieces->cut = true;
	pieces->count = 0;
	pieces->bytes = PGT_CONTAINER;
	pieces->closing = false;
}

/* Keys with the same code must share a leaf: keys of the same length that begin with the same bytes. */
static bool
separable(const JsonbValue *a, const JsonbValue *b)
{
	return a->val.string.len != b->val.string.len ||
		memcmp(a->val.string.val, b->val.string.val, Min(a->val.string.len, 512)) != 0;
}

static void
copy_value(JsonbValue *to, const JsonbValue *from)
{
	*to = *from;
	switch (from->type)
	{
		case jbvString:
			to->val.string.val = palloc_extended(Max(from->val.string.len, 1), MCXT_ALLOC_HUGE);
			memcpy(to->val.string.val, from->val.string.val, from->val.string.len);
			break;
		case jbvNumeric:
			to->val.numeric = palloc(VARSIZE_ANY(from->val.numeric));
			memcpy(to->val.numeric, from->val.numeric, VARSIZE_ANY(from->val.numeric));
			break;
		case jbvBinary:
			to->val.binary.data = palloc_extended(from->val.binary.len, MCXT_ALLOC_HUGE);
			memcpy(to->val.binary.data, from->val.binary.data, from->val.binary.len);
			break;
		case jbvArray:
		case jbvObject:
			pgt_root_value(pgt_json_form(from), to);
			break;
		default:
			break;
	}
}

/* Adds a copy of an entry. */
static void
add_entry(PgtPieces *pieces, const JsonbValue *key, const PgtPart *part)
{
	const PgtJsonOptions *options = pieces->builder->options;
	int64		size = PGT_ENTRY_BYTES + part->size;
	JsonbPair  *entry;
	MemoryContext before;

	if (pieces->kind == PGT_OBJECT)
	{
		size += PGT_ENTRY_BYTES + key->val.string.len;
		pieces->builder->escapes |= pgt_key_like_marker(key->val.string.val, key->val.string.len);
	}
	if (pieces->count > 0 && !pieces->whole && (pieces->closing || pieces->bytes + size > options->leaf_size) &&
		(pieces->kind != PGT_OBJECT || separable(&pieces->entries[pieces->count - 1].key, key)))
		close_piece(pieces);
	if (pieces->count == pieces->room)
	{
		pieces->room *= 2;
		pieces->entries = repalloc_huge(pieces->entries, sizeof(JsonbPair) * (Size) pieces->room);
	}
	entry = &pieces->entries[pieces->count];
	before = MemoryContextSwitchTo(pieces->memory);
	memset(entry, 0, sizeof(JsonbPair));
	if (pieces->kind == PGT_OBJECT)
		copy_value(&entry->key, key);
	copy_value(&entry->value, &part->value);
	pieces->count++;
	pieces->bytes += size;
	pieces->closing = false;
	if (!pieces->whole && pieces->bytes >= options->leaf_size / 2)
	{
		uint32		hash = (uint32) pgt_json_text_hash(&entry->value, NULL);

		if (pieces->kind == PGT_OBJECT)
			hash += 31 * (uint32) pgt_string_hash(key->val.string.val, key->val.string.len, NULL);
		pieces->closing = pgt_hash_modulo(hash, options->leaf_size / 4) < size;
	}
	MemoryContextSwitchTo(before);
}

void
pgt_store_end(PgtPieces *pieces, PgtPart *part)
{
	if (!pieces->cut)
	{
		part->marker = false;
		part->size = pieces->bytes;
		pgt_root_value(form_piece(pieces), &part->value);
	}
	else
	{
		close_piece(pieces);
		pgt_levels_root(pieces->levels, part);
	}
	MemoryContextDelete(pieces->memory);
	pfree(pieces->entries);
}

PgtPieces *
pgt_store_begin(PgtBuilder *builder, char kind)
{
	PgtPieces  *pieces = begin_pieces(builder, kind, false);

	pieces->levels = pgt_levels_begin(builder, kind);
	return pieces;
}

void
pgt_store_add(PgtPieces *pieces, const JsonbValue *key, PgtPart *entry)
{
	if (!pieces->whole && leaves_leaf(pieces->builder->options, entry->size))
		pgt_store_branch(pieces->builder, entry);
	add_entry(pieces, key, entry);
}

typedef struct Feed
{
	PgtPieces  *pieces;
	MemoryContext temporary;
} Feed;

static void
feed(void *arg, const JsonbValue *key, const JsonbValue *value)
{
	Feed	   *to = arg;
	MemoryContext caller = MemoryContextSwitchTo(to->temporary);
	PgtPart		part;

	CHECK_FOR_INTERRUPTS();
	pgt_store_value(to->pieces->builder, value, to->pieces->whole, &part);
	pgt_store_add(to->pieces, key, &part);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(to->temporary);
}

static void
feed_all(PgtPieces *pieces, const JsonbValue *value)
{
	Feed		to;

	to.pieces = pieces;
	to.temporary = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster entry", ALLOCSET_DEFAULT_SIZES);
	pgt_store_each(pieces->builder, value, feed, &to);
	MemoryContextDelete(to.temporary);
}

/* Returns true if a stored value has a marker's key but is not a marker (written by hand). */
static bool
has_false_marker(const JsonbValue *value)
{
	JsonbValue	mark;

	return value->type == jbvBinary && JsonContainerIsObject(value->val.binary.data) &&
		getKeyJsonValueFromContainer(value->val.binary.data, PGT_MARKER, PGT_MARKER_LEN, &mark) != NULL;
}

void
pgt_store_value(PgtBuilder *builder, const JsonbValue *value, bool whole, PgtPart *part)
{
	int64		branch;
	char		kind;
	PgtPieces  *pieces;

	check_stack_depth();
	part->value = *value;
	part->marker = pgt_json_marker(value, &branch);
	if (builder->follow && !part->marker && has_false_marker(value))
		pgt_source_damaged(builder);
	if (part->marker && builder->follow)
	{
		PgtNode    *node = pgt_source_node(builder, branch);

		part->marker = false;
		kind = node->kind;
		if (kind == PGT_STRING)
		{
			StringInfoData text;

			initStringInfo(&text);
			pgt_source_text(builder, branch, &text);
			part->value.type = jbvString;
			part->value.val.string.val = text.data;
			part->value.val.string.len = text.len;
			part->size = text.len;
			return;
		}
		if (node->value != NULL)
		{
			JsonbValue	root;

			pgt_root_value(node->value, &root);
			/* A leaf that refers to itself would cause endless recursion. */
			if (pgt_json_marker(&root, &branch))
				pgt_source_damaged(builder);
			pgt_store_value(builder, &root, whole, part);
			return;
		}
	}
	else
	{
		bool		large = value->type == jbvBinary && !whole && value->val.binary.len > 4 * builder->options->leaf_size;

		if (part->marker || IsAJsonbScalar(value))
		{
			part->size = pgt_json_bytes(value);
			return;
		}
		if (!large && (!builder->follow || value->type != jbvBinary ||
					   !pgt_has_marker_text(value->val.binary.data, value->val.binary.len)))
		{
			part->size = pgt_json_bytes(value);
			if (whole || !leaves_leaf(builder->options, part->size))
				return;
		}
		kind = pgt_json_kind(value);
	}
	pieces = begin_pieces(builder, kind, whole);
	pieces->levels = pgt_levels_begin(builder, kind);
	feed_all(pieces, value);
	pgt_store_end(pieces, part);
}

/*
 * Returns the number of bytes in the piece of a string that starts at a position. A piece has at most limit characters.
 * It ends after white space in its second half, so that a text index finds each word. Without white space it ends after
 * a comma or a similar character, and without these at the limit. SplitPolicy.pieceEnd cuts at the same places.
 */
static int
string_piece(const char *text, int length, int limit)
{
	/* The ideographic space, comma and full stop, and the wide comma and semicolon. */
	static const char *const separators[] = {",", ";", "\xE3\x80\x80", "\xE3\x80\x81", "\xE3\x80\x82", "\xEF\xBC\x8C", "\xEF\xBC\x9B"};
	int			bytes = 0;
	int			space = 0;
	int			separator = 0;

	for (int count = 1; count <= limit && bytes < length; count++)
	{
		const char *c = text + bytes;
		int			next = Min(pg_mblen(c), length - bytes);

		bytes += next;
		if (count <= limit / 2)
			continue;
		if (next == 1 && strchr(" \t\n\v\f\r", *c) != NULL)
			space = bytes;
		for (int i = 0; i < lengthof(separators); i++)
			if (next == (int) strlen(separators[i]) && memcmp(c, separators[i], next) == 0)
				separator = bytes;
	}
	if (bytes == length)
		return bytes;
	if (space > 0)
		return space;
	return separator > 0 ? separator : bytes;
}

static void
build_string(PgtBuilder *builder, PgtPart *part)
{
	PgtLevels  *levels = pgt_levels_begin(builder, PGT_STRING);
	const char *text = part->value.val.string.val;
	int			rest = part->value.val.string.len;

	while (rest > 0)
	{
		PgtLeaf		leaf = {0};
		JsonbValue	piece;
		int			bytes = string_piece(text, rest, builder->options->string_size / 4);

		piece.type = jbvString;
		piece.val.string.val = unconstify(char *, text);
		piece.val.string.len = bytes;
		leaf.kind = PGT_STRING;
		leaf.value = pgt_json_form(&piece);
		leaf.bytes = bytes;
		leaf.count = 1;
		pgt_levels_leaf(levels, &leaf);
		pfree(leaf.value);
		text += bytes;
		rest -= bytes;
	}
	pgt_levels_root(levels, part);
}

void
pgt_store_branch(PgtBuilder *builder, PgtPart *part)
{
	PgtLeaf		leaf = {0};

	if (part->marker)
		return;
	if (part->value.type == jbvString && part->size > builder->options->string_size)
	{
		build_string(builder, part);
		return;
	}
	leaf.kind = pgt_json_kind(&part->value);
	leaf.value = pgt_json_form(&part->value);
	leaf.bytes = part->size;
	leaf.count = 1;
	pgt_json_make_marker(&part->value, pgt_write_leaf(builder->writer, &leaf));
	part->size = pgt_json_bytes(&part->value);
	part->marker = true;
	pfree(leaf.value);
}

List *
pgt_store_leaves(PgtBuilder *builder, const JsonbValue *container)
{
	List	   *leaves = NIL;
	PgtPieces  *pieces = begin_pieces(builder, pgt_json_kind(container), false);

	pieces->list = &leaves;
	feed_all(pieces, container);
	close_piece(pieces);
	MemoryContextDelete(pieces->memory);
	return leaves;
}
