/*
 * search.c: searches tables with row security. PostgreSQL does not use the indexes then, because their operators are not
 * leakproof. This function finds rows by the indexes, and returns those that the user may see. With
 * pgtoaster.search_all_rows it does so even if it finds rows that the user may not see. A user with SQL access could learn
 * from counters, such as those of EXPLAIN (BUFFERS) and pg_stat_io, that there are such rows, so a superuser must turn the
 * setting on.
 */
#include "candidates.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/plannodes.h"
#include "utils/acl.h"
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
	RELATION, COLUMN_NAME, CONTAINS, WORDS, ROW_INDEX, NODE_INDEX, KEY_TYPE
};

static void
require_select(PgtColumn *column, AttrNumber attnum)
{
	if (pg_class_aclcheck(column->relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck(column->relid, attnum, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		aclcheck_error_col(ACLCHECK_NO_PRIV, OBJECT_COLUMN, get_rel_name(column->relid), get_attname(column->relid, attnum, false));
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

/* Returns the keys of all rows that the indexes find; NULL if the search should read all rows that the user may see. */
static ArrayType *
candidates(PgtColumn *column, FunctionCallInfo fcinfo, Oid type)
{
	PgtOrigin	origin = {.relid = column->relid,.attnum = column->attnum};
	PgtProbe	probe = {.operator = "@>"};

	bool		secured = check_enable_rls(column->relid, InvalidOid, true) == RLS_ENABLED;

	/* The caller compares whole keys. */
	if (column->key_count != 1 || pgt_option_text(column, "leading_key") != NULL)
		return NULL;
	/* Without row security, the planner uses the containment index. */
	if (secured ? !search_all_rows : !PG_ARGISNULL(CONTAINS))
		return NULL;
	if (!PG_ARGISNULL(CONTAINS))
		probe.value = PointerGetDatum(PG_GETARG_JSONB_P(CONTAINS));
	else if (PG_ARGISNULL(WORDS) || PG_ARGISNULL(ROW_INDEX) || PG_ARGISNULL(NODE_INDEX))
		return NULL;
	else
	{
		probe.words = PG_GETARG_ARRAYTYPE_P(WORDS);
		probe.row_index = PG_GETARG_OID(ROW_INDEX);
		probe.node_index = PG_GETARG_OID(NODE_INDEX);
		if (array_contains_nulls(probe.words))
			return NULL;
	}
	return pgt_candidates(origin, column->relid, &probe, type, visible_rows(column));
}

PG_FUNCTION_INFO_V1(pgt_search_visible);

/*
 * Returns the keys of the rows that the user may see and whose documents contain a probe or, without a probe, of those that
 * may match text queries, as an array; NULL if there are none. The last argument only determines the type. Rows that the
 * user may not see reach only the operator of the key, in a statement with the policies. Requires the settings that the
 * function is declared with: pgtoaster.transparent, and no messages to the client, such as plans with keys.
 */
Datum
pgt_search_visible(PG_FUNCTION_ARGS)
{
	Oid			type = get_element_type(get_fn_expr_rettype(fcinfo->flinfo));
	Oid			types[2] = {JSONBOID, get_array_type(type)};
	Datum		values[2] = {fcinfo->args[CONTAINS].value};
	char		nulls[2] = {PG_ARGISNULL(CONTAINS) ? 'n' : ' ', 'n'};
	PgtColumn  *column;
	PgtEntry   *entry;
	StringInfoData sql;
	ArrayType  *found;
	bool		isnull;
	Datum		keys;

	if (PG_ARGISNULL(RELATION) || PG_ARGISNULL(COLUMN_NAME))
		PG_RETURN_NULL();
	column = pgt_column(PG_GETARG_OID(RELATION), NameStr(*PG_GETARG_NAME(COLUMN_NAME)));
	entry = (PgtEntry *) column;
	if (column->routine != &pgt_keyed || column->key_count != 1 || column->key_types[0] != type ||
		get_rel_relkind(column->relid) != RELKIND_RELATION)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of %s does not have split documents, or a row key of type %s", NameStr(entry->name),
						pgt_owner_table(column), format_type_be(type))));
	require_select(column, column->attnum);
	require_select(column, entry->key_attnums[0]);
	SPI_connect();
	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT pg_catalog.array_agg(o.%s) FROM ONLY %s o WHERE o.%s %s",
					 quote_identifier(get_attname(column->relid, entry->key_attnums[0], false)), pgt_owner_table(column),
					 quote_identifier(NameStr(entry->name)), PG_ARGISNULL(CONTAINS) ? "IS NOT NULL" : "OPERATOR(pg_catalog.@>) $1");
	found = candidates(column, fcinfo, type);
	if (found != NULL)
	{
		values[1] = PointerGetDatum(found);
		nulls[1] = ' ';
		appendStringInfoString(&sql, " AND ");
		pgt_key_equals_sql(&sql, column, 0);
		appendStringInfoString(&sql, "ANY ($2)");
	}
	if (SPI_execute_with_args(sql.data, 2, types, values, nulls, true, 1) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute_with_args failed: %s", SPI_result_code_string(SPI_result));
	keys = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	if (!isnull)
		keys = SPI_datumTransfer(keys, false, -1);
	SPI_finish();
	if (isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(keys);
}
