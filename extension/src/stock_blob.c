/*
 * stock_blob.c: blobs of the toaster default: an ordinary bytea or text column, through prepared statements with
 * the server's own functions. Offsets are bytes; a text is its UTF-8.
 */
#include "stock.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

/* The longest value: 1 GB less one byte, less its header. */
#define MAX_LENGTH ((int64) 0x3FFFFFFF - 4)
#define LOOKS 5

/* What a statement gave. */
typedef struct Found
{
	uint64		rows;
	bool		isnull;			/* the column */
	int64		length;
	bytea	   *bytes;			/* if it asks for them; NULL for NULL */
} Found;

static bool
is_text(PgtColumn *column)
{
	return column->type == TEXTOID;
}

/* Statements: parameters, then the key; o is the table. */
static const char *
sql_of(PgtColumn *column, PgtStockKind kind, int *count, Oid *types)
{
	const char *name = psprintf("o.%s", pgt_owner_column(column));
	const char *table = psprintf("%s AS o", pgt_owner_rows(column));
	const char *octets = psprintf("pg_catalog.octet_length(%s)", name);
	const char *bytes = is_text(column) ? psprintf("pg_catalog.convert_to(%s, 'UTF8')", name) : name;
	const char *set = psprintf("UPDATE %s SET %s = ", table, pgt_owner_column(column));
	const char *value = is_text(column) ? "pg_catalog.convert_from(%s, 'UTF8')" : "%s";
	StringInfoData sql;
	StringInfoData row;

	initStringInfo(&sql);
	initStringInfo(&row);
	*count = 0;
#define PARAMETER(type) (types[(*count)++] = (type))
	switch (kind)
	{
		case PGT_STOCK_LENGTH:
		case PGT_STOCK_LOCK:
			pgt_owner_condition(&row, column, 1);
			appendStringInfo(&sql, "SELECT %s, %s IS NULL FROM %s%s%s", octets, name, table, row.data,
							 kind == PGT_STOCK_LOCK ? " FOR NO KEY UPDATE OF o" : "");
			break;
		case PGT_STOCK_READ:
			PARAMETER(INT4OID);
			PARAMETER(INT4OID);
			pgt_owner_condition(&row, column, 3);
			appendStringInfo(&sql, "SELECT %s, %s IS NULL, pg_catalog.substr(%s, $1, $2) FROM %s%s", octets, name, bytes, table, row.data);
			break;
		case PGT_STOCK_APPEND:
			PARAMETER(column->type);
			PARAMETER(INT8OID);
			PARAMETER(INT8OID);
			pgt_owner_condition(&row, column, 4);
			appendStringInfo(&sql, "%scoalesce(%s, '') OPERATOR(pg_catalog.||) $1%s AND coalesce(%s, 0) OPERATOR(pg_catalog.<=) $2 "
							 "AND ($3 IS NULL OR coalesce(%s, 0) OPERATOR(pg_catalog.=) $3) RETURNING %s, false",
							 set, name, row.data, octets, octets, octets);
			break;
		case PGT_STOCK_OVERWRITE:
			PARAMETER(BYTEAOID);
			PARAMETER(INT4OID);
			PARAMETER(INT4OID);
			pgt_owner_condition(&row, column, 4);
			appendStringInfoString(&sql, set);
			appendStringInfo(&sql, value, psprintf("pg_catalog.overlay(%s, $1, $2, $3)", bytes));
			appendStringInfoString(&sql, row.data);
			break;
		case PGT_STOCK_TRUNCATE:
			PARAMETER(INT4OID);
			pgt_owner_condition(&row, column, 2);
			appendStringInfoString(&sql, set);
			appendStringInfo(&sql, value, psprintf("pg_catalog.substr(%s, 1, $1)", bytes));
			appendStringInfoString(&sql, row.data);
			break;
		case PGT_STOCK_COPY:
			/* The key of the source comes first. */
			for (int i = 0; i < column->key_count; i++)
				PARAMETER(column->key_types[i]);
			pgt_owner_condition(&row, column, 1);
			appendStringInfo(&sql, "%s(SELECT %s FROM %s%s)", set, name, table, row.data);
			resetStringInfo(&row);
			pgt_owner_condition(&row, column, 1 + column->key_count);
			appendStringInfo(&sql, "%s AND %s IS NULL", row.data, name);
			break;
		case PGT_STOCK_REMOVE:
			pgt_owner_condition(&row, column, 1);
			appendStringInfo(&sql, "%sNULL%s AND %s IS NOT NULL", set, row.data, name);
			break;
		default:
			elog(ERROR, "no such statement: %d", (int) kind);
	}
#undef PARAMETER
	return sql.data;
}

