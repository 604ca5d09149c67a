/*
 * candidates_probe.c: finds scalars that a document must contain to meet a condition. For a jsonpath, these are constants
 * compared with "==".
 */
#include "candidates.h"

#include "miscadmin.h"

/* The first scalars that are considered; the longest of them are searched for. */
#define MOST_SCALARS 64
#define MOST_SEARCHES 8
/* The maximum number of forms of alternatives. */
#define MOST_FORMS 64

/* Scalars of which a document must contain at least one. */
typedef struct Choice
{
	int			length;			/* of the shortest */
	int			forms;			/* number of forms of nodes, may be too high */
	List	   *scalars;
} Choice;

/* Adds a scalar that the document must contain, unless no index finds it. */
static void
add_scalar(List **all, PgtScalar *scalar, JsonbValue *value)
{
	PgtScalar  *copy;
	Choice	   *choice;

	if (list_length(*all) >= MOST_SCALARS || !pgt_set_value(scalar, value))
		return;
	copy = palloc(sizeof(PgtScalar));
	choice = palloc(sizeof(Choice));
	*copy = *scalar;
	choice->length = copy->length;
	choice->forms = copy->count + 1;
	choice->scalars = list_make1(copy);
	*all = lappend(*all, choice);
}

/* Adds the scalars of a value that a document must contain at the place of a scalar. */
static void
add_contained(List **all, PgtScalar *scalar, JsonbValue *value)
{
	int			count = scalar->count;
	bool		known = false;
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue	part;

	check_stack_depth();
	if (value->type != jbvBinary)
	{
		add_scalar(all, scalar, value);
		return;
	}
	iterator = JsonbIteratorInit(value->val.binary.data);
	while ((token = JsonbIteratorNext(&iterator, &part, true)) != WJB_DONE && list_length(*all) < MOST_SCALARS)
	{
		if (token == WJB_KEY || token == WJB_ELEM)
			known = pgt_add_step(scalar, token == WJB_KEY ? &part : NULL);
		if (token == WJB_VALUE || token == WJB_ELEM)
		{
			if (known)
				add_contained(all, scalar, &part);
			scalar->count = count;
		}
	}
}

static int
compare_lengths(const ListCell *a, const ListCell *b)
{
	return ((Choice *) lfirst(b))->length - ((Choice *) lfirst(a))->length;
}

static void add_condition(List **all, JsonPathItem *item, PgtScalar *root, PgtScalar *current);

/*
 * Follows a path of keys and arrays; returns false if it leads to other steps. Adds the scalars of its filters. at is the
 * place of "@", and then of the values of the path.
 */
static bool
follow(List **all, JsonPathItem *item, PgtScalar *root, PgtScalar *at)
{
	JsonPathItem part;
	JsonbValue	key = {.type = jbvString};
	PgtScalar  *current;

	check_stack_depth();
	switch (item->type)
	{
		case jpiRoot:
			*at = *root;
			break;
		case jpiCurrent:
			break;
		case jpiKey:
			key.val.string.val = jspGetString(item, &key.val.string.len);
			if (!pgt_add_step(at, &key))
				return false;
			break;
		case jpiAnyArray:
		case jpiIndexArray:
			if (!pgt_add_step(at, NULL))
				return false;
			break;
		case jpiFilter:
			/* A filter also applies to the elements of an array. */
			if (!pgt_add_step(at, NULL))
				return false;
			current = palloc(sizeof(PgtScalar));
			*current = *at;
			jspGetArg(item, &part);
			add_condition(all, &part, root, current);
			break;
		default:
			return false;
	}
	return !jspGetNext(item, &part) || follow(all, &part, root, at);
}

