/*
 * rewrite_call.c: combines functions and operators with the call that reads their first argument:
 *
 *   jsonb_array_length(doc -> 'roles')          returns the length without reading the elements
 *   doc ? 'roles', doc @> '{"name": "Ada"}'     look only at the named members
 *   doc @? '$.roles[*] ? (@.year > 2000)'       receives only these members
 *   jsonb_array_elements(doc -> 'roles')        reads the elements one after the other
 */
#include "document.h"
#include "rewrite.h"

#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/jsonpath.h"
#include "utils/lsyscache.h"

/* Replaces a function of jsonb. Its arguments except the first follow the document, the path and the steps. */
typedef struct Replacement
{
	Oid			function;
	const char *name;
	int			arguments;
	Oid			result;
	bool		set;
} Replacement;

static const Replacement replacements[] = {
	{F_JSONB_TYPEOF, "document_typeof", 1, TEXTOID, false},
	{F_JSONB_ARRAY_LENGTH, "document_array_length", 1, INT4OID, false},
	{F_JSONB_EXISTS, "document_exists", 2, BOOLOID, false},
	{F_JSONB_EXISTS_ANY, "document_exists_any", 2, BOOLOID, false},
	{F_JSONB_EXISTS_ALL, "document_exists_all", 2, BOOLOID, false},
	{F_JSONB_CONTAINS, "document_contains", 2, BOOLOID, false},
	{F_JSONB_ARRAY_ELEMENTS, "document_elements", 1, JSONBOID, true},
	{F_JSONB_ARRAY_ELEMENTS_TEXT, "document_elements_text", 1, TEXTOID, true}
};

/* Returns a node if it is a call of the hook that reads a value, at a path or the whole; otherwise NULL. */
static FuncExpr *
reading_call(Node *node, bool *whole)
{
	FuncExpr   *call = (FuncExpr *) node;
	char	   *name;

	if (!IsA(node, FuncExpr) || call->funcresulttype != JSONBOID || call->args == NIL ||
		exprType(linitial(call->args)) != pgt_origin_type())
		return NULL;
	name = get_func_name(call->funcid);
	*whole = strcmp(name, "document_whole") == 0;
	return *whole || strcmp(name, "document_get") == 0 ? call : NULL;
}

/* Returns a call name(origin, document, what.., key..) that replaces a reading call. */
static Node *
call_in_place(FuncExpr *reading, bool whole, const char *name, Oid result, bool set, List *what)
{
	Oid			types[8] = {pgt_origin_type(), JSONBOID};
	int			count = 2;
	List	   *arguments = list_make2(linitial(reading->args), lsecond(reading->args));
	FuncExpr   *call;
	ListCell   *cell;

	foreach(cell, what)
		types[count++] = exprType(lfirst(cell));
	types[count++] = ANYOID;
	arguments = list_concat(arguments, what);
	for (int i = whole ? 2 : 4; i < list_length(reading->args); i++)
		arguments = lappend(arguments, list_nth(reading->args, i));
	call = makeFuncExpr(pgt_function("toaster", name, count, types), result, arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	call->funcretset = set;
	if (result == TEXTOID)
		call->funccollid = DEFAULT_COLLATION_OID;
	call->location = reading->location;
	return (Node *) call;
}

static Node *
text_array(List *keys)
{
	Datum	   *values = palloc(sizeof(Datum) * Max(list_length(keys), 1));
	ListCell   *cell;

	foreach(cell, keys)
		values[foreach_current_index(cell)] = PointerGetDatum(lfirst(cell));
	return (Node *) makeConst(TEXTARRAYOID, -1, DEFAULT_COLLATION_OID, -1,
							  PointerGetDatum(construct_array(values, list_length(keys), TEXTOID, -1, false, TYPALIGN_INT)), false, false);
}

/* Adds the members of the document that a part of a jsonpath names; returns false if it may use others. */
static bool
add_members(JsonPathItem *item, List **keys)
{
	JsonPathItem part;
	JsonPathItem other;

	check_stack_depth();
	switch (item->type)
	{
		case jpiRoot:
			if (!jspGetNext(item, &part) || part.type != jpiKey)
				return false;
			{
				int32		length;
				char	   *key = jspGetString(&part, &length);

				*keys = lappend(*keys, cstring_to_text_with_len(key, length));
			}
			break;
		case jpiAnd:
		case jpiOr:
		case jpiEqual:
		case jpiNotEqual:
		case jpiLess:
		case jpiGreater:
		case jpiLessOrEqual:
		case jpiGreaterOrEqual:
		case jpiAdd:
		case jpiSub:
		case jpiMul:
		case jpiDiv:
		case jpiMod:
		case jpiStartsWith:
			jspGetLeftArg(item, &part);
			jspGetRightArg(item, &other);
			if (!add_members(&part, keys) || !add_members(&other, keys))
				return false;
			break;
		case jpiNot:
		case jpiIsUnknown:
		case jpiPlus:
		case jpiMinus:
		case jpiExists:
		case jpiFilter:
			jspGetArg(item, &part);
			if (!add_members(&part, keys))
				return false;
			break;
		case jpiLikeRegex:
			jspInitByBuffer(&part, item->base, item->content.like_regex.expr);
			if (!add_members(&part, keys))
				return false;
			break;
		case jpiIndexArray:
			for (int i = 0; i < item->content.array.nelems; i++)
			{
				bool		range = jspGetArraySubscript(item, &part, &other, i);

				if (!add_members(&part, keys) || (range && !add_members(&other, keys)))
					return false;
			}
			break;
		case jpiNull:
		case jpiString:
		case jpiNumeric:
		case jpiBool:
		case jpiKey:
		case jpiAnyArray:
		case jpiAnyKey:
		case jpiAny:
		case jpiCurrent:
		case jpiVariable:
		case jpiLast:
		case jpiType:
		case jpiSize:
		case jpiAbs:
		case jpiFloor:
		case jpiCeiling:
		case jpiDouble:
			break;
		default:
			/* For these, keyvalue() returns the position in the document. */
			return false;
	}
	return !jspGetNext(item, &part) || add_members(&part, keys);
}

/* Adds the members that a constant jsonpath names. */
static bool
members_of(Node *node, List **keys)
{
	Const	   *path = (Const *) node;
	JsonPathItem item;

	if (!IsA(node, Const) || path->consttype != JSONPATHOID || path->constisnull)
		return false;
	jspInit(&item, DatumGetJsonPathP(path->constvalue));
	return add_members(&item, keys);
}

/* Applies the operator -> or a similar one to a value. */
static Node *
operator(const char *name, Node *value, Node *step, Oid result)
{
	Oid			number = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString(pstrdup(name))), JSONBOID, exprType(step));

	return (Node *) make_opclause(number, result, false, (Expr *) value, (Expr *) step, result == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid,
								  DEFAULT_COLLATION_OID);
}

