/*
 * rewrite_index.c: lets the planner find rows by a containment index of the column. For the functions that replace @>, @?
 * and @@, and an index that contains the last column of the row's key, it adds the condition
 *
 *   key = ANY (toaster.document_candidates(..))
 *
 * to those that the index can evaluate. The call itself stays, and checks each row. With conditions on several columns of a
 * key, PostgreSQL 15 and 16 would search for every combination of their values.
 *
 * For a column of a view or a subquery, the call is created when the planner has replaced the column with its definition.
 */
#include "candidates.h"
#include "document.h"
#include "rewrite.h"

#include <ctype.h>

#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

/* An operator that an index may help with, and the functions that replace it. */
typedef struct Operator
{
	const char *name;
	Oid			function;
	Oid			right;			/* type of the right operand */
	const char *document;		/* for documents */
	const char *value;			/* for columns of views, subqueries and joins */
} Operator;

static const Operator operators[] = {
	{"@>", F_JSONB_CONTAINS, JSONBOID, "document_contains", "value_contains"},
	{"@?", F_JSONB_PATH_EXISTS_OPR, JSONPATHOID, "document_path_exists", "value_path_exists"},
	{"@@", F_JSONB_PATH_MATCH_OPR, JSONPATHOID, "document_path_match", "value_path_match"}
};

/* The arguments of the functions for documents. */
enum
{
	ORIGIN, DOCUMENT, PATH, STEPS, PROBE
};

/*
 * Reads a path; returns false if a step of it is unknown, or may be a position: a step of a path text[] is a position in
 * an array, and a key in an object.
 */
static bool
read_keys(Node *steps, Node *kinds, PgtPath *path)
{
	char	   *known = IsA(kinds, Const) ? TextDatumGetCString(((Const *) kinds)->constvalue) : "";

	if (!IsA(steps, Const) || ((Const *) steps)->constisnull ||
		!pgt_read_path(DatumGetArrayTypeP(((Const *) steps)->constvalue), path))
		return false;
	for (int i = 0; i < path->length; i++)
	{
		char	   *step = text_to_cstring(path->steps[i]);
		char		kind = i < strlen(known) ? known[i] : PGT_STEP_POSITION;

		step += strspn(step, " \t\n\v\f\r+-");
		if (kind == PGT_STEP_POSITION || (kind != PGT_STEP_KEY && isdigit((unsigned char) *step)))
			return false;
	}
	return true;
}

