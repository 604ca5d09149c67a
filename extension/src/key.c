/*
 * key.c: reads row keys from arguments: one value, or a row of several values. They have the types of the key columns,
 * or types that can be assigned to them.
 */
#include "core.h"

#include "access/htup_details.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "parser/parse_coerce.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

/*
 * Returns true if assigning a value of this type either keeps it unchanged or fails. Rounding 1.4 to 1 would address
 * another row.
 */
static bool
is_exact(Oid from)
{
	return from == INT2OID || from == INT4OID || from == INT8OID || TypeCategory(from) == TYPCATEGORY_STRING;
}

/* Converts a value to the type of a key column. */
static Datum
coerce(Datum value, Oid from, Oid to, PgtColumn *column, int n)
{
	Oid			function;
	Oid			in_param;
	Oid			out;
	bool		varlena;

	if (from == to)
		return value;
	if (from == UNKNOWNOID)
	{
		getTypeInputInfo(to, &function, &in_param);
		return OidInputFunctionCall(function, DatumGetCString(value), in_param, -1);
	}
	switch (find_coercion_pathway(to, from, is_exact(from) ? COERCION_ASSIGNMENT : COERCION_IMPLICIT, &function))
	{
		case COERCION_PATH_RELABELTYPE:
			return value;
		case COERCION_PATH_FUNC:
			if (get_func_nargs(function) == 1)
				return OidFunctionCall1(function, value);
			if (get_func_nargs(function) == 2)
				return OidFunctionCall2(function, value, Int32GetDatum(-1));
			return OidFunctionCall3(function, value, Int32GetDatum(-1), BoolGetDatum(false));
		case COERCION_PATH_COERCEVIAIO:
			getTypeOutputInfo(from, &out, &varlena);
			getTypeInputInfo(to, &function, &in_param);
			return OidInputFunctionCall(function, OidOutputFunctionCall(out, value), in_param, -1);
		default:
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("key column %d of %s has type %s, but a value of type %s was given", n + 1,
							pgt_column_text(column), format_type_be(to), format_type_be(from))));
	}
	return (Datum) 0;
}

void
pgt_key(PgtColumn *column, FunctionCallInfo fcinfo, int n, PgtKey *key)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, n);

	if (PG_ARGISNULL(n))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the key of a row cannot be NULL")));
	key->count = column->key_count;
	if (column->key_count == 1 && type != RECORDOID && !type_is_rowtype(type))
	{
		key->values[0] = coerce(PG_GETARG_DATUM(n), type, column->key_types[0], column, 0);
		return;
	}
	if (!type_is_rowtype(type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("the row key of %s has %d columns, but one value was given", pgt_column_text(column),
						column->key_count),
				 errhint("Pass the key as a row: ROW(a, b).")));
	{
		HeapTupleHeader row = PG_GETARG_HEAPTUPLEHEADER(n);
		TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
		HeapTupleData tuple;
		Datum	   *values = palloc(desc->natts * sizeof(Datum));
		bool	   *nulls = palloc(desc->natts * sizeof(bool));

		if (desc->natts != column->key_count)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("the row key of %s has %d columns, but the given row has %d", pgt_column_text(column),
							column->key_count, desc->natts)));
		tuple.t_len = HeapTupleHeaderGetDatumLength(row);
		ItemPointerSetInvalid(&tuple.t_self);
		tuple.t_tableOid = InvalidOid;
		tuple.t_data = row;
		heap_deform_tuple(&tuple, desc, values, nulls);
		for (int i = 0; i < column->key_count; i++)
		{
			if (nulls[i])
				ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the key of a row cannot contain NULL")));
			key->values[i] = coerce(values[i], TupleDescAttr(desc, i)->atttypid, column->key_types[i], column, i);
		}
		ReleaseTupleDesc(desc);
	}
}

void
pgt_key_equals_sql(StringInfo sql, PgtColumn *column, int part)
{
	PgtEntry   *entry = (PgtEntry *) column;
	HeapTuple	tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(entry->key_operators[part]));
	Form_pg_operator operator;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "operator %u no longer exists", entry->key_operators[part]);
	operator = (Form_pg_operator) GETSTRUCT(tuple);
	appendStringInfo(sql, "o.%s OPERATOR(%s.%s) ", quote_identifier(get_attname(column->relid, entry->key_attnums[part], false)),
					 quote_identifier(get_namespace_name(operator->oprnamespace)), NameStr(operator->oprname));
	ReleaseSysCache(tuple);
}

void
pgt_key_condition(StringInfo sql, PgtColumn *column, int first)
{
	for (int i = 0; i < column->key_count; i++)
	{
		appendStringInfoString(sql, i == 0 ? " WHERE " : " AND ");
		pgt_key_equals_sql(sql, column, i);
		appendStringInfo(sql, "$%d", first + i);
	}
}
