/*
 * rewrite_bytes.c: length() and substring() of pgtoaster.bytes(handle) read only the length or the part. If the
 * argument comes from a view or subquery, the decision is delayed until the planner has replaced it with its
 * definition.
 */
#include "rewrite.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

/* Returns the handle whose content a node returns; NULL if it does not return content. */
static Node *
handle_of(Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;

	return IsA(node, FuncExpr) && list_length(call->args) == 1 && call->funcresulttype == BYTEAOID && pgt_is_library(call->funcid) &&
		exprType(linitial(call->args)) == INT8OID &&
		strcmp(get_func_name(call->funcid), "bytes") == 0 ? linitial(call->args) : NULL;
}

static Node *
length_of(Node *handle)
{
	Oid			types[1] = {INT8OID};
	Node	   *length = (Node *) makeFuncExpr(pgt_catalog_function("blob_length", INT8OID, 1, types), INT8OID, list_make1(handle), InvalidOid,
											   InvalidOid, COERCE_EXPLICIT_CALL);

	return (Node *) makeFuncExpr(F_INT4_INT8, INT4OID, list_make1(length), InvalidOid, InvalidOid, COERCE_EXPLICIT_CAST);
}

static Node *
part_of(Node *handle, Node *start, Node *count)
{
	Oid			types[3] = {INT8OID, INT8OID, INT4OID};
	Node	   *from = (Node *) makeFuncExpr(F_INT8_INT4, INT8OID, list_make1(start), InvalidOid, InvalidOid, COERCE_EXPLICIT_CAST);

	return (Node *) makeFuncExpr(pgt_catalog_function("substring", BYTEAOID, 3, types), BYTEAOID, list_make3(handle, from, count), InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Does the same for a value that may later become content. */
static Node *
kept_back(const char *name, Oid result, List *arguments)
{
	Oid			types[3] = {BYTEAOID, INT4OID, INT4OID};

	return (Node *) makeFuncExpr(pgt_function("toaster", name, list_length(arguments), types), result, arguments, InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

Node *
pgt_read_bytes(PgtRewrite *rewrite, Oid function, List *arguments)
{
	Node	   *value = arguments != NIL ? linitial(arguments) : NULL;
	Node	   *handle = value != NULL ? handle_of(value) : NULL;
	bool		derived = value != NULL && IsA(value, Var) && pgt_is_derived(rewrite->level, (Var *) value, BYTEAOID);
	Node	   *count;

	if (handle == NULL && !derived)
		return NULL;
	switch (function)
	{
		case F_LENGTH_BYTEA:
		case F_OCTET_LENGTH_BYTEA:
			return derived ? kept_back("value_length", INT4OID, arguments) : length_of(handle);
		case F_SUBSTRING_BYTEA_INT4_INT4:
		case F_SUBSTR_BYTEA_INT4_INT4:
			return derived ? kept_back("value_part", BYTEAOID, arguments) : part_of(handle, lsecond(arguments), lthird(arguments));
		case F_SUBSTRING_BYTEA_INT4:
		case F_SUBSTR_BYTEA_INT4:
			count = (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(PG_INT32_MAX), false, true);
			return derived ? NULL : part_of(handle, lsecond(arguments), count);
		default:
			return NULL;
	}
}

PG_FUNCTION_INFO_V1(pgt_value_length);

Datum
pgt_value_length(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(toast_raw_datum_size(PG_GETARG_DATUM(0)) - VARHDRSZ);
}

PG_FUNCTION_INFO_V1(pgt_value_part);

Datum
pgt_value_part(PG_FUNCTION_ARGS)
{
	return DirectFunctionCall3(bytea_substr, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), PG_GETARG_DATUM(2));
}

PG_FUNCTION_INFO_V1(pgt_value_bytes_support);

/*
 * Called when the planner has replaced the argument with its definition. Returns a read of the content's length or
 * part, or the server's own function if the argument is not content.
 */
Datum
pgt_value_bytes_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	List	   *arguments;
	bool		is_length;
	Node	   *handle;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	arguments = request->fcall->args;
	is_length = list_length(arguments) == 1;
	handle = handle_of(linitial(arguments));
	if (handle != NULL)
		PG_RETURN_POINTER(is_length ? length_of(handle) : part_of(handle, lsecond(arguments), lthird(arguments)));
	PG_RETURN_POINTER(makeFuncExpr(is_length ? F_LENGTH_BYTEA : F_SUBSTRING_BYTEA_INT4_INT4, is_length ? INT4OID : BYTEAOID, arguments,
								   InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}
