/*
 * json_value_container.c: values of documents in memory, changed one level at a time.
 *
 * Most of a leaf of some kilobytes is only copied. Only the containers on the way to a change are opened. All others
 * keep the bytes of their jsonb, which depend on their position only by alignment.
 */
#include "json_edit.h"

#include "miscadmin.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

char
pgt_json_kind(const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvBinary:
			return JsonContainerIsObject(value->val.binary.data) ? 'o' : 'a';
		case jbvObject:
			return 'o';
		case jbvArray:
			return 'a';
		case jbvString:
			return 's';
		default:
			return 'v';
	}
}

int
pgt_json_count(const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvBinary:
			return JsonContainerSize(value->val.binary.data);
		case jbvObject:
			return value->val.object.nPairs;
		case jbvArray:
			return value->val.array.nElems;
		default:
			return 0;
	}
}

void
pgt_json_child(const JsonbContainer *container, int index, uint32 offset, JsonbValue *value)
{
	int			count = JsonContainerSize(container) * (JsonContainerIsObject(container) ? 2 : 1);
	JEntry		entry = container->children[index];
	char	   *data = (char *) &container->children[count];

	if (JBE_ISNULL(entry))
		value->type = jbvNull;
	else if (JBE_ISSTRING(entry))
	{
		value->type = jbvString;
		value->val.string.val = data + offset;
		value->val.string.len = getJsonbLength(container, index);
	}
	else if (JBE_ISNUMERIC(entry))
	{
		value->type = jbvNumeric;
		value->val.numeric = (Numeric) (data + INTALIGN(offset));
	}
	else if (JBE_ISBOOL(entry))
	{
		value->type = jbvBool;
		value->val.boolean = JBE_ISBOOL_TRUE(entry);
	}
	else
	{
		value->type = jbvBinary;
		value->val.binary.data = (JsonbContainer *) (data + INTALIGN(offset));
		value->val.binary.len = getJsonbLength(container, index) - (INTALIGN(offset) - offset);
	}
}

void
pgt_json_entry(const JsonbValue *container, int at, JsonbValue *key, JsonbValue *value)
{
	const JsonbContainer *stored;

	if (container->type == jbvArray)
	{
		*value = container->val.array.elems[at];
		return;
	}
	if (container->type == jbvObject)
	{
		if (key != NULL)
			*key = container->val.object.pairs[at].key;
		*value = container->val.object.pairs[at].value;
		return;
	}
	stored = container->val.binary.data;
	if (JsonContainerIsObject(stored))
	{
		if (key != NULL)
			pgt_json_child(stored, at, getJsonbOffset(stored, at), key);
		at += JsonContainerSize(stored);
	}
	pgt_json_child(stored, at, getJsonbOffset(stored, at), value);
}

void
pgt_json_open(JsonbValue *value)
{
	JsonbContainer *stored;
	int			count;
	uint32		offset = 0;
	JsonbValue	open;

	if (value->type != jbvBinary)
		return;
	stored = value->val.binary.data;
	count = JsonContainerSize(stored);
	if (JsonContainerIsObject(stored))
	{
		open.type = jbvObject;
		open.val.object.nPairs = count;
		open.val.object.pairs = palloc(sizeof(JsonbPair) * Max(count, 1));
		for (int i = 0; i < count; i++)
		{
			pgt_json_child(stored, i, offset, &open.val.object.pairs[i].key);
			JBE_ADVANCE_OFFSET(offset, stored->children[i]);
			open.val.object.pairs[i].order = 0;
		}
		for (int i = 0; i < count; i++)
		{
			pgt_json_child(stored, count + i, offset, &open.val.object.pairs[i].value);
			JBE_ADVANCE_OFFSET(offset, stored->children[count + i]);
		}
	}
	else
	{
		open.type = jbvArray;
		open.val.array.nElems = count;
		open.val.array.rawScalar = false;
		open.val.array.elems = palloc_extended(sizeof(JsonbValue) * Max(count, 1), MCXT_ALLOC_HUGE);
		for (int i = 0; i < count; i++)
		{
			pgt_json_child(stored, i, offset, &open.val.array.elems[i]);
			JBE_ADVANCE_OFFSET(offset, stored->children[i]);
		}
	}
	*value = open;
}

