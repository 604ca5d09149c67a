/*
 * json_value_container.c: values of documents in memory, changed one level at a time.
 *
 * Only the containers on the path to a change are opened. All others keep the bytes of their jsonb, which depend on the
 * position only through alignment.
 */
#include "json_value.h"

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
