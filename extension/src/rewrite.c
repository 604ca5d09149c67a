/*
 * rewrite.c: finds the expressions of a query that read attached columns of documents, and replaces them with calls.
 * These read only the required parts, in the row or in the store:
 *
 *   doc -> 'roles' -> 5 ->> 'title'   one call with the path and the row's key
 *   doc, in any other place           a call that returns the whole document
 *   a row of the table                a call that returns the row with the whole document
 *
 * For paths that always stay in the row (paths of keep_inline) it keeps the operators, so that indexes still match.
 */
#include "rewrite.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/* An access to a document: a Var, and the steps from there. */
typedef struct Access
{
	Var		   *var;
	Oid			relid;			/* its table, unless derived */
	bool		derived;		/* whether it is a Var of a view, subquery or join, not directly of a table */
	List	   *steps;			/* of type text or integer */
	StringInfoData kinds;		/* one character for each step */
	Node	   *path;			/* or the whole path as text[], if its steps are not known yet */
} Access;

static void
add_step(Access *access, Node *step, char kind)
{
	access->steps = lappend(access->steps, step);
	appendStringInfoChar(&access->kinds, kind);
}

/* Adds the steps of a path, if each is known. Otherwise stores the path; returns false if the access already has steps. */
static bool
add_path(Access *access, Node *path)
{
	if (IsA(path, Const) && !((Const *) path)->constisnull)
	{
		Datum	   *steps;
		bool	   *nulls;
		int			count;

		deconstruct_array(DatumGetArrayTypeP(((Const *) path)->constvalue), TEXTOID, -1, false, TYPALIGN_INT, &steps, &nulls, &count);
		for (int i = 0; i < count; i++)
			add_step(access, (Node *) makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, steps[i], nulls[i], false), 'p');
		return true;
	}
	if (IsA(path, Const))
	{
		access->path = path;
		return access->steps == NIL;
	}
	if (IsA(path, ArrayExpr) && !((ArrayExpr *) path)->multidims && ((ArrayExpr *) path)->element_typeid == TEXTOID)
	{
		ListCell   *cell;

		foreach(cell, ((ArrayExpr *) path)->elements)
			add_step(access, lfirst(cell), 'p');
		return true;
	}
	if (access->steps != NIL)
		return false;
	access->path = path;
	return true;
}

static bool find_access(PgtRewrite *rewrite, Node *node, Access *access);

/* Finds an access in a call of one of the operators, or of a function with the same meaning. */
static bool
find_call(PgtRewrite *rewrite, Oid function, List *arguments, Access *access)
{
	char		kind;

	if (list_length(arguments) != 2)
		return false;
	switch (function)
	{
		case F_JSONB_OBJECT_FIELD:
			kind = PGT_STEP_KEY;
			break;
		case F_JSONB_ARRAY_ELEMENT:
			kind = PGT_STEP_POSITION;
			break;
		case F_JSONB_EXTRACT_PATH:
			kind = 'p';
			break;
		default:
			return false;
	}
	if (!find_access(rewrite, linitial(arguments), access) || access->path != NULL)
		return false;
	if (kind == 'p')
		return add_path(access, lsecond(arguments));
	add_step(access, lsecond(arguments), kind);
	return true;
}

/* Follows a chain of operators, functions and subscripts down to an attached column. */
static bool
find_access(PgtRewrite *rewrite, Node *node, Access *access)
{
	if (pgt_is_grouped(rewrite->level, node))
		return false;
	if (IsA(node, Var))
	{
		access->var = (Var *) node;
		access->derived = pgt_is_derived(rewrite->level, access->var, JSONBOID);
		return access->derived || pgt_document_var(rewrite->level, node, &access->relid) != NULL;
	}
	if (IsA(node, OpExpr))
		return find_call(rewrite, get_opcode(((OpExpr *) node)->opno), ((OpExpr *) node)->args, access);
	if (IsA(node, FuncExpr))
		return find_call(rewrite, ((FuncExpr *) node)->funcid, ((FuncExpr *) node)->args, access);
	if (IsA(node, SubscriptingRef))
	{
		SubscriptingRef *subscripts = (SubscriptingRef *) node;
		ListCell   *cell;

		if (subscripts->refcontainertype != JSONBOID || subscripts->refassgnexpr != NULL ||
			!find_access(rewrite, (Node *) subscripts->refexpr, access) || access->path != NULL)
			return false;
		foreach(cell, subscripts->refupperindexpr)
			add_step(access, lfirst(cell), 'p');
		return true;
	}
	return false;
}

/* Returns true if the first step is the key that the library reserves; its statements read the header this way. */
static bool
asks_for_header(Node *step)
{
	Const	   *value = (Const *) step;

	return IsA(step, Const) && !value->constisnull && value->consttype == TEXTOID &&
		strcmp(TextDatumGetCString(value->constvalue), PGT_MARKER) == 0;
}