/* Compares keys as jsonb does. */
static int
compare_keys(const JsonbValue *a, const char *key, int length)
{
	if (a->val.string.len != length)
		return a->val.string.len > length ? 1 : -1;
	return memcmp(a->val.string.val, key, length);
}

int
pgt_json_find(const JsonbValue *object, const char *key, int length, bool *found)
{
	int			low = 0;
	int			high = object->val.object.nPairs;

	*found = false;
	while (low < high)
	{
		int			middle = (low + high) / 2;
		int			order = compare_keys(&object->val.object.pairs[middle].key, key, length);

		if (order == 0)
		{
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
pgt_json_put_member(JsonbValue *object, const char *key, int length, const JsonbValue *value)
{
	bool		found;
	int			at = pgt_json_find(object, key, length, &found);
	JsonbPair  *pairs = object->val.object.pairs;
	int			count = object->val.object.nPairs;

	if (!found)
	{
		pairs = repalloc_huge(pairs, sizeof(JsonbPair) * (Size) (count + 1));
		memmove(pairs + at + 1, pairs + at, sizeof(JsonbPair) * (count - at));
		pairs[at].key.type = jbvString;
		pairs[at].key.val.string.val = unconstify(char *, key);
		pairs[at].key.val.string.len = length;
		pairs[at].order = 0;
		object->val.object.pairs = pairs;
		object->val.object.nPairs++;
	}
	pairs[at].value = *value;
}

void
pgt_json_insert_element(JsonbValue *array, int at, const JsonbValue *value)
{
	int			count = array->val.array.nElems;
	JsonbValue *elements = repalloc_huge(array->val.array.elems, sizeof(JsonbValue) * (Size) (count + 1));

	memmove(elements + at + 1, elements + at, sizeof(JsonbValue) * (count - at));
	elements[at] = *value;
	array->val.array.elems = elements;
	array->val.array.nElems++;
}

void
pgt_json_delete_entry(JsonbValue *container, int at)
{
	if (container->type == jbvObject)
	{
		JsonbPair  *pairs = container->val.object.pairs;

		container->val.object.nPairs--;
		memmove(pairs + at, pairs + at + 1, sizeof(JsonbPair) * (container->val.object.nPairs - at));
	}
	else
	{
		JsonbValue *elements = container->val.array.elems;

		container->val.array.nElems--;
		memmove(elements + at, elements + at + 1, sizeof(JsonbValue) * (container->val.array.nElems - at));
	}
}

void
pgt_json_begin(PgtCursor *cursor, const JsonbValue *container)
{
	cursor->container = container;
	cursor->at = 0;
	cursor->count = pgt_json_count(container);
	cursor->key_offset = 0;
	cursor->offset = 0;
	if (container->type == jbvBinary && JsonContainerIsObject(container->val.binary.data))
		cursor->offset = getJsonbOffset(container->val.binary.data, cursor->count);
}

bool
pgt_json_next(PgtCursor *cursor, JsonbValue *key, JsonbValue *value)
{
	const JsonbContainer *stored;
	int			at = cursor->at;

	if (at >= cursor->count)
		return false;
	cursor->at++;
	if (cursor->container->type != jbvBinary)
	{
		if (cursor->container->type == jbvObject)
			*key = cursor->container->val.object.pairs[at].key;
		pgt_json_entry(cursor->container, at, NULL, value);
		return true;
	}
	stored = cursor->container->val.binary.data;
	if (JsonContainerIsObject(stored))
	{
		pgt_json_child(stored, at, cursor->key_offset, key);
		JBE_ADVANCE_OFFSET(cursor->key_offset, stored->children[at]);
		at += cursor->count;
	}
	pgt_json_child(stored, at, cursor->offset, value);
	JBE_ADVANCE_OFFSET(cursor->offset, stored->children[at]);
	return true;
}

/* Writes jsonb as jsonb_util.c does; copies stored containers. */

static int
pad(StringInfo buffer)
{
	int			padding = INTALIGN(buffer->len) - buffer->len;

	for (int i = 0; i < padding; i++)
		appendStringInfoCharMacro(buffer, '\0');
	return padding;
}

static JEntry form(StringInfo buffer, const JsonbValue *value);

/* Writes entries one after the other, and stores the length of each in the space reserved for it. */
static void
form_entry(StringInfo buffer, const JsonbValue *value, int number, int at, uint32 *total)
{
	JEntry		entry = form(buffer, value);

	*total += JBE_OFFLENFLD(entry);
	if (*total > JENTRY_OFFLENMASK)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("total size of jsonb container elements exceeds the maximum of %u bytes", JENTRY_OFFLENMASK)));
	if (number % JB_OFFSET_STRIDE == 0)
		entry = (entry & JENTRY_TYPEMASK) | *total | JENTRY_HAS_OFF;
	memcpy(buffer->data + at + number * sizeof(JEntry), &entry, sizeof(JEntry));
}

static JEntry
form_container(StringInfo buffer, const JsonbValue *value, bool scalar)
{
	int			base = buffer->len;
	bool		object = value->type == jbvObject;
	int			count = scalar ? 1 : pgt_json_count(value);
	uint32		header = count | (object ? JB_FOBJECT : JB_FARRAY) | (scalar ? JB_FSCALAR : 0);
	uint32		total = 0;
	int			entries;
	Size		reserved = sizeof(JEntry) * (Size) count * (object ? 2 : 1);

	check_stack_depth();
	pad(buffer);
	appendBinaryStringInfo(buffer, (char *) &header, sizeof(header));
	entries = buffer->len;
	if (count > (object ? PGT_MAX_PAIRS : PGT_MAX_ELEMS))
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("a jsonb container has too many entries")));
	enlargeStringInfo(buffer, (int) reserved);
	buffer->len += (int) reserved;
	if (scalar)
		form_entry(buffer, value, 0, entries, &total);
	else if (object)
	{
		for (int i = 0; i < count; i++)
			form_entry(buffer, &value->val.object.pairs[i].key, i, entries, &total);
		for (int i = 0; i < count; i++)
			form_entry(buffer, &value->val.object.pairs[i].value, count + i, entries, &total);
	}
	else
		for (int i = 0; i < count; i++)
			form_entry(buffer, &value->val.array.elems[i], i, entries, &total);
	return JENTRY_ISCONTAINER | (uint32) (buffer->len - base);
}

