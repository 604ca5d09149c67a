/*
 * toaster.c: finds a toaster by its name. Names and handlers of toasters of other extensions are rows of
 * pgtoaster.toaster, an ordinary table of the catalog, so that they survive dump and restore, and removal of the
 * extension.
 */
#include "core.h"

#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

PG_FUNCTION_INFO_V1(pgt_handler_in);
PG_FUNCTION_INFO_V1(pgt_handler_out);
PG_FUNCTION_INFO_V1(pgt_appendable_handler);
PG_FUNCTION_INFO_V1(pgt_keyed_handler);
PG_FUNCTION_INFO_V1(pgt_check_handler);
PG_FUNCTION_INFO_V1(pgt_attach_callback);
PG_FUNCTION_INFO_V1(pgt_detach_callback);

/* The column contains the content itself, so this module could not be faster than SQL functions. */
static const Oid ordinary_types[] = {BYTEAOID, TEXTOID, JSONBOID, InvalidOid};

static const PgtRoutine ordinary = {.magic = PGT_ROUTINE_MAGIC,.name = "default",.types = ordinary_types};

/* toaster.handler is the return type of handlers; it has no text form. */
Datum
pgt_handler_in(PG_FUNCTION_ARGS)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("cannot accept a value of type %s", "toaster.handler")));
	PG_RETURN_VOID();
}

Datum
pgt_handler_out(PG_FUNCTION_ARGS)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("cannot display a value of type %s", "toaster.handler")));
	PG_RETURN_VOID();
}

Datum
pgt_appendable_handler(PG_FUNCTION_ARGS)
{
	PG_RETURN_TOASTER(&pgt_appendable);
}

Datum
pgt_keyed_handler(PG_FUNCTION_ARGS)
{
	PG_RETURN_TOASTER(&pgt_keyed);
}

static Oid
handler_type(void)
{
	Oid			schema = get_namespace_oid("toaster", false);

	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("handler"), ObjectIdGetDatum(schema));
}

/*
 * Calls a handler for its routine. Checks first that it is a C function that takes internal and returns
 * toaster.handler.
 */
static const PgtRoutine *
ask(Oid handler)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(handler));
	Form_pg_proc proc;
	bool		fits;
	const PgtRoutine *routine;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION), errmsg("there is no function with OID %u", handler)));
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	fits = proc->prolang == ClanguageId && proc->prorettype == handler_type() && !proc->proretset &&
		proc->pronargs == 1 && proc->proargtypes.values[0] == INTERNALOID;
	ReleaseSysCache(tuple);
	if (!fits)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("function %s is not the handler of a toaster", format_procedure(handler)),
				 errhint("A handler is written in C, takes one argument of type internal and returns toaster.handler.")));
	routine = (const PgtRoutine *) DatumGetPointer(OidFunctionCall1(handler, PointerGetDatum(NULL)));
	if (routine == NULL || routine->magic != PGT_ROUTINE_MAGIC)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("handler %s was built for another version of pgtoaster", format_procedure(handler)),
				 errhint("Build it again with the pgtoaster.h of this version.")));
	if (routine->name == NULL || routine->types == NULL || (routine->blob == NULL && routine->json == NULL))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("handler %s returns an incomplete routine", format_procedure(handler)),
				 errdetail("A routine has a name, types, and a vtable, for blobs or for documents.")));
	return routine;
}

/* toaster.check_handler(regprocedure) returns the kind of toaster: blob or json. */
Datum
pgt_check_handler(PG_FUNCTION_ARGS)
{
	const PgtRoutine *routine = ask(PG_GETARG_OID(0));

	PG_RETURN_TEXT_P(cstring_to_text(routine->blob != NULL ? "blob" : "json"));
}

static Oid
registered_handler(const char *name)
{
	static const Oid types[] = {TEXTOID, TEXTOID};
	Oid			handler = InvalidOid;
	Relation	rel = pgt_catalog_open("toaster", types, lengthof(types));
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, GetActiveSnapshot(), 0, NULL);
	HeapTuple	tuple;

	while (!OidIsValid(handler) && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;
		Datum		found = heap_getattr(tuple, 1, RelationGetDescr(rel), &isnull);

		if (!isnull && strcmp(TextDatumGetCString(found), name) == 0)
		{
			Datum		signature = heap_getattr(tuple, 2, RelationGetDescr(rel), &isnull);

			/* A toaster that consists of SQL functions has no handler. */
			if (isnull)
				break;
			handler = DatumGetObjectId(DirectFunctionCall1(to_regprocedure, signature));
		}
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return handler;
}

const PgtRoutine *
pgt_toaster(const char *name)
{
	static const PgtRoutine *const built_in[] = {&pgt_appendable, &pgt_keyed, &ordinary};
	Oid			handler;

	for (int i = 0; i < lengthof(built_in); i++)
		if (strcmp(built_in[i]->name, name) == 0)
			return built_in[i];
	handler = registered_handler(name);
	if (!OidIsValid(handler))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("toaster \"%s\" is not known to the extension", name),
				 errhint("Create the extension that provides it, then SELECT pgtoaster.create_toaster(name, handler).")));
	return ask(handler);
}

static void
callback(FunctionCallInfo fcinfo, bool attach)
{
	const PgtRoutine *routine = ask(PG_GETARG_OID(0));
	Oid			relid = PG_GETARG_OID(1);
	AttrNumber	attnum = get_attnum(relid, NameStr(*PG_GETARG_NAME(2)));
	Oid			type = attnum > 0 ? get_atttype(relid, attnum) : InvalidOid;
	const Oid  *t = routine->types;

	if (!pgt_owns_table(relid))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relid));
	while (OidIsValid(*t) && *t != type)
		t++;
	if (attach && (!OidIsValid(type) || !OidIsValid(*t)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("toaster \"%s\" does not support column \"%s\" of \"%s\"", routine->name,
						NameStr(*PG_GETARG_NAME(2)), get_rel_name(relid))));
	if (attach && routine->attach != NULL)
		routine->attach(relid, attnum, PG_GETARG_INT32(3));
	if (!attach && routine->detach != NULL)
		routine->detach(relid, attnum, PG_GETARG_INT32(3));
	CacheInvalidateRelcacheByRelid(relid);
}

/*
 * toaster.attach_callback(handler, table, column, store): creates the objects that the toaster needs for a column.
 * Called by pgtoaster.set_toaster.
 */
Datum
pgt_attach_callback(PG_FUNCTION_ARGS)
{
	callback(fcinfo, true);
	PG_RETURN_VOID();
}

Datum
pgt_detach_callback(PG_FUNCTION_ARGS)
{
	callback(fcinfo, false);
	PG_RETURN_VOID();
}