/* Returns true if steps lead to or below a path that is never moved out of line. */
static bool
stays_in_row(PgtColumn *column, List *steps)
{
	PgtJsonOptions *options = pgt_json_options(column);

	for (int i = 0; i < options->pin_count; i++)
	{
		PgtPath    *pin = &options->pins[i];
		bool		same = pin->length <= list_length(steps);

		for (int n = 0; n < pin->length && same; n++)
		{
			Const	   *step = list_nth(steps, n);

			same = IsA(step, Const) && !step->constisnull && step->consttype == TEXTOID &&
				DatumGetBool(DirectFunctionCall2Coll(texteq, C_COLLATION_OID, step->constvalue, PointerGetDatum(pin->steps[n])));
		}
		if (same)
			return true;
	}
	return false;
}

bool
pgt_path_stays_in_row(FuncExpr *reading, Node *path)
{
	Access		access = {0};
	PgtOrigin	origin = pgt_datum_origin(castNode(Const, linitial(reading->args))->constvalue);
	PgtColumn  *column = pgt_column(origin.relid, get_attname(origin.relid, origin.attnum, false));

	initStringInfo(&access.kinds);
	return add_path(&access, path) && access.steps != NIL && column->routine == &pgt_keyed &&
		(asks_for_header(linitial(access.steps)) || stays_in_row(column, access.steps));
}

/* Returns steps as text[], as a constant if all are constants. */
static Node *
path_of(PgtRewrite *rewrite, Access *access)
{
	ArrayExpr  *array;
	Datum	   *values;
	int			count = list_length(access->steps);
	bool		constant = true;
	ListCell   *cell;

	if (access->path != NULL)
		return pgt_rewrite_node(access->path, rewrite);
	array = makeNode(ArrayExpr);
	array->array_typeid = TEXTARRAYOID;
	array->array_collid = DEFAULT_COLLATION_OID;
	array->element_typeid = TEXTOID;
	array->location = -1;
	values = palloc(sizeof(Datum) * Max(count, 1));
	foreach(cell, access->steps)
	{
		Node	   *step = pgt_text_step(pgt_rewrite_node(lfirst(cell), rewrite));

		constant = constant && IsA(step, Const) && !((Const *) step)->constisnull;
		if (constant)
			values[foreach_current_index(cell)] = ((Const *) step)->constvalue;
		array->elements = lappend(array->elements, step);
	}
	if (!constant)
		return (Node *) array;
	return (Node *) makeConst(TEXTARRAYOID, -1, DEFAULT_COLLATION_OID, -1,
							  PointerGetDatum(construct_array(values, count, TEXTOID, -1, false, TYPALIGN_INT)), false, false);
}

/* Returns a call for an access with at least one step; NULL if the operators can stay. */
static Node *
read_access(PgtRewrite *rewrite, Access *access, bool text)
{
	PgtColumn  *column;

	if (access->derived)
	{
		Oid			types[3] = {JSONBOID, TEXTARRAYOID, TEXTOID};
		FuncExpr   *call = makeFuncExpr(pgt_function("toaster", text ? "value_get_text" : "value_get", 3, types), text ? TEXTOID : JSONBOID,
										list_make3(copyObject(access->var), path_of(rewrite, access), pgt_text_const(access->kinds.data)),
										text ? DEFAULT_COLLATION_OID : InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);

		call->location = access->var->location;
		return (Node *) call;
	}
	column = pgt_column_of(pgt_attached(access->relid, access->var->varattno));
	if ((access->steps != NIL && asks_for_header(linitial(access->steps))) || stays_in_row(column, access->steps))
		return NULL;
	return pgt_call(rewrite, text ? "document_get_text" : "document_get", text ? TEXTOID : JSONBOID, copyObject((Node *) access->var),
					access->var, list_make2(path_of(rewrite, access), pgt_text_const(access->kinds.data)));
}

/* Returns a call that reads the chain ending at this node; NULL if it is not the end of a chain. */
static Node *
read_chain(PgtRewrite *rewrite, Node *node, bool *leave)
{
	Access		access = {0};
	Oid			function = IsA(node, OpExpr) ? get_opcode(((OpExpr *) node)->opno) : IsA(node, FuncExpr) ? ((FuncExpr *) node)->funcid : InvalidOid;
	List	   *arguments = IsA(node, OpExpr) ? ((OpExpr *) node)->args : IsA(node, FuncExpr) ? ((FuncExpr *) node)->args : NIL;
	bool		text = true;
	Node	   *call;

	initStringInfo(&access.kinds);
	switch (function)
	{
		case F_JSONB_OBJECT_FIELD_TEXT:
			function = F_JSONB_OBJECT_FIELD;
			break;
		case F_JSONB_ARRAY_ELEMENT_TEXT:
			function = F_JSONB_ARRAY_ELEMENT;
			break;
		case F_JSONB_EXTRACT_PATH_TEXT:
			function = F_JSONB_EXTRACT_PATH;
			break;
		default:
			text = false;
	}
	if (!(text ? find_call(rewrite, function, arguments, &access) : find_access(rewrite, node, &access)) ||
		(access.steps == NIL && access.path == NULL))
		return NULL;
	call = read_access(rewrite, &access, text);
	*leave = call == NULL;
	return call;
}