/* Returns a step that is a number as an integer constant. */
static Node *
position_const(Const *step)
{
	return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(pg_strtoint32(TextDatumGetCString(step->constvalue))), false, true);
}

/* Returns the steps of a path, as far as the planner knows them one by one. */
static List *
steps_of(Node *path)
{
	List	   *steps = NIL;
	Datum	   *values;
	bool	   *nulls;
	int			count;

	if (IsA(path, ArrayExpr))
		return ((ArrayExpr *) path)->elements;
	if (!IsA(path, Const))
		return NIL;
	deconstruct_array(DatumGetArrayTypeP(((Const *) path)->constvalue), TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
		steps = lappend(steps, makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, values[i], nulls[i], false));
	return steps;
}

/*
 * Returns a NULL constant for a call that replaces an operator if a step is known to be NULL, because the operators
 * are strict. Expressions around it can then be folded, and nothing else in them is evaluated. The given argument is
 * the path, the next one has the kinds of its steps.
 */
static Node *
fold_null(FuncExpr *call, int argument)
{
	Node	   *kinds = list_nth(call->args, argument + 1);
	char	   *known = IsA(kinds, Const) ? TextDatumGetCString(((Const *) kinds)->constvalue) : "";
	int			count = strlen(known);
	ListCell   *cell;

	foreach(cell, count > 0 ? steps_of(list_nth(call->args, argument)) : NIL)
	{
		Const	   *step = lfirst(cell);
		int			i = foreach_current_index(cell);

		if (i < count && known[i] != 'p' && IsA(step, Const) && step->constisnull)
			return (Node *) makeNullConst(call->funcresulttype, -1, call->funccollid);
	}
	return NULL;
}

/* Returns the steps in [from, to) as text[]. */
static Node *
part_of_path(List *steps, int from, int to)
{
	ArrayExpr  *array = makeNode(ArrayExpr);

	array->array_typeid = TEXTARRAYOID;
	array->array_collid = DEFAULT_COLLATION_OID;
	array->element_typeid = TEXTOID;
	array->location = -1;
	for (int i = from; i < to; i++)
		array->elements = lappend(array->elements, list_nth(steps, i));
	return eval_const_expressions(NULL, (Node *) array);
}

/* Returns the operators that value_get replaces, because indexes contain these operators. */
static Node *
operators(Node *value, Node *path, const char *kinds, bool as_text)
{
	List	   *steps = steps_of(path);
	int			count = strlen(kinds);

	if (count == 0 || strspn(kinds, "p") == count)
		return operator(as_text ? "#>>" : "#>", value, path, as_text ? TEXTOID : JSONBOID);
	for (int i = 0; i < count;)
	{
		Node	   *step = list_nth(steps, i);
		int			behind = i + Max(1, (int) strspn(kinds + i, "p"));
		bool		text_now = as_text && behind == count;

		if (kinds[i] == 'p')
			value = operator(text_now ? "#>>" : "#>", value, part_of_path(steps, i, behind), text_now ? TEXTOID : JSONBOID);
		else
		{
			if (kinds[i] == PGT_STEP_POSITION)
				step = IsA(step, CoerceViaIO) ? (Node *) ((CoerceViaIO *) step)->arg : position_const((Const *) step);
			value = operator(text_now ? "->>" : "->", value, step, text_now ? TEXTOID : JSONBOID);
		}
		i = behind;
	}
	return value;
}

