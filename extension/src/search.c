/*
 * search.c: searches tables with row security. PostgreSQL does not use the indexes then, because their operators are not
 * leakproof. With pgtoaster.search_all_rows, this function finds rows by the indexes, and returns those that the user may
 * see. A user with SQL access could still learn from counters, such as those of EXPLAIN (BUFFERS) and pg_stat_io, that rows
 * of others contain a value, so only superusers can turn it on.
 */
#include "candidates.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/plannodes.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/plancache.h"
#include "utils/rls.h"

static bool search_all_rows = false;

void
pgt_search_init(void)
{
	DefineCustomBoolVariable("pgtoaster.search_all_rows", "Searches use the indexes of tables with row security.", NULL,
							 &search_all_rows, false, PGC_SUSET, 0, NULL, NULL, NULL);
}

/* The arguments of toaster.search_visible. */
enum
{
	RELATION, COLUMN_NAME, CONTAINS, MATCHES, RANGES
};

/* Executes a statement that returns one array; returns NULL for SQL NULL. */
static ArrayType *
execute(const char *sql, FunctionCallInfo fcinfo, ArrayType *keys, Oid array)
{
	Oid			types[] = {JSONBOID, TEXTOID, JSONBOID, TEXTARRAYOID, array};
	Datum		values[lengthof(types)];
	char		nulls[lengthof(types)];
	bool		isnull;
	Datum		result;

	for (int i = 0; i < lengthof(types); i++)
	{
		bool		last = i == lengthof(types) - 1;

		values[i] = last ? PointerGetDatum(keys) : fcinfo->args[CONTAINS + i].value;
		nulls[i] = (last ? keys == NULL : PG_ARGISNULL(CONTAINS + i)) ? 'n' : ' ';
	}
	if (SPI_execute_with_args(sql, lengthof(types), types, values, nulls, true, 1) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute_with_args failed: %s", SPI_result_code_string(SPI_result));
	result = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	return isnull ? NULL : DatumGetArrayTypeP(result);
}

/* Returns the keys of the rows that the indexes find, which have no policies for this user. */
static ArrayType *
search(PgtColumn *column, const char *key, FunctionCallInfo fcinfo, Oid array)
{
	return execute(psprintf("SELECT pg_catalog.array_agg(o.%s) FROM pgtoaster.search(CAST(NULL AS %s), %s, $1, $2, NULL, $3, $4) o",
							key, pgt_owner_table(column), quote_literal_cstr(NameStr(((PgtEntry *) column)->name))),
				   fcinfo, NULL, array);
}

static ArrayType *
search_as_owner(PgtColumn *column, const char *key, FunctionCallInfo fcinfo, Oid array)
{
	Relation	rel = table_open(column->relid, NoLock);
	ArrayType  *result;
	Oid			user;
	int			context;

	/* If there is an error, the end of the transaction or subtransaction restores the user. */
	GetUserIdAndSecContext(&user, &context);
	if (user == rel->rd_rel->relowner)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the policies of table %s also apply to its owner", pgt_owner_table(column)),
				 errhint("ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.")));
	SetUserIdAndSecContext(rel->rd_rel->relowner, context | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
	result = search(column, key, fcinfo, array);
	SetUserIdAndSecContext(user, context);
	table_close(rel, NoLock);
	return result != NULL ? result : construct_empty_array(get_element_type(array));
}

/* Returns the number of rows that the user may see, as the planner estimates it. */
static double
visible_rows(PgtColumn *column)
{
	SPIPlanPtr	plan = SPI_prepare(psprintf("SELECT FROM ONLY %s", pgt_owner_table(column)), 0, NULL);
	CachedPlan *cached = plan != NULL ? SPI_plan_get_cached_plan(plan) : NULL;
	double		rows;

	if (cached == NULL)
		elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
	rows = linitial_node(PlannedStmt, cached->stmt_list)->planTree->plan_rows;
	ReleaseCachedPlan(cached, NULL);
	return rows;
}

PG_FUNCTION_INFO_V1(pgt_search_visible);

/*
 * Returns the keys of the rows that pgtoaster.search finds and the user may see; NULL if there are none. The last argument
 * only determines the type. Rows of others reach only the operator of the key, in a statement with the policies.
 * pgtoaster.transparent must be on.
 */
Datum
pgt_search_visible(PG_FUNCTION_ARGS)
{
	Oid			type = get_element_type(get_fn_expr_rettype(fcinfo->flinfo));
	Oid			array = get_array_type(type);
	PgtColumn  *column;
	PgtEntry   *entry;
	const char *key;
	bool		contained = !PG_ARGISNULL(CONTAINS) && PG_ARGISNULL(MATCHES) && PG_ARGISNULL(RANGES);
	ArrayType  *found = NULL;

	if (PG_ARGISNULL(RELATION) || PG_ARGISNULL(COLUMN_NAME))
		PG_RETURN_NULL();
	column = pgt_column(PG_GETARG_OID(RELATION), NameStr(*PG_GETARG_NAME(COLUMN_NAME)));
	entry = (PgtEntry *) column;
	if (column->type != JSONBOID || column->key_count != 1 || column->key_types[0] != type)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("the key of the rows does not have the type %s", format_type_be(type))));
	key = quote_identifier(get_attname(column->relid, entry->key_attnums[0], false));
	SPI_connect();
	if (check_enable_rls(column->relid, InvalidOid, true) != RLS_ENABLED || !(contained || search_all_rows))
		found = search(column, key, fcinfo, array);
	else
	{
		StringInfoData sql;

		initStringInfo(&sql);
		appendStringInfo(&sql, "SELECT pg_catalog.array_agg(o.%s) FROM ONLY %s o WHERE o.%s ", key, pgt_owner_table(column),
						 quote_identifier(NameStr(entry->name)));
		if (!contained)
		{
			found = search_as_owner(column, key, fcinfo, array);
			/* The user needs the privilege for the column. */
			appendStringInfoString(&sql, "IS NOT NULL");
		}
		else
		{
			PgtOrigin	origin = {.relid = column->relid,.attnum = column->attnum};
			PgtProbe	probe = {.operator = "@>",.value = PG_GETARG_DATUM(CONTAINS)};

			if (search_all_rows)
				found = pgt_candidates(origin, column->relid, &probe, type, visible_rows(column));
			appendStringInfoString(&sql, "OPERATOR(pg_catalog.@>) $1");
		}
		if (found != NULL)
		{
			appendStringInfoString(&sql, " AND ");
			pgt_key_equals_sql(&sql, column, 0);
			appendStringInfoString(&sql, "ANY ($5)");
		}
		found = execute(sql.data, fcinfo, found, array);
	}
	if (found != NULL)
		found = (ArrayType *) DatumGetPointer(SPI_datumTransfer(PointerGetDatum(found), false, -1));
	SPI_finish();
	if (found == NULL)
		PG_RETURN_NULL();
	PG_RETURN_ARRAYTYPE_P(found);
}
