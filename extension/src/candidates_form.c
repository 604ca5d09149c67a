/*
 * candidates_form.c: the jsonpaths that find the rows and nodes with a scalar that each matching document contains. They
 * are in lax mode, in which "[*]" stands for an element of an array or for the value itself. A node contains part of a
 * document without the path above it, so there is a form for each end of the path to a scalar.
 */
#include "candidates.h"

#include "utils/fmgrprotos.h"

/* Strings of this many bytes may be stored in pieces. */
#define MAY_BE_CUT 8000

/* Returns true if a key is stored in another form, because it could be a marker. */
static bool
is_escaped(JsonbValue *key)
{
	int			dollars = 0;

	while (dollars < key->val.string.len && key->val.string.val[dollars] == '$')
		dollars++;
	return dollars > 0 && key->val.string.len - dollars == PGT_MARKER_LEN - 1 &&
		memcmp(key->val.string.val + dollars, PGT_MARKER + 1, PGT_MARKER_LEN - 1) == 0;
}

bool
pgt_add_step(PgtScalar *scalar, JsonbValue *key)
{
	if (scalar->count == PGT_MOST_STEPS || (key != NULL && is_escaped(key)))
		return false;
	if (key != NULL)
		scalar->steps[scalar->count++] = *key;
	else
		scalar->steps[scalar->count++].type = jbvNull;
	return true;
}

/* Appends a scalar as JSON, which is also its form in a jsonpath. */
static void
append(StringInfo text, JsonbValue *value)
{
	Jsonb	   *jsonb = JsonbValueToJsonb(value);

	appendStringInfoString(text, JsonbToCString(NULL, &jsonb->root, VARSIZE(jsonb)));
}

/* Returns the condition that the steps from the given one on lead to the scalar. */
static JsonPath *
form_of(PgtScalar *scalar, int from)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoChar(&text, '$');
	for (int i = from; i < scalar->count; i++)
		if (scalar->steps[i].type == jbvNull)
			appendStringInfoString(&text, "[*]");
		else
		{
			appendStringInfoChar(&text, '.');
			append(&text, &scalar->steps[i]);
		}
	appendStringInfoString(&text, " == ");
	append(&text, &scalar->value);
	return DatumGetJsonPathP(DirectFunctionCall1(jsonpath_in, CStringGetDatum(text.data)));
}

bool
pgt_set_value(PgtScalar *scalar, JsonbValue *value)
{
	StringInfoData text;

	initStringInfo(&text);
	append(&text, value);
	scalar->value = *value;
	scalar->length = text.len;
	return text.len < MAY_BE_CUT;
}

void
pgt_add_forms(PgtForms *forms, PgtScalar *scalar)
{
	forms->rows = lappend(forms->rows, form_of(scalar, 0));
	forms->nodes = lappend(forms->nodes, form_of(scalar, 0));
	/* "[*]" may stand for nothing, so no form needs to begin between two of them. */
	for (int i = 0; i < scalar->count; i++)
		if (scalar->steps[i].type != jbvNull)
			forms->nodes = lappend(forms->nodes, form_of(scalar, i + 1));
}
