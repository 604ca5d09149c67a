/*
 * pgtoaster_timeseries.c: a toaster for columns of type float8[], outside of pgtoaster.
 *
 * Stores each point as a row of the table timeseries.points_<store>; the column itself stays NULL.
 * Supports append, get and slice, at the root of a row's series.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "pgtoaster.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(timeseries_handler);
PG_FUNCTION_INFO_V1(timeseries_no_handler);

static char *
key_text(PgtColumn *column, PgtKey *key)
{
	Oid			out;
	bool		varlena;

	getTypeOutputInfo(column->key_types[0], &out, &varlena);
	return OidOutputFunctionCall(out, key->values[0]);
}

/* Runs a query with the row's key as $1, value as $2, from as $3 and to as $4; it returns one jsonb. */
static PgtOutcome
run(PgtColumn *column, PgtKey *key, PgtPath *path, const char *query, Jsonb *value, int64 from, int64 to, Jsonb **result)
{
	Oid			types[] = {TEXTOID, JSONBOID, INT8OID, INT8OID};
	Datum		values[] = {CStringGetTextDatum(key_text(column, key)), PointerGetDatum(value), Int64GetDatum(from), Int64GetDatum(to)};
	char		nulls[] = {' ', value == NULL ? 'n' : ' ', ' ', ' ', '\0'};
	MemoryContext caller = CurrentMemoryContext;
	PgtOutcome	outcome = PGT_MISSING;

	if (path->length > 0)
		return PGT_MISSING;
	SPI_connect();
	SPI_execute_with_args(psprintf(query, column->store), 4, types, values, nulls, result != NULL, 0);
	if (result == NULL)
		outcome = PGT_APPLIED;
	else if (SPI_processed > 0)
	{
		bool		isnull;
		Datum		found = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);

		if (!isnull)
		{
			MemoryContextSwitchTo(caller);
			*result = DatumGetJsonbPCopy(found);
			outcome = PGT_APPLIED;
		}
	}
	SPI_finish();
	return outcome;
}

static PgtOutcome
append(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, int keep)
{
	if (keep > 0)
		return PGT_ELSEWHERE;
	return run(column, key, path,
			   "INSERT INTO timeseries.points_%1$d (key, position, point) "
			   "SELECT $1, (SELECT count(*) FROM timeseries.points_%1$d p WHERE p.key = $1) + e.n - 1, e.v::text::float8 "
			   "FROM jsonb_array_elements($2) WITH ORDINALITY e(v, n)", value, 0, 0, NULL);
}

static PgtOutcome
slice(PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result)
{
	return run(column, key, path,
			   "SELECT jsonb_agg(p.point ORDER BY p.position) FROM timeseries.points_%d p "
			   "WHERE p.key = $1 AND p.position >= $3 AND p.position < $4", NULL, from, to, result);
}

static PgtOutcome
get(PgtColumn *column, PgtKey *key, PgtPath *path, Size most, Jsonb **result)
{
	return slice(column, key, path, 0, PG_INT64_MAX, result);
}

static void
run_utility(const char *command)
{
	SPI_connect();
	if (SPI_execute(command, false, 0) != SPI_OK_UTILITY)
		elog(ERROR, "could not run %s", command);
	SPI_finish();
}

static void
attach(Oid relid, AttrNumber attnum, int32 store)
{
	run_utility(psprintf("CREATE TABLE timeseries.points_%d (key text, position bigint, point float8, PRIMARY KEY (key, position))", store));
}

static void
detach(Oid relid, AttrNumber attnum, int32 store)
{
	run_utility(psprintf("DROP TABLE timeseries.points_%d", store));
}

static const Oid types[] = {FLOAT8ARRAYOID, InvalidOid};

static const PgtJsonVtable json = {.get = get,.slice = slice,.append = append};

static const PgtRoutine routine = {
	.magic = PGT_ROUTINE_MAGIC,.name = "timeseries",.types = types,.json = &json,.attach = attach,.detach = detach
};

static const PgtRoutine other_version = {.magic = 1,.name = "timeseries",.types = types,.json = &json};

Datum
timeseries_handler(PG_FUNCTION_ARGS)
{
	PG_RETURN_TOASTER(&routine);
}

Datum
timeseries_no_handler(PG_FUNCTION_ARGS)
{
	PG_RETURN_TOASTER(&other_version);
}
