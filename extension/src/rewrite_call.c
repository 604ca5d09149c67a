/*
 * rewrite_call.c: combines functions and operators with the call that reads their first argument:
 *
 *   jsonb_array_length(doc -> 'roles')          returns the length without reading the elements
 *   doc ? 'roles', doc @> '{"name": "Ada"}'     look only at the named members
 *   doc @? '$.roles[*] ? (@.year > 2000)'       the same
 *   jsonb_path_query(doc, '$.roles[*]')         receives only these members
 *   jsonb_array_elements(doc -> 'roles')        reads the elements one after the other
 */
#include "document.h"
#include "rewrite.h"

#include "access/transam.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
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
	{F_JSONB_PATH_EXISTS_OPR, "document_path_exists", 2, BOOLOID, false},
	{F_JSONB_PATH_MATCH_OPR, "document_path_match", 2, BOOLOID, false},
	{F_JSONB_ARRAY_ELEMENTS, "document_elements", 1, JSONBOID, true},
	{F_JSONB_ARRAY_ELEMENTS_TEXT, "document_elements_text", 1, TEXTOID, true}
};

FuncExpr *
pgt_reading_call(Node *node, bool *whole)
{
	FuncExpr   *call = (FuncExpr *) node;
	char	   *name;

	/* Users have no constants of this type other than NULL. */
	if (!IsA(node, FuncExpr) || call->funcresulttype != JSONBOID || call->args == NIL ||
		!IsA(linitial(call->args), Const) || ((Const *) linitial(call->args))->constisnull ||
		exprType(linitial(call->args)) != pgt_origin_type())
		return NULL;
	name = get_func_name(call->funcid);
	*whole = strcmp(name, "document_whole") == 0;
	return *whole || strcmp(name, "document_get") == 0 ? call : NULL;
}

Node *
pgt_call_in_place(FuncExpr *reading, bool whole, const char *name, Oid result, bool set, List *what)
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

/* Finds the members that a constant jsonpath names. */
static bool
members_of(Node *node, List **keys)
{
	Const	   *path = (Const *) node;

	return IsA(node, Const) && path->consttype == JSONPATHOID && !path->constisnull &&
		pgt_path_members(DatumGetJsonPathP(path->constvalue), keys);
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
	reading = arguments != NIL ? pgt_reading_call(linitial(arguments), &whole) : NULL;
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
		return pgt_call_in_place(reading, whole, replacement->name, replacement->result, replacement->set, what);
	}
	/* The server's own functions with a jsonpath, which read only the members that it names. */
	if (whole && function < FirstGenbkiObjectId && list_length(arguments) > 1 && members_of(lsecond(arguments), &keys))
		linitial(arguments) = pgt_call_in_place(reading, whole, "document_members", JSONBOID, false, list_make1(text_array(keys)));
	return NULL;
}