/* Runs a statement with count parameters before the key; SELECTs see what the active snapshot shows, unless they lock. */
static Found
run(PgtColumn *column, PgtStockKind kind, PgtKey *key, int count, const Datum *given, const char *nulls)
{
	MemoryContext caller = CurrentMemoryContext;
	PgtStockState *state = column->state;
	bool		read_only = kind == PGT_STOCK_LENGTH || kind == PGT_STOCK_READ;
	Datum		values[2 * PGT_MAX_KEYS];
	char		all_nulls[2 * PGT_MAX_KEYS + 1];
	Found		found = {0};
	int			code;

	memset(all_nulls, ' ', count + key->count);
	if (count > 0)
		memcpy(values, given, count * sizeof(Datum));
	if (nulls != NULL)
		memcpy(all_nulls, nulls, count);
	memcpy(values + count, key->values, key->count * sizeof(Datum));
	all_nulls[count + key->count] = '\0';
	SPI_connect();
	if (state->plans[kind] == NULL)
	{
		Oid			arguments[2 * PGT_MAX_KEYS];
		int			before;
		const char *sql = sql_of(column, kind, &before, arguments);

		memcpy(arguments + before, column->key_types, column->key_count * sizeof(Oid));
		state->plans[kind] = pgt_prepare(sql, before + column->key_count, arguments);
	}
	code = SPI_execute_plan(state->plans[kind], values, all_nulls, read_only, 0);
	if (code < 0)
		elog(ERROR, "SPI_execute_plan failed: %s", SPI_result_code_string(code));
	found.rows = SPI_processed;
	if (SPI_processed > 0 && SPI_tuptable != NULL)
	{
		HeapTuple	tuple = SPI_tuptable->vals[0];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		bool		isnull;

		found.isnull = DatumGetBool(SPI_getbinval(tuple, desc, 2, &isnull));
		found.length = DatumGetInt32(SPI_getbinval(tuple, desc, 1, &isnull));
		if (desc->natts > 2)
		{
			Datum		value = SPI_getbinval(tuple, desc, 3, &isnull);
			MemoryContext spi = MemoryContextSwitchTo(caller);

			found.bytes = isnull ? NULL : DatumGetByteaPCopy(value);
			MemoryContextSwitchTo(spi);
		}
	}
	SPI_finish();
	return found;
}

/* The lengths that the server tells of a text are those of UTF-8 only if it stores UTF-8. */
static PgtOutcome
refusal(PgtColumn *column)
{
	return column->type == JSONBOID || (is_text(column) && GetDatabaseEncoding() != PG_UTF8) ? PGT_NO_OPERATION : PGT_APPLIED;
}

static bool
fits(PgtColumn *column, const char *data, Size size)
{
	return !is_text(column) || pg_verify_mbstr(PG_UTF8, data, size, true);
}

static Found
range(PgtColumn *column, PgtKey *key, int64 offset, int32 count)
{
	Datum		values[2] = {Int32GetDatum((int32) Min(offset, MAX_LENGTH) + 1), Int32GetDatum(count)};

	return run(column, PGT_STOCK_READ, key, 2, values, NULL);
}

/* Whether a text can be cut at an offset: not within a character. */
static bool
is_boundary(PgtColumn *column, PgtKey *key, int64 offset)
{
	Found		next;
	bool		boundary;

	if (!is_text(column))
		return true;
	pgt_push_snapshot();
	next = range(column, key, offset, 1);
	boundary = next.bytes == NULL || VARSIZE_ANY_EXHDR(next.bytes) == 0 || (VARDATA_ANY(next.bytes)[0] & 0xC0) != 0x80;
	pgt_pop_snapshot();
	return boundary;
}

static Datum
varlena(const char *data, Size size)
{
	struct varlena *value = palloc(VARHDRSZ + size);

	SET_VARSIZE(value, VARHDRSZ + size);
	memcpy(VARDATA(value), data, size);
	return PointerGetDatum(value);
}

static PgtOutcome
present(Found *found)
{
	return found->rows == 0 ? PGT_NO_ROW : found->isnull ? PGT_NO_CONTENT : PGT_APPLIED;
}

static PgtOutcome
stock_append(PgtColumn *column, PgtKey *key, PgtAppend *append)
{
	Datum		values[3];
	const char *nulls = append->has_expected ? "   " : "  n";

	if (append->has_token || refusal(column) != PGT_APPLIED)
		return PGT_NO_OPERATION;
	if (!fits(column, append->data, append->size))
		return PGT_NOT_TEXT;
	if ((int64) append->size > MAX_LENGTH)
		return PGT_TOO_LARGE;
	values[0] = varlena(append->data, append->size);
	values[1] = Int64GetDatum(MAX_LENGTH - (int64) append->size);
	values[2] = Int64GetDatum(append->expected);
	for (int look = 0; look < LOOKS; look++)
	{
		Found		found = run(column, PGT_STOCK_APPEND, key, 3, values, nulls);

		if (found.rows > 0)
		{
			append->offset = found.length - (int64) append->size;
			append->length = append->size;
			return PGT_APPLIED;
		}
		/* Why not? It may have changed meanwhile. */
		found = run(column, PGT_STOCK_LOCK, key, 0, NULL, NULL);
		if (found.rows == 0)
			return PGT_NO_ROW;
		if (found.isnull)
			found.length = 0;
		append->offset = found.length;
		if (append->has_expected && append->expected != found.length)
			return PGT_CONFLICT;
		if (found.length > MAX_LENGTH - (int64) append->size)
			return PGT_TOO_LARGE;
	}
	return PGT_NO_ROW;
}

