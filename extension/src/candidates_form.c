/*
 * candidates_form.c: the forms in which a row or a node may contain the scalars of a probe, as pgtoaster.search_forms
 * describes them. A node contains part of a document without the path above it, so there is a form for each end of the
 * path to a scalar.
 */
#include "candidates.h"

/* Strings of this many bytes may be stored in pieces. */
#define MAY_BE_CUT 8000
/* The first scalars of a probe that are considered, and levels above them. */
#define MOST_SCALARS 64
#define MOST_LEVELS 64

/* The steps to a scalar of a probe, from the root. A step is a key; jbvNull stands for any element of an array. */
typedef struct Scalar
{
	int			count;
	JsonbValue	steps[MOST_LEVELS];
	JsonbValue	value;
} Scalar;

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

/* Returns the value with the steps from the given one on around it. */
static Jsonb *
form_of(Scalar *scalar, int from)
{
	PgtJsonbState state = {0};
	JsonbValue *result = NULL;

	if (from == scalar->count)
		return JsonbValueToJsonb(&scalar->value);
	for (int i = from; i < scalar->count; i++)
	{
		bool		element = scalar->steps[i].type == jbvNull;

		(void) pgt_push_jsonb(&state, element ? WJB_BEGIN_ARRAY : WJB_BEGIN_OBJECT, NULL);
		if (!element)
			(void) pgt_push_jsonb(&state, WJB_KEY, &scalar->steps[i]);
	}
	(void) pgt_push_jsonb(&state, scalar->steps[scalar->count - 1].type == jbvNull ? WJB_ELEM : WJB_VALUE, &scalar->value);
	for (int i = scalar->count - 1; i >= from; i--)
		result = pgt_push_jsonb(&state, scalar->steps[i].type == jbvNull ? WJB_END_ARRAY : WJB_END_OBJECT, NULL);
	return JsonbValueToJsonb(result);
}

/* Adds the forms of a scalar. */
static void
add_forms(PgtForms *forms, Scalar *scalar)
{
	for (int i = 0; i <= scalar->count; i++)
		forms->nodes = lappend(forms->nodes, form_of(scalar, i));
	forms->rows = lappend(forms->rows, form_of(scalar, 0));
}

/* Returns the forms of a scalar; NULL if no index finds it. element: whether it may also be an element of an array there. */
static PgtForms *
forms_of(Scalar *scalar, bool element)
{
	PgtForms   *forms = palloc0(sizeof(PgtForms));
	Jsonb	   *bare = JsonbValueToJsonb(&scalar->value);

	forms->length = strlen(JsonbToCString(NULL, &bare->root, VARSIZE(bare)));
	if (forms->length >= MAY_BE_CUT)
		return NULL;
	add_forms(forms, scalar);
	if (element)
	{
		scalar->steps[scalar->count++].type = jbvNull;
		add_forms(forms, scalar);
	}
	return forms;
}

static int
compare_lengths(const ListCell *a, const ListCell *b)
{
	return ((PgtForms *) lfirst(b))->length - ((PgtForms *) lfirst(a))->length;
}

List *
pgt_forms(PgtPath *path, Jsonb *probe)
{
	List	   *all = NIL;
	Scalar	   *scalar = palloc0(sizeof(Scalar));
	JsonbIterator *iterator = JsonbIteratorInit(&probe->root);
	JsonbIteratorToken token;
	JsonbValue	part;
	int			depth = path->length;
	int			escaped = 0;	/* depth of the first key that is stored in another form; 0 if there is none */

	if (depth >= MOST_LEVELS)
		return NIL;
	for (int i = 0; i < depth; i++)
	{
		JsonbValue *step = &scalar->steps[i];

		step->type = jbvString;
		step->val.string.val = VARDATA_ANY(path->steps[i]);
		step->val.string.len = VARSIZE_ANY_EXHDR(path->steps[i]);
		if (is_escaped(step))
			return NIL;
	}
	while ((token = JsonbIteratorNext(&iterator, &part, false)) != WJB_DONE && list_length(all) < MOST_SCALARS)
	{
		if (token == WJB_END_ARRAY || token == WJB_END_OBJECT)
		{
			escaped = escaped == depth ? 0 : escaped;
			depth -= depth > 0;
		}
		else if (token == WJB_BEGIN_OBJECT || (token == WJB_BEGIN_ARRAY && !part.val.array.rawScalar))
		{
			depth++;
			if (depth <= MOST_LEVELS)
				scalar->steps[depth - 1].type = jbvNull;
		}
		else if (token == WJB_KEY && depth <= MOST_LEVELS)
		{
			scalar->steps[depth - 1] = part;
			if (escaped == 0 || escaped == depth)
				escaped = is_escaped(&part) ? depth : 0;
		}
		else if ((token == WJB_VALUE || token == WJB_ELEM) && depth <= MOST_LEVELS && escaped == 0)
		{
			PgtForms   *forms;

			scalar->count = depth;
			scalar->value = part;
			/* The root of an array contains its scalars. */
			forms = forms_of(scalar, path->length > 0 && JB_ROOT_IS_SCALAR(probe));
			if (forms != NULL)
				all = lappend(all, forms);
		}
	}
	list_sort(all, compare_lengths);
	return all;
}
