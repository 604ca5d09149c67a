/* error.c: names of columns, keys and tables for messages, and the errors for outcomes. */
#include "core.h"

#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "utils/lsyscache.h"

char *
pgt_column_text(PgtColumn *column)
{
	return psprintf("%s.%s.%s", get_namespace_name(get_rel_namespace(column->relid)), get_rel_name(column->relid),
					get_attname(column->relid, column->attnum, true));
}

char *
pgt_key_text(PgtColumn *column, PgtKey *key)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < key->count; i++)
	{
		Oid			out;
		bool		varlena;
		char	   *value;

		getTypeOutputInfo(column->key_types[i], &out, &varlena);
		value = OidOutputFunctionCall(out, key->values[i]);
		appendStringInfoString(&text, i == 0 ? "(" : ", ");
		appendBinaryStringInfo(&text, value, pg_mbcliplen(value, strlen(value), 100));
	}
	appendStringInfoChar(&text, ')');
	return text.data;
}

const char *
pgt_owner_table(PgtColumn *column)
{
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(column->relid)), get_rel_name(column->relid));
}

void
pgt_require_snapshot(PgtColumn *column)
{
	char	   *call = psprintf("SELECT pgtoaster.require_snapshot(%d)", column->store);

	SPI_connect();
	SPI_execute(call, true, 1);
	SPI_finish();
}

void
pgt_raise(PgtOutcome outcome, PgtColumn *column, PgtKey *key, const char *operation)
{
	char	   *place = psprintf("%s%s", pgt_column_text(column), key != NULL ? pgt_key_text(column, key) : "");

	switch (outcome)
	{
		case PGT_NO_ROW:
			ereport(ERROR,
					(errcode(ERRCODE_NO_DATA_FOUND),
					 errmsg("there is no row %s", place),
					 errhint("Insert the row first; a row that a policy hides counts as missing.")));
			break;
		case PGT_NO_CONTENT:
			ereport(ERROR, (errcode(ERRCODE_NO_DATA_FOUND), errmsg("%s is NULL", place)));
			break;
		case PGT_SEALED:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the blob in %s is sealed; nothing was changed", place)));
			break;
		case PGT_OFFSET:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the offset or length is beyond the end of the blob in %s; nothing was changed", place),
					 errhint("Offsets go from 0 to the length, which toaster.blob_length returns.")));
			break;
		case PGT_DISCARDED:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the bytes at that offset of the blob in %s were discarded; nothing was changed", place),
					 errhint("pgtoaster.blob_discard with offset 0 discards nothing, and returns the first offset that is left.")));
			break;
		case PGT_TOKEN_MISMATCH:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("this writer appended different content to %s with this sequence; nothing was changed", place),
					 errhint("A retry must repeat the content; a new append must use the next sequence.")));
			break;
		case PGT_TOKEN_UNKNOWN:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("it is no longer known whether this sequence was appended to %s; nothing was changed", place),
					 errhint("Compare the content, then continue with a new writer.")));
			break;
		case PGT_DAMAGED:
			pgt_require_snapshot(column);
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("the stored rows of %s are inconsistent; nothing was changed", place),
					 errhint("\"pgtoaster verify\" lists the problems.")));
			break;
		case PGT_FOREIGN:
			pgt_require_snapshot(column);
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("%s contains the header of a document that belongs to another row; nothing was changed", place),
					 errhint("INSERT .. SELECT copies only the stub: insert pgtoaster.expand(column).")));
			break;
		case PGT_WRONG_TYPE:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s is not possible with the value at that path of %s; nothing was changed", operation, place)));
			break;
		case PGT_NO_POSITION:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					 errmsg("a step of the path of %s is not a position of an array in %s; nothing was changed", operation, place)));
			break;
		case PGT_TOO_LARGE:
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("the result of %s on %s does not fit into one value", operation, place),
					 errhint("Request a part of it.")));
			break;
		case PGT_ELSEWHERE:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("%s is not possible inside the server on %s; nothing was changed", operation, place),
					 errhint("The pgtoaster library and command line can do it.")));
			break;
		case PGT_NO_OPERATION:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("toaster \"%s\" of %s has no operation %s", column->routine->name, pgt_column_text(column),
							operation),
					 column->routine->blob != NULL || column->routine->json != NULL ? 0 :
					 errhint("The value of the column is the content: use functions of the server, or pgtoaster.%s.",
							 column->type == JSONBOID ? "get(), pgtoaster.set() and similar functions in a statement over the table"
							 : "blob_append() and similar functions, which take the same arguments")));
			break;
		case PGT_NOT_EMPTY:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the row to which %s should be copied already has content; nothing was changed", place),
					 errhint("Delete it first with toaster.blob_delete.")));
			break;
		case PGT_SUPPRESSED:
			ereport(ERROR,
					(errcode(ERRCODE_TRIGGERED_ACTION_EXCEPTION),
					 errmsg("the UPDATE that should set %s changed no row", place),
					 errhint("A trigger, a rule or a policy of the table suppressed it.")));
			break;
		case PGT_DENIED:
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("row security lets the role read %s but not change it", place)));
			break;
		case PGT_NOT_TEXT:
			ereport(ERROR,
					(errcode(ERRCODE_CHARACTER_NOT_IN_REPERTOIRE),
					 errmsg("%s can contain only whole characters of UTF-8, and no zero byte; nothing was changed", place),
					 errhint("Keep characters whole in each call, or use a bytea column.")));
			break;
		default:
			elog(ERROR, "unexpected outcome %d of %s on %s", (int) outcome, operation, place);
	}
}

void
pgt_interfered(PgtColumn *column)
{
	ereport(ERROR,
			(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
			 errmsg("rows of the store of %s were changed without the lock that writers must take", pgt_column_text(column)),
			 errhint("Run the transaction again; change the tables of a store through pgtoaster only.")));
}
