/*
 * rewrite_index.c: lets the planner find rows by a containment index of the column. For toaster.document_contains, and an
 * index that contains the key of the row, it adds the condition
 *
 *   key = ANY (toaster.document_candidates(..))
 *
 * to those that the index can evaluate. The call itself stays, and checks each row.
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
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

/* The arguments of toaster.document_contains. */
enum
{
	ORIGIN, DOCUMENT, PATH, STEPS, PROBE, KEY
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
candidates(Node *origin, Oid table, Node *path, Node *probe, Oid type, Oid array)
{
	Oid			types[5] = {pgt_origin_type(), REGCLASSOID, TEXTARRAYOID, JSONBOID, ANYELEMENTOID};
	Node	   *relation = (Node *) makeConst(REGCLASSOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(table), false, true);

	return (Node *) makeFuncExpr(pgt_function("toaster", "document_candidates", 5, types), array,
								 list_make5(copyObject(origin), relation, copyObject(path), copyObject(probe), makeNullConst(type, -1, InvalidOid)),
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
	PgtPath		path;
	Node	   *probe;
	Node	   *known;
	Oid			node;
	bool		may;
	ScalarArrayOpExpr *condition;

	if (!IsA(call, FuncExpr) || strcmp(get_func_name(call->funcid), "document_contains") != 0 || request->indexarg != KEY ||
		index->relam != BTREE_AM_OID || entry->rtekind != RTE_RELATION || entry->relkind != RELKIND_RELATION ||
		!OidIsValid(array) || !OidIsValid(equals) || !ActiveSnapshotSet())
		return NIL;
	key = list_nth(call->args, KEY);
	probe = list_nth(call->args, PROBE);
	if (!IsBinaryCoercible(getBaseType(exprType(key)), type) || !read_keys(list_nth(call->args, PATH), list_nth(call->args, STEPS), &path) ||
		!is_pseudo_constant_for_index(request->root, probe, index))
		return NIL;
	known = estimate_expression_value(request->root, probe);
	may = pgt_may_search(pgt_datum_origin(castNode(Const, list_nth(call->args, ORIGIN))->constvalue), entry->relid, &path,
						 IsA(known, Const) && !((Const *) known)->constisnull
						 ? DatumGetJsonbP(((Const *) known)->constvalue) : NULL, &node);
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
	condition->args = list_make2(copyObject(key), candidates(list_nth(call->args, ORIGIN), entry->relid, list_nth(call->args, PATH), probe, type, array));
	condition->location = -1;
	return list_make1(condition);
}

Node *
pgt_contains_derived(PgtRewrite *rewrite, Oid function, List *arguments)
{
	Oid			types[2] = {JSONBOID, JSONBOID};

	if (function == F_JSONB_CONTAINED && list_length(arguments) == 2)
		return pgt_contains_derived(rewrite, F_JSONB_CONTAINS, list_make2(lsecond(arguments), linitial(arguments)));
	if (function != F_JSONB_CONTAINS || list_length(arguments) != 2 || !IsA(linitial(arguments), Var) ||
		!pgt_is_derived(rewrite->level, linitial(arguments), JSONBOID))
		return NULL;
	return (Node *) makeFuncExpr(pgt_function("toaster", "value_contains", 2, types), BOOLOID, arguments, InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

PG_FUNCTION_INFO_V1(pgt_value_contains);

Datum
pgt_value_contains(PG_FUNCTION_ARGS)
{
	return DirectFunctionCall2(jsonb_contains, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
}

PG_FUNCTION_INFO_V1(pgt_value_contains_support);

/*
 * Called when the planner has replaced the first argument with its definition. Returns a call that reads a document, or
 * the operator @> if the argument is something else.
 */
Datum
pgt_value_contains_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Node	   *result;
	Oid			contains;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	result = pgt_absorb(F_JSONB_CONTAINS, list_copy(request->fcall->args));
	if (result != NULL)
		PG_RETURN_POINTER(result);
	contains = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("@>")), JSONBOID, JSONBOID);
	result = (Node *) make_opclause(contains, BOOLOID, false, linitial(request->fcall->args), lsecond(request->fcall->args), InvalidOid, InvalidOid);
	/* As in pgt_value_support. */
	PG_RETURN_POINTER(IsA(linitial(request->fcall->args), Const) ? eval_const_expressions(request->root, result) : result);
}