/* Converts a constant in a jsonpath; returns false if the item is something else. */
static bool
is_constant(JsonPathItem *item, JsonbValue *value)
{
	if (jspHasNext(item))
		return false;
	switch (item->type)
	{
		case jpiNull:
			value->type = jbvNull;
			return true;
		case jpiBool:
			value->type = jbvBool;
			value->val.boolean = jspGetBool(item);
			return true;
		case jpiNumeric:
			value->type = jbvNumeric;
			value->val.numeric = jspGetNumeric(item);
			return true;
		case jpiString:
			value->type = jbvString;
			value->val.string.val = jspGetString(item, &value->val.string.len);
			return true;
		default:
			return false;
	}
}

/* Adds the alternatives of two lists: a document must match one of the two. */
static void
add_choice(List **all, List *one, List *other)
{
	Choice	   *choice;
	Choice	   *second;

	if (one == NIL || other == NIL || list_length(*all) >= MOST_SCALARS)
		return;
	list_sort(one, compare_lengths);
	list_sort(other, compare_lengths);
	choice = linitial(one);
	second = linitial(other);
	choice->length = Min(choice->length, second->length);
	choice->forms += second->forms;
	choice->scalars = list_concat(choice->scalars, second->scalars);
	if (choice->forms <= MOST_FORMS)
		*all = lappend(*all, choice);
}

/* Adds the scalars without which a condition of a jsonpath is not true. */
static void
add_condition(List **all, JsonPathItem *item, PgtScalar *root, PgtScalar *current)
{
	JsonPathItem left;
	JsonPathItem right;
	JsonbValue	value;
	List	   *one = NIL;
	List	   *other = NIL;
	PgtScalar  *copy;

	check_stack_depth();
	if (jspHasNext(item))
		return;
	switch (item->type)
	{
		case jpiAnd:
		case jpiOr:
			/* Each operand begins at the same place. */
			copy = palloc(sizeof(PgtScalar));
			*copy = *current;
			jspGetLeftArg(item, &left);
			jspGetRightArg(item, &right);
			add_condition(item->type == jpiAnd ? all : &one, &left, root, current);
			add_condition(item->type == jpiAnd ? all : &other, &right, root, copy);
			add_choice(all, one, other);
			break;
		case jpiEqual:
			jspGetLeftArg(item, &left);
			jspGetRightArg(item, &right);
			if (is_constant(&right, &value) ? follow(all, &left, root, current)
				: is_constant(&left, &value) && follow(all, &right, root, current))
				add_scalar(all, current, &value);
			break;
		case jpiExists:
			jspGetArg(item, &left);
			(void) follow(all, &left, root, current);
			break;
		default:
			break;
	}
}

List *
pgt_forms(PgtProbe *probe)
{
	List	   *all = NIL;
	List	   *result = NIL;
	PgtScalar  *root = palloc(sizeof(PgtScalar));
	PgtScalar  *current = palloc(sizeof(PgtScalar));
	JsonbValue	value = {.type = jbvString};
	JsonPathItem item;
	ListCell   *cell;

	root->count = 0;
	for (int i = 0; i < probe->path.length; i++)
	{
		value.val.string.val = VARDATA_ANY(probe->path.steps[i]);
		value.val.string.len = VARSIZE_ANY_EXHDR(probe->path.steps[i]);
		if (!pgt_add_step(root, &value))
			return NIL;
	}
	*current = *root;
	if (strcmp(probe->operator, "@>") == 0)
	{
		pgt_root_value(DatumGetJsonbP(probe->value), &value);
		add_contained(&all, root, &value);
	}
	else
	{
		jspInit(&item, DatumGetJsonPathP(probe->value));
		if (strcmp(probe->operator, "@@") == 0)
			add_condition(&all, &item, root, current);
		/* A condition always has a result, even if it is false. */
		else if (item.type == jpiRoot)
			(void) follow(&all, &item, root, current);
	}
	list_sort(all, compare_lengths);
	foreach(cell, list_truncate(all, MOST_SEARCHES))
	{
		Choice	   *choice = lfirst(cell);
		PgtForms   *forms = palloc0(sizeof(PgtForms));
		ListCell   *scalar;

		foreach(scalar, choice->scalars)
			pgt_add_forms(forms, lfirst(scalar));
		result = lappend(result, forms);
	}
	return result;
}
