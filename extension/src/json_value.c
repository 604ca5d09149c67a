/*
 * json_value.c: values, keys and steps of paths, without access to tables: which values are markers, how keys are
 * escaped and ordered, which child of an inner node contains a position or key.
 */
#include "json.h"
#include "compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/numeric.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#define CODE_BYTES 512

bool
pgt_is_array(JsonbValue *value)
{
	return value->type == jbvBinary && JsonContainerIsArray(value->val.binary.data);
}

bool
pgt_is_object(JsonbValue *value)
{
	return value->type == jbvBinary && JsonContainerIsObject(value->val.binary.data);
}

/* Sets the root of a jsonb as a value, which points into the jsonb. */
void
pgt_root_value(Jsonb *jsonb, JsonbValue *value)
{
	if (JB_ROOT_IS_SCALAR(jsonb))
	{
		JsonbExtractScalar(&jsonb->root, value);
		return;
	}
	value->type = jbvBinary;
	value->val.binary.data = &jsonb->root;
	value->val.binary.len = VARSIZE(jsonb) - VARHDRSZ;
}

/* Returns the number in a marker or header: 1 to 18 digits; -1, which names no branch, for anything else. */
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

/* Ids of nodes have 13 digits or more, except for those created in the first quarter of an hour of the id range. */
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

int
pgt_child_at(PgtNode *node, int64 position)
{
	int			low = 0;
	int			high = node->kid_count + 1;

	/* Finds the first start greater than the position. */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (node->starts[middle] <= position)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 || low > node->kid_count ? -1 : low - 1;
}

int
pgt_child_of(PgtNode *node, const char *key, int len)
{
	bytea	   *code = pgt_key_code(key, len);
	int			low = 0;
	int			high = node->kid_count;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (pgt_code_compare(node->lows[middle], code) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* Reads a step as a position, by the rules of jsonb: 32 bits, white space and a sign before the digits. */
static bool
read_position(const char *text, int len, int32 *position)
{
	int			at = 0;
	bool		negative;
	int64		number = 0;

	while (at < len && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')))
		at++;
	negative = at < len && text[at] == '-';
	if (negative || (at < len && text[at] == '+'))
		at++;
	if (at == len)
		return false;
	for (; at < len; at++)
	{
		if (text[at] < '0' || text[at] > '9')
			return false;
		number = number * 10 + (text[at] - '0');
		if (number > (int64) PG_INT32_MAX + 1)
			return false;
	}
	if (negative)
		number = -number;
	if (number > PG_INT32_MAX)
		return false;
	*position = (int32) number;
	return true;
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

void
pgt_steps(PgtSteps *steps, PgtPath *path)
{
	steps->length = path->length;
	steps->steps = palloc(Max(path->length, 1) * sizeof(PgtStep));
	for (int i = 0; i < path->length; i++)
	{
		PgtStep    *step = &steps->steps[i];

		step->raw = VARDATA_ANY(path->steps[i]);
		step->raw_len = VARSIZE_ANY_EXHDR(path->steps[i]);
		step->key = pgt_key_escape(step->raw, step->raw_len, &step->key_len);
		step->kind = '\0';
		step->position = 0;
		step->is_position = read_position(step->raw, step->raw_len, &step->position);
	}
}

bytea *
pgt_key_code(const char *key, int len)
{
	char	   *utf8 = pg_server_to_any(key, len, PG_UTF8);
	int			length = utf8 == key ? len : strlen(utf8);
	int			first = Min(length, CODE_BYTES);
	bytea	   *code = palloc(VARHDRSZ + sizeof(uint32) + first);
	uint32		prefix = pg_hton32((uint32) length);

	SET_VARSIZE(code, VARHDRSZ + sizeof(uint32) + first);
	memcpy(VARDATA(code), &prefix, sizeof(uint32));
	memcpy(VARDATA(code) + sizeof(uint32), utf8, first);
	return code;
}

int
pgt_code_compare(bytea *a, bytea *b)
{
	int			a_len = VARSIZE_ANY_EXHDR(a);
	int			b_len = VARSIZE_ANY_EXHDR(b);
	int			order = memcmp(VARDATA_ANY(a), VARDATA_ANY(b), Min(a_len, b_len));

	return order != 0 ? order : a_len < b_len ? -1 : a_len > b_len;
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
pgt_value_size(JsonbValue *value)
{
	const int64 scalar = VARHDRSZ + sizeof(uint32) + sizeof(JEntry);

	switch (value->type)
	{
		case jbvBinary:
			return VARHDRSZ + (int64) value->val.binary.len;
		case jbvString:
			return scalar + value->val.string.len;
		case jbvNumeric:
			return scalar + VARSIZE_ANY(value->val.numeric);
		default:
			return scalar;
	}
}

Jsonb *
pgt_value_jsonb(JsonbValue *value)
{
	Size		size = pgt_value_size(value);
	Jsonb	   *jsonb = palloc(size);
	JEntry	   *entry = &jsonb->root.children[0];

	SET_VARSIZE(jsonb, size);
	if (value->type == jbvBinary)
	{
		memcpy(&jsonb->root, value->val.binary.data, value->val.binary.len);
		return jsonb;
	}
	/* An array of one element, whose only entry stores the end offset. */
	jsonb->root.header = 1 | JB_FARRAY | JB_FSCALAR;
	*entry = JENTRY_HAS_OFF | (size - ((char *) (entry + 1) - (char *) jsonb));
	switch (value->type)
	{
		case jbvString:
			*entry |= JENTRY_ISSTRING;
			memcpy(entry + 1, value->val.string.val, value->val.string.len);
			break;
		case jbvNumeric:
			*entry |= JENTRY_ISNUMERIC;
			memcpy(entry + 1, value->val.numeric, VARSIZE_ANY(value->val.numeric));
			break;
		case jbvBool:
			*entry |= value->val.boolean ? JENTRY_ISBOOL_TRUE : JENTRY_ISBOOL_FALSE;
			break;
		default:
			*entry |= JENTRY_ISNULL;
	}
	return jsonb;
}