static JEntry
form(StringInfo buffer, const JsonbValue *value)
{
	int			base = buffer->len;

	switch (value->type)
	{
		case jbvNull:
			return JENTRY_ISNULL;
		case jbvBool:
			return value->val.boolean ? JENTRY_ISBOOL_TRUE : JENTRY_ISBOOL_FALSE;
		case jbvString:
			if (value->val.string.len > JENTRY_OFFLENMASK)
				ereport(ERROR,
						(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						 errmsg("string too long to represent as jsonb string")));
			appendBinaryStringInfo(buffer, value->val.string.val, value->val.string.len);
			return JENTRY_ISSTRING | value->val.string.len;
		case jbvNumeric:
			pad(buffer);
			appendBinaryStringInfo(buffer, (char *) value->val.numeric, VARSIZE_ANY(value->val.numeric));
			return JENTRY_ISNUMERIC | (uint32) (buffer->len - base);
		case jbvBinary:
			pad(buffer);
			appendBinaryStringInfo(buffer, (char *) value->val.binary.data, value->val.binary.len);
			return JENTRY_ISCONTAINER | (uint32) (buffer->len - base);
		case jbvArray:
		case jbvObject:
			return form_container(buffer, value, false);
		default:
			elog(ERROR, "unexpected type %d of a jsonb value", (int) value->type);
	}
	return 0;
}