/*
 * Returns true if an operator or function needs the stored document: the library's own functions, and reads of the
 * header.
 */
static bool
takes_stored(Node *node)
{
	if (IsA(node, FuncExpr))
		return pgt_is_library(((FuncExpr *) node)->funcid);
	return IsA(node, OpExpr) && get_opcode(((OpExpr *) node)->opno) == F_JSONB_EXISTS &&
		asks_for_header(lsecond(((OpExpr *) node)->args));
}

/* Copies the arguments of a call that needs the stored document. */
static Node *
copy_stored(Node *node, PgtRewrite *rewrite)
{
	Oid			relid;

	if (node != NULL && IsA(node, List))
		return expression_tree_mutator(node, copy_stored, rewrite);
	if (node != NULL && IsA(node, Var) && pgt_document_var(rewrite->level, node, &relid) != NULL)
		return copyObject(node);
	return pgt_rewrite_node(node, rewrite);
}

/* Rewrites the arguments of a function or operator, or replaces it and its first argument with one call. */
static Node *
absorbed(PgtRewrite *rewrite, Node *node)
{
	Node	   *result = expression_tree_mutator(node, pgt_rewrite_node, rewrite);
	Oid			function = IsA(node, OpExpr) ? get_opcode(((OpExpr *) node)->opno) : IsA(node, FuncExpr) ? ((FuncExpr *) node)->funcid : InvalidOid;
	List	   *given = IsA(node, OpExpr) ? ((OpExpr *) node)->args : IsA(node, FuncExpr) ? ((FuncExpr *) node)->args : NIL;
	List	   *arguments = IsA(node, OpExpr) ? ((OpExpr *) result)->args : IsA(node, FuncExpr) ? ((FuncExpr *) result)->args : NIL;
	Node	   *call;
	ListCell   *cell;

	foreach(cell, given)
		if (pgt_is_grouped(rewrite->level, lfirst(cell)))
			return result;
	call = pgt_absorb(function, arguments);
	if (call == NULL)
		call = pgt_search_derived(rewrite, function, arguments);
	if (call == NULL)
		call = pgt_read_bytes(rewrite, function, arguments);
	return call != NULL ? call : result;
}

/*
 * If a node returns a document by pgtoaster.expand(), as in views of create_view(), this returns the document's column;
 * otherwise the node.
 */
static Node *
expanded(PgtRewrite *rewrite, Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	Oid			relid;

	return IsA(node, FuncExpr) && list_length(call->args) == 1 && pgt_is_library(call->funcid) &&
		strcmp(get_func_name(call->funcid), "expand") == 0 && pgt_document_var(rewrite->level, linitial(call->args), &relid) != NULL
		? linitial(call->args) : node;
}

Node *
pgt_rewrite_node(Node *node, PgtRewrite *rewrite)
{
	Oid			relid;

	if (node == NULL)
		return NULL;
	node = expanded(rewrite, node);
	if (IsA(node, Query))
		return (Node *) rewrite->subquery((Query *) node, rewrite->level);
	/* The row shows whether the column is NULL. */
	if (IsA(node, NullTest) && pgt_document_var(rewrite->level, (Node *) ((NullTest *) node)->arg, &relid) != NULL)
		return copyObject(node);
	if (IsA(node, Aggref) && ((Aggref *) node)->aggfnoid == F_COUNT_ANY && ((Aggref *) node)->aggdistinct == NIL &&
		pgt_document_var(rewrite->level, (Node *) linitial_node(TargetEntry, ((Aggref *) node)->args)->expr, &relid) != NULL)
	{
		Aggref	   *count = copyObject((Aggref *) node);

		count->aggfilter = (Expr *) pgt_rewrite_node((Node *) count->aggfilter, rewrite);
		return (Node *) count;
	}
	if (IsA(node, OpExpr) || IsA(node, FuncExpr) || IsA(node, SubscriptingRef))
	{
		bool		leave = false;
		Node	   *call = read_chain(rewrite, node, &leave);

		if (call != NULL)
			return call;
		if (leave || takes_stored(node))
			return expression_tree_mutator(node, copy_stored, rewrite);
		return absorbed(rewrite, node);
	}
	if (IsA(node, Var))
	{
		Var		   *var = (Var *) node;
		Node	   *call;

		if (pgt_document_var(rewrite->level, node, &relid) != NULL)
			return pgt_call(rewrite, "document_whole", JSONBOID, copyObject(node), var, NIL);
		call = pgt_whole_row(rewrite, var);
		return call != NULL ? call : copyObject(node);
	}
	return expression_tree_mutator(node, pgt_rewrite_node, rewrite);
}
