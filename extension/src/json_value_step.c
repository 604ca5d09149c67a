/* json_value_step.c: steps of paths, and the codes by which keys are ordered. */
#include "json_value.h"

#include "mb/pg_wchar.h"

#define CODE_BYTES 512

/* Reads a step as a position, by the rules of jsonb: 32 bits; white space and a sign may precede the digits. */
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
