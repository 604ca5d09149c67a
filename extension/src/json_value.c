/* json_value.c: stored values. */
#include "json_value.h"

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