/* Returns a call that returns the keys of rows as an array of the given type. */
static Node *
candidates(Node *origin, Oid table, Node *path, const char *operator, Node *probe, Oid type, Oid array)
{
	Oid			types[6] = {pgt_origin_type(), REGCLASSOID, TEXTARRAYOID, TEXTOID, ANYOID, ANYELEMENTOID};
	Node	   *relation = (Node *) makeConst(REGCLASSOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(table), false, true);

	return (Node *) makeFuncExpr(pgt_function("toaster", "document_candidates", 6, types), array,
								 lappend(list_make5(copyObject(origin), relation, copyObject(path), pgt_text_const(operator), copyObject(probe)),
										 makeNullConst(type, -1, InvalidOid)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

List *
pgt_index_condition(SupportRequestIndexCondition *request)
{
	IndexOptInfo *index = request->index;
	FuncExpr   *call = (FuncExpr *) request->node;
	RangeTblEntry *entry = planner_rt_fetch(index->rel->relid, request->root);
	Oid			type = index->opcintype[request->indexcol];
	Oid			array = get_array_type(type);
	Oid			equals = get_opfamily_member(request->opfamily, type, type, BTEqualStrategyNumber);
	Node	   *key;
	PgtProbe	probe = {0};
	Const	   *given;
	PgtOrigin	origin;
	int			last;			/* position of the last column of the key */
	Node	   *value;
	Node	   *known;
	Oid			node;
	bool		may;
	ScalarArrayOpExpr *condition;

	for (int i = 0; i < lengthof(operators) && IsA(call, FuncExpr); i++)
		if (strcmp(get_func_name(call->funcid), operators[i].document) == 0)
			probe.operator = operators[i].name;
	if (probe.operator == NULL)
		return NIL;
	/* Users can call the function with a parameter, but have no constant other than NULL. */
	given = list_nth(call->args, ORIGIN);
	if (!IsA(given, Const) || given->constisnull)
		return NIL;
	origin = pgt_datum_origin(given->constvalue);
	last = list_length(call->args) - ((origin.flags & PGT_ORIGIN_IN_ROW) != 0 ? 3 : 1);
	if (request->indexarg != last ||
		index->relam != BTREE_AM_OID || entry->rtekind != RTE_RELATION || entry->relkind != RELKIND_RELATION ||
		!OidIsValid(array) || !OidIsValid(equals) || !ActiveSnapshotSet())
		return NIL;
	key = list_nth(call->args, last);
	value = list_nth(call->args, PROBE);
	if (!IsBinaryCoercible(getBaseType(exprType(key)), type) || !read_keys(list_nth(call->args, PATH), list_nth(call->args, STEPS), &probe.path) ||
		!is_pseudo_constant_for_index(request->root, value, index))
		return NIL;
	known = estimate_expression_value(request->root, value);
	probe.value = IsA(known, Const) && !((Const *) known)->constisnull ? ((Const *) known)->constvalue : (Datum) 0;
	may = pgt_may_search(origin, entry->relid, probe.value != (Datum) 0 ? &probe : NULL, &node);
	/* The plan depends on the index of the nodes. */
	if (OidIsValid(node))
		request->root->glob->relationOids = list_append_unique_oid(request->root->glob->relationOids, node);
	if (!may)
		return NIL;
	if (exprType(key) != type)
		key = (Node *) makeRelabelType((Expr *) copyObject(key), type, -1, request->indexcollation, COERCE_IMPLICIT_CAST);
	/* The workers of a parallel index scan need equal arrays, but each of them computes its own. */
	index->amcanparallel = false;
	condition = makeNode(ScalarArrayOpExpr);
	condition->opno = equals;
	condition->opfuncid = get_opcode(equals);
	condition->useOr = true;
	condition->inputcollid = request->indexcollation;
	condition->args = list_make2(copyObject(key), candidates(list_nth(call->args, ORIGIN), entry->relid, list_nth(call->args, PATH), probe.operator,
																	   value, type, array));
	condition->location = -1;
	return list_make1(condition);
}

Node *
pgt_search_derived(PgtRewrite *rewrite, Oid function, List *arguments)
{
	if (function == F_JSONB_CONTAINED && list_length(arguments) == 2)
		return pgt_search_derived(rewrite, F_JSONB_CONTAINS, list_make2(lsecond(arguments), linitial(arguments)));
	for (int i = 0; i < lengthof(operators); i++)
	{
		Oid			types[2] = {JSONBOID, operators[i].right};

		if (function == operators[i].function && list_length(arguments) == 2 && IsA(linitial(arguments), Var) &&
			pgt_is_derived(rewrite->level, linitial(arguments), JSONBOID))
			return (Node *) makeFuncExpr(pgt_function("toaster", operators[i].value, 2, types), BOOLOID, arguments, InvalidOid, InvalidOid,
										 COERCE_EXPLICIT_CALL);
	}
	return NULL;
}

PG_FUNCTION_INFO_V1(pgt_value_search_support);

/*
 * Called when the planner has replaced the first argument with its definition. Returns a call that reads a document, or
 * the operator if the argument is something else.
 */
Datum
pgt_value_search_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	char	   *name;
	Node	   *result;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	name = get_func_name(request->fcall->funcid);
	for (int i = 0; i < lengthof(operators); i++)
		if (strcmp(name, operators[i].value) == 0)
		{
			Node	   *value = linitial(request->fcall->args);
			Oid			number;

			result = pgt_absorb(operators[i].function, list_copy(request->fcall->args));
			if (result != NULL)
				PG_RETURN_POINTER(result);
			number = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString(pstrdup(operators[i].name))), JSONBOID, operators[i].right);
			result = (Node *) make_opclause(number, BOOLOID, false, (Expr *) value, lsecond(request->fcall->args), InvalidOid, InvalidOid);
			/* As in pgt_value_support. */
			PG_RETURN_POINTER(IsA(value, Const) ? eval_const_expressions(request->root, result) : result);
		}
	PG_RETURN_POINTER(NULL);
}
