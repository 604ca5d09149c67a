/* json_value_form.c: converts a value to a jsonb as jsonb_util.c does; stored containers are copied as they are. */
#include "json_value.h"

#include "miscadmin.h"

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
