/*
 * rewrite_support.c: answers the planner's questions about the calls, after it has merged subqueries and folded
 * constants.
 */
#include "document.h"
#include "rewrite.h"

#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

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

/* Returns the steps of a path if it is an array of expressions or a constant. */
static List *
steps_of(Node *path)
{
	List	   *steps = NIL;
	Datum	   *values;
	bool	   *nulls;
	int			count;

	if (IsA(path, ArrayExpr))
		return ((ArrayExpr *) path)->multidims ? NIL : ((ArrayExpr *) path)->elements;
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
 * the path; the next one has the kinds of its steps.
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

/* Returns true if a text is a number that position_const() can read. */
static bool
is_position(Const *step)
{
	char	   *digits = TextDatumGetCString(step->constvalue);

	digits += *digits == '-';
	return *digits != '\0' && strlen(digits) < 10 && strspn(digits, "0123456789") == strlen(digits);
}

/* Returns true if operators() can be called. Users may call value_get with other arguments than pgtoaster. */
static bool
fits(Node *path, const char *kinds)
{
	List	   *steps = steps_of(path);
	int			count = strlen(kinds);
	ListCell   *cell;

	if (strspn(kinds, "p") == count)
		return true;
	foreach(cell, steps)
	{
		Node	   *step = lfirst(cell);

		if (kinds[Min(foreach_current_index(cell), count)] == PGT_STEP_POSITION &&
			!(IsA(step, CoerceViaIO) ? exprType((Node *) ((CoerceViaIO *) step)->arg) == INT4OID
			  : IsA(step, Const) && !((Const *) step)->constisnull && is_position((Const *) step)))
			return false;
	}
	return list_length(steps) == count;
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
 * Simplifies value_get over a column of a view or subquery. After the planner has replaced that column with its
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
	if (!fits(path, TextDatumGetCString(kinds->constvalue)))
		PG_RETURN_POINTER(NULL);
	reading = pgt_reading_call(value, &whole);
	if (reading == NULL || !whole)
	{
		Node	   *read = operators(value, path, TextDatumGetCString(kinds->constvalue), as_text);

		/*
		 * Fold it here, because nothing else does. If a condition is not folded, the planner also folds the branches
		 * that the condition rules out.
		 */
		PG_RETURN_POINTER(IsA(value, Const) ? eval_const_expressions(request->root, read) : read);
	}
	if (pgt_path_stays_in_row(reading, path))
		PG_RETURN_POINTER(operators(lsecond(reading->args), path, TextDatumGetCString(kinds->constvalue), as_text));
	PG_RETURN_POINTER(pgt_call_in_place(reading, whole, as_text ? "document_get_text" : "document_get", as_text ? TEXTOID : JSONBOID, false,
									list_make2(path, kinds)));
}

PG_FUNCTION_INFO_V1(pgt_edit_support);

/*
 * Folds || and - if the planner knows their operands, as in coalesce(doc - NULL, '{}') || '1'. The row's key among
 * the arguments keeps the planner from folding the call itself. Without this function, an error in the surrounding
 * expression would not be raised if the query finds no row.
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
 * Gives the planner the same facts as the operators do: whether a reading call is NULL, and the selectivity of ?, @>, @?
 * and @@. Except for ?, it also gives the planner a condition for an index on the key.
 */
Datum
pgt_document_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(fold_null(((SupportRequestSimplify *) request)->fcall, 2));
	if (IsA(request, SupportRequestIndexCondition))
		PG_RETURN_POINTER(pgt_index_condition((SupportRequestIndexCondition *) request));
	if (!IsA(request, SupportRequestSelectivity))
		PG_RETURN_POINTER(NULL);
	((SupportRequestSelectivity *) request)->selectivity = 0.01;
	PG_RETURN_POINTER(request);
}
