/*
 * rewrite_names.c: looks up types and functions, and creates constants, for the calls that the planner hook
 * makes.
 */
#include "rewrite.h"

#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

Oid
pgt_origin_type(void)
{
	static Oid	checked = InvalidOid;
	Oid			schema = get_namespace_oid("toaster", true);
	Oid			type = OidIsValid(schema) ? GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("origin"), ObjectIdGetDatum(schema))
		: InvalidOid;

	/* Anybody could have created a schema with this name. */
	if (OidIsValid(type) && type != checked)
	{
		Oid			extension = getExtensionOfObject(TypeRelationId, type);

		if (!OidIsValid(extension) || extension != get_extension_oid("pgtoaster", true))
			type = InvalidOid;
	}
	checked = type;
	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("pgtoaster.transparent is on, but the extension pgtoaster is not installed in this database"),
				 errhint("CREATE EXTENSION pgtoaster, or SET pgtoaster.transparent = off.")));
	return type;
}

Node *
pgt_text_const(const char *text)
{
	return (Node *) makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(text), false, false);
}

Node *
pgt_text_step(Node *step)
{
	CoerceViaIO *cast;

	if (exprType(step) == TEXTOID)
		return step;
	if (IsA(step, Const) && ((Const *) step)->consttype == INT4OID && !((Const *) step)->constisnull)
		return pgt_text_const(psprintf("%d", DatumGetInt32(((Const *) step)->constvalue)));
	cast = makeNode(CoerceViaIO);
	cast->arg = (Expr *) step;
	cast->resulttype = TEXTOID;
	cast->resultcollid = DEFAULT_COLLATION_OID;
	cast->coerceformat = COERCE_IMPLICIT_CAST;
	cast->location = -1;
	return (Node *) cast;
}

bool
pgt_is_library(Oid function)
{
	return get_func_namespace(function) == get_namespace_oid("pgtoaster", true);
}
