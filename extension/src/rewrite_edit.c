/*
 * rewrite_edit.c: rewrites the parts of a query, and its changes of attached columns of documents. SET doc =
 * jsonb_set(doc, ..) and similar functions, nested or in COALESCE and CASE, become noted edits (document/edits.sql).
 * The column's trigger applies them when they reach the stored document. Any other expression returns a whole document.
 */
#include "rewrite.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* The column that an UPDATE sets. If its triggers do not fire, nothing applies noted edits. */
typedef struct Target
{
	PgtRewrite *rewrite;
	AttrNumber	attnum;
} Target;

static Var *
stored_of(Target *target, Node *node)
{
	Var		   *var = (Var *) node;
	Oid			relid;
	const PgtAttached *attached;

	if (!IsA(node, Var) || var->varlevelsup > 0 || var->varno != target->rewrite->level->query->resultRelation ||
		var->varattno != target->attnum)
		return NULL;
	attached = pgt_document_var(target->rewrite->level, node, &relid);
	return attached != NULL && pgt_does_edits(relid, attached->store) ? var : NULL;
}

static Node *edit(Target *target, Node *node, Var **stored);

/* Rewrites the arguments of a call after the first, which is the document. They only read. */
static List *
others(Target *target, List *arguments)
{
	List	   *result = NIL;

	for (int i = 1; i < list_length(arguments); i++)
		result = lappend(result, pgt_rewrite_node(list_nth(arguments, i), target->rewrite));
	return result;
}

