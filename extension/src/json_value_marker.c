/*
 * json_value_marker.c: markers, which take the place of members that are out of line, and keys of users that look like
 * a marker's key, which are escaped.
 */
#include "json_value.h"

#include "miscadmin.h"
#include "utils/numeric.h"

void
pgt_ids_add(PgtIds *ids, int64 id)
{
	if (ids->count == ids->room)
	{
		ids->room = Max(8, ids->room * 2);
		ids->ids = ids->ids == NULL ? palloc(sizeof(int64) * ids->room)
			: repalloc_huge(ids->ids, sizeof(int64) * (Size) ids->room);
	}
	ids->ids[ids->count++] = id;
}

bool
pgt_key_like_marker(const char *key, int len)
{
	int			dollars = len - (PGT_MARKER_LEN - 1);

	if (dollars < 1 || memcmp(key + dollars, PGT_MARKER + 1, PGT_MARKER_LEN - 1) != 0)
		return false;
	for (int i = 0; i < dollars; i++)
		if (key[i] != '$')
			return false;
	return true;
}

const char *
pgt_key_escape(const char *key, int len, int *stored_len)
{
	char	   *escaped;

	*stored_len = len;
	if (!pgt_key_like_marker(key, len))
		return key;
	escaped = palloc(len + 1);
	escaped[0] = '$';
	memcpy(escaped + 1, key, len);
	*stored_len = len + 1;
	return escaped;
}

bool
pgt_has_marker_text(const void *data, Size size)
{
	const char *at = data;
	const char *end = at + size - Min(size, PGT_MARKER_LEN - 1);

	/* Dollar signs are rare. */
	while (at < end && (at = memchr(at, PGT_MARKER[0], end - at)) != NULL)
	{
		if (memcmp(at, PGT_MARKER, PGT_MARKER_LEN) == 0)
			return true;
		at++;
	}
	return false;
}

int64
pgt_branch_number(JsonbValue *value)
{
	char	   *text;
	int64		number = 0;
	int			length;

	if (value == NULL || value->type != jbvNumeric)
		return -1;
	text = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric)));
	length = strlen(text);
	if (length > 18)
		return -1;
	for (int i = 0; i < length; i++)
	{
		if (text[i] < '0' || text[i] > '9')
			return -1;
		number = number * 10 + (text[i] - '0');
	}
	pfree(text);
	return number;
}

bool
pgt_marked(JsonbValue *value, int64 *branch, bool *damaged)
{
	JsonbValue	mark;

	if (!pgt_is_object(value) ||
		getKeyJsonValueFromContainer(value->val.binary.data, PGT_MARKER, PGT_MARKER_LEN, &mark) == NULL)
		return false;
	*branch = pgt_branch_number(&mark);
	*damaged = *branch < 0 || JsonContainerSize(value->val.binary.data) != 1;
	return true;
}

/* Node ids have at least 13 digits, except for the ids of the first quarter of an hour. */
#define LEAST_NODE INT64CONST(1000000000000)

bool
pgt_lost_header(JsonbValue *value, bool within)
{
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue	part;
	int64		branch;
	bool		damaged;
	bool		alone = false;
	bool		marks = false;

	if (value->type != jbvBinary || !pgt_has_marker_text(value->val.binary.data, value->val.binary.len))
		return false;
	if (!within)
		return pgt_marked(value, &branch, &damaged) && !damaged && branch >= LEAST_NODE;
	iterator = JsonbIteratorInit(value->val.binary.data);
	while ((token = JsonbIteratorNext(&iterator, &part, false)) != WJB_DONE)
	{
		if (token == WJB_VALUE && marks && pgt_branch_number(&part) >= LEAST_NODE)
			return true;
		marks = token == WJB_KEY && alone && part.val.string.len == PGT_MARKER_LEN &&
			memcmp(part.val.string.val, PGT_MARKER, PGT_MARKER_LEN) == 0;
		alone = token == WJB_BEGIN_OBJECT && part.val.object.nPairs == 1;
	}
	return false;
}

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