static PgtOutcome
stock_read(PgtColumn *column, PgtKey *key, int64 offset, int32 count, bytea **result)
{
	Found		found;

	if (refusal(column) != PGT_APPLIED)
		return refusal(column);
	found = range(column, key, offset, count);
	*result = found.bytes;
	return present(&found);
}

static PgtOutcome
stock_write(PgtColumn *column, PgtKey *key, int64 offset, const char *data, Size size)
{
	Found		found;
	PgtOutcome	outcome = refusal(column);
	Datum		values[3];

	if (outcome != PGT_APPLIED)
		return outcome;
	if (!fits(column, data, size))
		return PGT_NOT_TEXT;
	found = run(column, PGT_STOCK_LOCK, key, 0, NULL, NULL);
	outcome = present(&found);
	if (outcome != PGT_APPLIED)
		return outcome;
	if (offset > found.length)
		return PGT_OFFSET;
	if (offset + (int64) size > MAX_LENGTH)
		return PGT_TOO_LARGE;
	if (!is_boundary(column, key, offset) || !is_boundary(column, key, offset + size))
		return PGT_NOT_TEXT;
	values[0] = varlena(data, size);
	values[1] = Int32GetDatum((int32) offset + 1);
	values[2] = Int32GetDatum((int32) size);
	return run(column, PGT_STOCK_OVERWRITE, key, 3, values, NULL).rows > 0 ? PGT_APPLIED : PGT_NO_ROW;
}

static PgtOutcome
stock_truncate(PgtColumn *column, PgtKey *key, int64 length)
{
	Found		found;
	PgtOutcome	outcome = refusal(column);
	Datum		value;

	if (outcome != PGT_APPLIED)
		return outcome;
	found = run(column, PGT_STOCK_LOCK, key, 0, NULL, NULL);
	outcome = present(&found);
	if (outcome != PGT_APPLIED)
		return outcome;
	if (length > found.length)
		return PGT_OFFSET;
	if (!is_boundary(column, key, length))
		return PGT_NOT_TEXT;
	value = Int32GetDatum((int32) length);
	return run(column, PGT_STOCK_TRUNCATE, key, 1, &value, NULL).rows > 0 ? PGT_APPLIED : PGT_NO_ROW;
}

static PgtOutcome
stock_length(PgtColumn *column, PgtKey *key, int64 *length)
{
	Found		found;

	if (refusal(column) != PGT_APPLIED)
		return refusal(column);
	found = run(column, PGT_STOCK_LENGTH, key, 0, NULL, NULL);
	*length = found.length;
	return present(&found);
}

/* There is nothing that could be stored better. */
static PgtOutcome
stock_compact(PgtColumn *column, PgtKey *key, int64 *rows)
{
	int64		ignored;

	*rows = 0;
	return stock_length(column, key, &ignored);
}

static PgtOutcome
stock_copy(PgtColumn *column, PgtKey *source, PgtKey *target)
{
	PgtOutcome	outcome = refusal(column);
	Found		found;

	if (outcome != PGT_APPLIED)
		return outcome;
	found = run(column, PGT_STOCK_LOCK, target, 0, NULL, NULL);
	if (found.rows == 0)
		return PGT_NO_ROW;
	if (!found.isnull)
		return PGT_NOT_EMPTY;
	pgt_push_snapshot();
	found = run(column, PGT_STOCK_LENGTH, source, 0, NULL, NULL);
	pgt_pop_snapshot();
	outcome = present(&found);
	if (outcome != PGT_APPLIED)
		return outcome;
	return run(column, PGT_STOCK_COPY, target, source->count, source->values, NULL).rows > 0 ? PGT_APPLIED : PGT_NO_ROW;
}

static PgtOutcome
stock_remove(PgtColumn *column, PgtKey *key)
{
	Found		found;

	if (column->type == JSONBOID)
		return PGT_NO_OPERATION;
	if (run(column, PGT_STOCK_REMOVE, key, 0, NULL, NULL).rows > 0)
		return PGT_APPLIED;
	found = run(column, PGT_STOCK_LENGTH, key, 0, NULL, NULL);
	return found.rows == 0 ? PGT_NO_ROW : PGT_MISSING;
}

const PgtBlobVtable pgt_stock_blob = {
	.append = stock_append,.read = stock_read,.write = stock_write,.truncate = stock_truncate,.length = stock_length,
	.compact = stock_compact,.copy = stock_copy,.remove = stock_remove
};