/* Returns a call toaster.name(document, arguments..) that makes an edit or notes it. */
static Node *
note(const char *name, Node *document, List *arguments)
{
	Oid			types[8] = {JSONBOID};
	int			count = 1;
	ListCell   *cell;

	foreach(cell, arguments)
		types[count++] = exprType(lfirst(cell));
	return (Node *) makeFuncExpr(pgt_function("toaster", name, count, types), JSONBOID, lcons(document, arguments),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Returns true if a function is one of the catalog's functions that note edits. */
static bool
is_edit(Oid function)
{
	static const char *const names[] = {"set", "insert", "append", "keep_last", "remove", "increment", "merge", "patch"};
	const char *name = pgt_is_library(function) ? get_func_name(function) : NULL;

	for (int i = 0; name != NULL && i < lengthof(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Returns a call that edits its first argument; NULL if the edit cannot be noted. */
static Node *
edit_call(Target *target, Oid function, List *arguments, Var **stored)
{
	Node	   *document;
	const char *name;

	/* A noted edit that the user has written as a call. */
	if (is_edit(function) && arguments != NIL && exprType(linitial(arguments)) == JSONBOID)
	{
		document = edit(target, linitial(arguments), stored);
		if (document == NULL)
			return NULL;
		return (Node *) makeFuncExpr(function, get_func_rettype(function), lcons(document, others(target, arguments)), InvalidOid,
									 InvalidOid, COERCE_EXPLICIT_CALL);
	}
	switch (function)
	{
		case F_JSONB_SET:
		case F_JSONB_INSERT:
		case F_JSONB_DELETE_PATH:
		case F_JSONB_CONCAT:
		case F_JSONB_DELETE_JSONB_TEXT:
		case F_JSONB_DELETE_JSONB__TEXT:
			break;
		default:
			return NULL;
	}
	document = edit(target, linitial(arguments), stored);
	if (document == NULL)
		return NULL;
	switch (function)
	{
		case F_JSONB_SET:
			return note("document_set", document, others(target, arguments));
		case F_JSONB_INSERT:
			return note("document_insert", document, others(target, arguments));
		case F_JSONB_DELETE_PATH:
			return note("document_remove", document, others(target, arguments));
		case F_JSONB_CONCAT:
			name = "document_concat";
			break;
		default:
			name = "document_delete";
	}
	return pgt_call(target->rewrite, name, JSONBOID, document, *stored, others(target, arguments));
}

/* SET doc['roles'][5] = value */
static Node *
edit_subscripts(Target *target, SubscriptingRef *subscripts, Var **stored)
{
	Node	   *document;
	ArrayExpr  *path;
	StringInfoData kinds;
	ListCell   *cell;

	if (subscripts->refcontainertype != JSONBOID || subscripts->refassgnexpr == NULL || subscripts->refexpr == NULL)
		return NULL;
	document = edit(target, (Node *) subscripts->refexpr, stored);
	if (document == NULL)
		return NULL;
	path = makeNode(ArrayExpr);
	path->array_typeid = TEXTARRAYOID;
	path->element_typeid = TEXTOID;
	path->location = -1;
	initStringInfo(&kinds);
	foreach(cell, subscripts->refupperindexpr)
	{
		Node	   *step = pgt_rewrite_node(lfirst(cell), target->rewrite);

		appendStringInfoChar(&kinds, exprType(step) == INT4OID ? PGT_STEP_POSITION : PGT_STEP_KEY);
		path->elements = lappend(path->elements, pgt_text_step(step));
	}
	return pgt_call(target->rewrite, "document_assign", JSONBOID, document, *stored,
					list_make3(path, pgt_text_const(kinds.data),
							   pgt_rewrite_node((Node *) subscripts->refassgnexpr, target->rewrite)));
}

/* Handles one of several results, at least one of which must be an edit. */
static Node *
edit_any(Target *target, Node *node, Var **stored)
{
	Node	   *result = edit(target, node, stored);

	return result != NULL ? result : pgt_rewrite_node(node, target->rewrite);
}

/* Returns the arguments in their order, with the defaults of omitted ones. */
static List *
all_arguments(FuncExpr *call)
{
	HeapTuple	function = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
	List	   *arguments;

	if (!HeapTupleIsValid(function))
		elog(ERROR, "function %u no longer exists", call->funcid);
	arguments = expand_function_arguments(call->args, false, call->funcresulttype, function);
	ReleaseSysCache(function);
	return arguments;
}

/*
 * Returns the stored document with the edits noted; NULL if the expression does not start from the stored document.
 */
static Node *
edit(Target *target, Node *node, Var **stored)
{
	Var		   *found = NULL;

	if (node == NULL)
		return NULL;
	if (stored_of(target, node) != NULL)
	{
		*stored = stored_of(target, node);
		return copyObject(node);
	}
	if (IsA(node, OpExpr))
		return edit_call(target, get_opcode(((OpExpr *) node)->opno), ((OpExpr *) node)->args, stored);
	if (IsA(node, FuncExpr))
		return edit_call(target, ((FuncExpr *) node)->funcid, all_arguments((FuncExpr *) node), stored);
	if (IsA(node, SubscriptingRef))
		return edit_subscripts(target, (SubscriptingRef *) node, stored);
	if (IsA(node, CoalesceExpr))
	{
		CoalesceExpr *coalesce = copyObject((CoalesceExpr *) node);
		ListCell   *cell;

		foreach(cell, coalesce->args)
			lfirst(cell) = edit_any(target, lfirst(cell), &found);
		*stored = found;
		return found != NULL ? (Node *) coalesce : NULL;
	}
	if (IsA(node, CaseExpr))
	{
		CaseExpr   *cases = copyObject((CaseExpr *) node);
		ListCell   *cell;

		cases->arg = (Expr *) pgt_rewrite_node((Node *) cases->arg, target->rewrite);
		foreach(cell, cases->args)
		{
			CaseWhen   *when = lfirst(cell);

			when->expr = (Expr *) pgt_rewrite_node((Node *) when->expr, target->rewrite);
			when->result = (Expr *) edit_any(target, (Node *) when->result, &found);
		}
		cases->defresult = (Expr *) edit_any(target, (Node *) cases->defresult, &found);
		*stored = found;
		return found != NULL ? (Node *) cases : NULL;
	}
	return NULL;
}

/* Rewrites the SET list of an UPDATE. */
static List *
rewrite_set(List *entries, PgtRewrite *rewrite)
{
	List	   *result = NIL;
	ListCell   *cell;

	foreach(cell, entries)
	{
		TargetEntry *entry = flatCopyTargetEntry(lfirst(cell));
		Target		target = {rewrite, entry->resjunk ? 0 : entry->resno};
		Var		   *stored = NULL;

		entry->expr = (Expr *) edit_any(&target, (Node *) entry->expr, &stored);
		result = lappend(result, entry);
	}
	return result;
}

static Node *
rewrite_conflict(OnConflictExpr *conflict, PgtRewrite *rewrite)
{
	OnConflictExpr *result;

	if (conflict == NULL)
		return NULL;
	/* Expressions that select the index stay unchanged. */
	result = copyObject(conflict);
	rewrite->level->edits = true;
	result->onConflictSet = rewrite_set(result->onConflictSet, rewrite);
	rewrite->level->edits = false;
	result->onConflictWhere = pgt_rewrite_node(result->onConflictWhere, rewrite);
	return (Node *) result;
}

static List *
rewrite_actions(List *actions, PgtRewrite *rewrite)
{
	List	   *result = NIL;
	ListCell   *cell;

	foreach(cell, actions)
	{
		MergeAction *action = copyObject(lfirst_node(MergeAction, cell));

		action->qual = pgt_rewrite_node(action->qual, rewrite);
		if (action->commandType == CMD_UPDATE)
		{
			rewrite->level->edits = true;
			action->targetList = rewrite_set(action->targetList, rewrite);
			rewrite->level->edits = false;
		}
		else
			action->targetList = (List *) pgt_rewrite_node((Node *) action->targetList, rewrite);
		result = lappend(result, action);
	}
	return result;
}

/* Returns a copy of a query with its reads and edits of documents rewritten; up is the level around it, or NULL. */
static Query *
rewrite_query(Query *query, PgtLevel *up)
{
	Query		given = *query;
	PgtLevel	level = {.up = up,.query = query,.conflict = query->onConflict};
	PgtRewrite	rewrite = {&level, rewrite_query};
	Query	   *result;
	ListCell   *cell;

	/* Each of these is rewritten separately. */
	given.targetList = given.returningList = given.withCheckOptions = given.mergeActionList = NIL;
	given.onConflict = NULL;
	given.havingQual = NULL;
	result = query_tree_mutator(&given, pgt_rewrite_node, &rewrite, 0);

	foreach(cell, query->groupClause)
		level.grouped = lappend(level.grouped, get_sortgroupclause_expr(lfirst(cell), query->targetList));
	result->havingQual = pgt_rewrite_node(query->havingQual, &rewrite);
	level.edits = query->commandType == CMD_UPDATE;
	result->targetList = level.edits ? rewrite_set(query->targetList, &rewrite)
		: (List *) pgt_rewrite_node((Node *) query->targetList, &rewrite);
	level.edits = false;
	level.grouped = NIL;
	level.written = query->commandType == CMD_UPDATE || query->commandType == CMD_INSERT || query->commandType == CMD_MERGE;
	result->onConflict = (OnConflictExpr *) rewrite_conflict(query->onConflict, &rewrite);
	result->mergeActionList = rewrite_actions(query->mergeActionList, &rewrite);
	result->withCheckOptions = (List *) pgt_rewrite_node((Node *) query->withCheckOptions, &rewrite);
	result->returningList = (List *) pgt_rewrite_node((Node *) query->returningList, &rewrite);
	return result;
}

Query *
pgt_rewrite(Query *query)
{
	return rewrite_query(query, NULL);
}