Jsonb *
pgt_json_form(const JsonbValue *value)
{
	StringInfoData buffer;

	initStringInfo(&buffer);
	enlargeStringInfo(&buffer, VARHDRSZ);
	buffer.len = VARHDRSZ;
	if (IsAJsonbScalar(value))
		form_container(&buffer, value, true);
	else
		form(&buffer, value);
	SET_VARSIZE(buffer.data, buffer.len);
	return (Jsonb *) buffer.data;
}

/* Markers, and keys that look like a marker's. */

bool
pgt_json_marker(const JsonbValue *value, int64 *branch)
{
	JsonbValue	key;
	JsonbValue	named;
	bool		damaged = false;

	if (value->type == jbvBinary)
	{
		JsonbValue	stored = *value;

		return pgt_marked(&stored, branch, &damaged) && !damaged;
	}
	if (value->type != jbvObject || value->val.object.nPairs != 1)
		return false;
	key = value->val.object.pairs[0].key;
	named = value->val.object.pairs[0].value;
	if (key.val.string.len != PGT_MARKER_LEN || memcmp(key.val.string.val, PGT_MARKER, PGT_MARKER_LEN) != 0 ||
		named.type != jbvNumeric)
		return false;
	*branch = pgt_branch_number(&named);
	return *branch >= 0;
}

void
pgt_json_make_marker(JsonbValue *value, int64 branch)
{
	JsonbPair  *pair = palloc0(sizeof(JsonbPair));

	pair->key.type = jbvString;
	pair->key.val.string.val = PGT_MARKER;
	pair->key.val.string.len = PGT_MARKER_LEN;
	pair->value.type = jbvNumeric;
	pair->value.val.numeric = int64_to_numeric(branch);
	value->type = jbvObject;
	value->val.object.nPairs = 1;
	value->val.object.pairs = pair;
}

/* Returns true if the bytes of a stored container may contain such a key; most containers do not. */
static bool
may_be_special(const JsonbValue *value)
{
	return value->type != jbvBinary || pgt_has_marker_text(value->val.binary.data, value->val.binary.len);
}

void
pgt_json_markers(const JsonbValue *value, PgtIds *ids)
{
	int64		branch;
	int			count;

	if (IsAJsonbScalar(value) || !may_be_special(value))
		return;
	check_stack_depth();
	if (pgt_json_marker(value, &branch))
	{
		pgt_ids_add(ids, branch);
		return;
	}
	count = pgt_json_count(value);
	for (int i = 0; i < count; i++)
	{
		JsonbValue	entry;

		pgt_json_entry(value, i, NULL, &entry);
		pgt_json_markers(&entry, ids);
	}
}

bool
pgt_json_special(const JsonbValue *value)
{
	int			count;
	bool		object = pgt_json_kind(value) == 'o';

	if (IsAJsonbScalar(value) || !may_be_special(value))
		return false;
	check_stack_depth();
	count = pgt_json_count(value);
	for (int i = 0; i < count; i++)
	{
		JsonbValue	key;
		JsonbValue	entry;

		pgt_json_entry(value, i, object ? &key : NULL, &entry);
		if ((object && pgt_key_like_marker(key.val.string.val, key.val.string.len)) || pgt_json_special(&entry))
			return true;
	}
	return false;
}

void
pgt_json_escape(JsonbValue *value)
{
	int			count;

	if (!pgt_json_special(value))
		return;
	check_stack_depth();
	pgt_json_open(value);
	count = pgt_json_count(value);
	if (value->type == jbvArray)
	{
		for (int i = 0; i < count; i++)
			pgt_json_escape(&value->val.array.elems[i]);
	}
	else
	{
		JsonbValue	escaped;

		escaped.type = jbvObject;
		escaped.val.object.nPairs = 0;
		escaped.val.object.pairs = palloc(sizeof(JsonbPair));
		for (int i = 0; i < count; i++)
		{
			JsonbPair  *pair = &value->val.object.pairs[i];
			int			length;
			const char *key = pgt_key_escape(pair->key.val.string.val, pair->key.val.string.len, &length);

			pgt_json_escape(&pair->value);
			pgt_json_put_member(&escaped, key, length, &pair->value);
		}
		*value = escaped;
	}
}
