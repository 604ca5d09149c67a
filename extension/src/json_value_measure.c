/*
 * json_value_measure.c: sizes of values and hashes of texts, computed as the library does, so that both cut documents at
 * the same places.
 */
#include "json_value.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/json.h"
#include "utils/numeric.h"

/* Returns the size of a numeric in a jsonb, in which it has a header of 4 bytes. */
static int64
numeric_size(Numeric numeric)
{
	return INTALIGN(VARHDRSZ + VARSIZE_ANY_EXHDR(numeric));
}

static int64 container_size(const JsonbContainer *container);

static int64
stored_entry_size(const JsonbContainer *container, int index, uint32 offset)
{
	JsonbValue	value;

	if (JBE_ISSTRING(container->children[index]))
		return getJsonbLength(container, index);
	if (!JBE_ISNUMERIC(container->children[index]) && !JBE_ISCONTAINER(container->children[index]))
		return 0;
	pgt_json_child(container, index, offset, &value);
	return value.type == jbvNumeric ? numeric_size(value.val.numeric) : container_size(value.val.binary.data);
}

static int64
container_size(const JsonbContainer *container)
{
	int			count = JsonContainerSize(container);
	int			all = count * (JsonContainerIsObject(container) ? 2 : 1);
	int64		size = PGT_CONTAINER;
	uint32		offset = 0;

	check_stack_depth();
	for (int i = 0; i < all; i++)
	{
		JEntry		entry = container->children[i];
		uint32		next = offset;

		JBE_ADVANCE_OFFSET(next, entry);
		size += PGT_ENTRY_BYTES;
		if (JBE_ISSTRING(entry))
			size += next - offset;
		else if (JBE_ISNUMERIC(entry) || JBE_ISCONTAINER(entry))
			size += stored_entry_size(container, i, offset);
		offset = next;
	}
	if (count == 1 && JsonContainerIsObject(container))
	{
		JsonbValue	value;
		int64		branch;

		value.type = jbvBinary;
		value.val.binary.data = unconstify(JsonbContainer *, container);
		value.val.binary.len = 2 * sizeof(JEntry) + sizeof(uint32) + getJsonbOffset(container, 1) + getJsonbLength(container, 1);
		if (pgt_json_marker(&value, &branch))
			return PGT_MARKED_BYTES;
	}
	return size;
}

int64
pgt_json_bytes(const JsonbValue *value)
{
	int64		size = PGT_CONTAINER;
	int64		branch;

	switch (value->type)
	{
		case jbvString:
			return value->val.string.len;
		case jbvNumeric:
			return numeric_size(value->val.numeric);
		case jbvBinary:
			return container_size(value->val.binary.data);
		case jbvArray:
			check_stack_depth();
			for (int i = 0; i < value->val.array.nElems; i++)
				size += PGT_ENTRY_BYTES + pgt_json_bytes(&value->val.array.elems[i]);
			return size;
		case jbvObject:
			check_stack_depth();
			if (pgt_json_marker(value, &branch))
				return PGT_MARKED_BYTES;
			for (int i = 0; i < value->val.object.nPairs; i++)
				size += 2 * PGT_ENTRY_BYTES + value->val.object.pairs[i].key.val.string.len +
					pgt_json_bytes(&value->val.object.pairs[i].value);
			return size;
		default:
			return 0;
	}
}

int64
pgt_json_datum_bytes(const JsonbValue *value)
{
	int64		size = PGT_DATUM + pgt_json_bytes(value);

	return IsAJsonbScalar(value) ? size + PGT_CONTAINER + PGT_ENTRY_BYTES : size;
}

/* Computes java.lang.String.hashCode, over UTF-16. */
int32
pgt_string_hash(const char *text, int length, int64 *units)
{
	uint32		hash = 0;
	int64		count = 0;
	bool		utf8 = GetDatabaseEncoding() == PG_UTF8;
	const unsigned char *at = (const unsigned char *) text;
	const unsigned char *end = at + length;

	while (at < end)
	{
		uint32		c = *at;
		int			bytes = 1;

		if (c >= 0x80 && utf8)
		{
			bytes = pg_utf_mblen(at);
			if (bytes > end - at)
				break;
			c = utf8_to_unicode(at);
		}
		if (c >= 0x10000)
		{
			hash = 31 * hash + (0xD800 + ((c - 0x10000) >> 10));
			c = 0xDC00 + ((c - 0x10000) & 0x3FF);
			count++;
		}
		hash = 31 * hash + c;
		count++;
		at += bytes;
	}
	if (units != NULL)
		*units = count;
	return (int32) hash;
}

int32
pgt_json_text_hash(const JsonbValue *value, int64 *length)
{
	StringInfoData text;
	int32		hash;

	initStringInfo(&text);
	switch (value->type)
	{
		case jbvNull:
			appendStringInfoString(&text, "null");
			break;
		case jbvBool:
			appendStringInfoString(&text, value->val.boolean ? "true" : "false");
			break;
		case jbvNumeric:
			appendStringInfoString(&text, DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric))));
			break;
		case jbvString:
			escape_json(&text, pnstrdup(value->val.string.val, value->val.string.len));
			break;
		case jbvBinary:
			JsonbToCString(&text, value->val.binary.data, value->val.binary.len);
			break;
		default:
			{
				Jsonb	   *formed = pgt_json_form(value);

				JsonbToCString(&text, &formed->root, VARSIZE(formed));
			}
	}
	hash = pgt_string_hash(text.data, text.len, length);
	pfree(text.data);
	return hash;
}