PG_FUNCTION_INFO_V1(pgt_value_support);

/*
 * Simplifies value_get over a column of a view or subquery. After the planner has replaced that column by its
 * definition, it is a read of a document, or the operators that the user has written.
 */
Datum
pgt_value_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Node	   *value;
	Node	   *path;
	Const	   *kinds;
	Node	   *null;
	bool		as_text;
	bool		whole;
	FuncExpr   *reading;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	value = linitial(request->fcall->args);
	path = lsecond(request->fcall->args);
	kinds = lthird(request->fcall->args);
	as_text = request->fcall->funcresulttype == TEXTOID;
	/* The kinds are not known yet, or are a parameter of a function. Keep value_get, which has the same result. */
	if (!IsA(kinds, Const))
		PG_RETURN_POINTER(NULL);
	null = fold_null(request->fcall, 1);
	if (null != NULL)
		PG_RETURN_POINTER(null);
	reading = reading_call(value, &whole);
	if (reading == NULL || !whole)
	{
		Node	   *read = operators(value, path, TextDatumGetCString(kinds->constvalue), as_text);

		/*
		 * Fold it here, because nothing else does. If a condition is not folded, the planner folds branches that the
		 * condition would keep from being evaluated.
		 */
		PG_RETURN_POINTER(IsA(value, Const) ? eval_const_expressions(request->root, read) : read);
	}
	if (pgt_path_stays_in_row(reading, path))
		PG_RETURN_POINTER(operators(lsecond(reading->args), path, TextDatumGetCString(kinds->constvalue), as_text));
	PG_RETURN_POINTER(call_in_place(reading, whole, as_text ? "document_get_text" : "document_get", as_text ? TEXTOID : JSONBOID, false,
									list_make2(path, kinds)));
}

PG_FUNCTION_INFO_V1(pgt_edit_support);

/*
 * Folds || and - if the planner knows their operands, as in coalesce(doc - NULL, '{}') || '1'. The row's key among
 * the arguments keeps the planner from folding the call itself. Then an error in the surrounding expression would not
 * be raised if there is no row.
 */
Datum
pgt_edit_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Const	   *document;
	Node	   *value;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	document = lsecond(request->fcall->args);
	value = lthird(request->fcall->args);
	if (!IsA(document, Const) || document->constisnull || pgt_has_header(DatumGetJsonbP(document->constvalue)))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(eval_const_expressions(request->root, operator(exprType(value) == JSONBOID ? "||" : "-", (Node *) document, value,
																	 JSONBOID)));
}

PG_FUNCTION_INFO_V1(pgt_document_support);

/*
 * Tells the planner what it would know about the operators: whether a reading call is NULL, and the selectivity of ?
 * and @>.
 */
Datum
pgt_document_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(fold_null(((SupportRequestSimplify *) request)->fcall, 2));
	if (!IsA(request, SupportRequestSelectivity))
		PG_RETURN_POINTER(NULL);
	((SupportRequestSelectivity *) request)->selectivity = 0.01;
	PG_RETURN_POINTER(request);
}

Node *
pgt_absorb(Oid function, List *arguments)
{
	bool		whole;
	FuncExpr   *reading;
	List	   *keys = NIL;

	/* y <@ x is the same as x @> y. */
	if (function == F_JSONB_CONTAINED && list_length(arguments) == 2)
		return pgt_absorb(F_JSONB_CONTAINS, list_make2(lsecond(arguments), linitial(arguments)));
	reading = arguments != NIL ? reading_call(linitial(arguments), &whole) : NULL;
	if (reading == NULL)
		return NULL;
	for (int i = 0; i < lengthof(replacements); i++)
	{
		const Replacement *replacement = &replacements[i];
		List	   *what;

		if (replacement->function != function || replacement->arguments != list_length(arguments))
			continue;
		what = whole ? list_make2(text_array(NIL), pgt_text_const("")) : list_make2(lthird(reading->args), lfourth(reading->args));
		if (list_length(arguments) == 2)
			what = lappend(what, lsecond(arguments));
		return call_in_place(reading, whole, replacement->name, replacement->result, replacement->set, what);
	}
	/* The server's own functions with a jsonpath, which read only what it names. */
	if (whole && function < FirstGenbkiObjectId && list_length(arguments) > 1 && members_of(lsecond(arguments), &keys))
		linitial(arguments) = call_in_place(reading, whole, "document_members", JSONBOID, false, list_make1(text_array(keys)));
	return NULL;
}
