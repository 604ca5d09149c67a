/*
 * owner.c: rows of the owner table.
 *
 * Rows are read by an index scan if an SQL statement would do nothing more, that is, in a plain table without row
 * security that the caller may SELECT. All other reads, and all writes, use prepared SQL statements, so that column
 * privileges, policies, partitions, triggers and indexes work as usual.
 */
#include "core.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/sysattr.h"
#include "catalog/pg_trigger.h"
#include "common/hashfn.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

static Datum
copy_value(Datum value, Oid type)
{
	int16		length;
	bool		by_value;

	get_typlenbyval(type, &length, &by_value);
	if (length == -1)
		return PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
	return datumCopy(value, by_value, length);
}

/* Returns the leading key; raises an error for NULL, because such a row cannot have content. */
static Datum
leading_key(PgtEntry *entry, Datum value, bool isnull)
{
	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("column \"%s\" of %s, the leading key of its store, is NULL",
						get_attname(entry->column.relid, entry->leading_attnum, true), pgt_owner_table(&entry->column)),
				 errhint("ALTER TABLE %s ALTER %s SET NOT NULL.", pgt_owner_table(&entry->column),
						 quote_identifier(get_attname(entry->column.relid, entry->leading_attnum, false)))));
	return copy_value(value, entry->leading_type);
}

static void
from_tuple(PgtEntry *entry, HeapTuple tuple, TupleDesc desc, PgtOwnerRow *row)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, entry->column.attnum, desc, &row->isnull);

	row->value = row->isnull ? (Datum) 0 : copy_value(value, entry->column.type);
	row->leading_key = 0;
	if (entry->leading_attnum > 0)
	{
		value = heap_getattr(tuple, entry->leading_attnum, desc, &isnull);
		row->leading_key = leading_key(entry, value, isnull);
	}
	row->row_bytes = 0;
	row->other_bytes = 0;
}

/* Returns the remembered place for the row with this key. */
static PgtPlace *
place_of(PgtEntry *entry, PgtKey *key)
{
	uint32		hash = 0;

	for (int i = 0; i < key->count; i++)
	{
		int16		length;
		bool		by_value;

		get_typlenbyval(entry->column.key_types[i], &length, &by_value);
		hash = hash_combine(hash, datum_image_hash(key->values[i], by_value, length));
	}
	return &entry->places[hash % PGT_PLACES];
}

static HeapTuple
find_directly(PgtEntry *entry, Relation rel, PgtKey *key)
{
	ScanKeyData keys[PGT_MAX_KEYS];

	for (int i = 0; i < key->count; i++)
		ScanKeyEntryInitializeWithInfo(&keys[i], 0, entry->key_attnums[i], BTEqualStrategyNumber, InvalidOid,
									   entry->key_collations[i], &entry->key_equals[i], key->values[i]);
	return pgt_row(rel, entry->key_index, GetActiveSnapshot(), key->count, keys, place_of(entry, key));
}

static bool
read_directly(PgtEntry *entry, Relation rel, PgtKey *key, PgtOwnerRow *row)
{
	HeapTuple	tuple = find_directly(entry, rel, key);

	if (tuple == NULL)
		return false;
	from_tuple(entry, tuple, RelationGetDescr(rel), row);
	heap_freetuple(tuple);
	return true;
}

/*
 * Returns the owner table for FROM and UPDATE: with ONLY unless it is partitioned, to exclude tables that inherit from
 * it. security/policy.sql does the same.
 */
static const char *
owner_rows(PgtColumn *column)
{
	return psprintf("%s%s", get_rel_relkind(column->relid) == RELKIND_RELATION ? "ONLY " : "", pgt_owner_table(column));
}

static const char *
column_name(PgtEntry *entry, AttrNumber attnum)
{
	return quote_identifier(get_attname(entry->column.relid, attnum, false));
}

/* Prepares one of the library's own statements and keeps its plan for the session. */
static SPIPlanPtr
prepare(const char *sql, int count, Oid *types)
{
	SPIPlanPtr	plan = SPI_prepare(psprintf("%s %s", PGT_OWN_STATEMENT, sql), count, types);

	if (plan == NULL)
		elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
	SPI_keepplan(plan);
	return plan;
}

static SPIPlanPtr
prepare_read(PgtEntry *entry, bool lock)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT o.%s, %s%s", column_name(entry, entry->column.attnum),
					 entry->leading_attnum > 0 ? "o." : "NULL::bigint",
					 entry->leading_attnum > 0 ? column_name(entry, entry->leading_attnum) : "");
	if (lock)
		appendStringInfo(&sql, ", pg_catalog.pg_column_size(o.*), coalesce(pg_catalog.pg_column_size(o.%s), 0)",
						 column_name(entry, entry->column.attnum));
	else
		appendStringInfoString(&sql, ", 0, 0");
	appendStringInfo(&sql, " FROM %s o", owner_rows(&entry->column));
	pgt_key_condition(&sql, &entry->column, 1);
	if (lock)
		appendStringInfoString(&sql, " FOR NO KEY UPDATE OF o");
	return prepare(sql.data, entry->column.key_count, entry->column.key_types);
}

static bool
read_by_statement(PgtEntry *entry, PgtKey *key, bool lock, PgtOwnerRow *row)
{
	MemoryContext caller = CurrentMemoryContext;
	SPIPlanPtr *plan = lock ? &entry->lock_plan : &entry->select_plan;
	bool		found;
	int			code;

	SPI_connect();
	if (*plan == NULL)
		*plan = prepare_read(entry, lock);
	/* Read-only execution makes SPI use the active snapshot. */
	code = SPI_execute_plan(*plan, key->values, NULL, !lock, 2);
	if (code != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute_plan failed: %s", SPI_result_code_string(code));
	found = SPI_processed > 0;
	if (found)
	{
		HeapTuple	tuple = SPI_tuptable->vals[0];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		MemoryContext spi = MemoryContextSwitchTo(caller);
		bool		isnull;
		Datum		value;

		/* The statement was planned after a change of the table that the entry does not reflect yet. */
		if (SPI_gettypeid(desc, 1) != entry->column.type ||
			(entry->leading_attnum > 0 && SPI_gettypeid(desc, 2) != entry->leading_type))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("table %s was altered while a function worked on its column \"%s\"", pgt_owner_table(&entry->column),
							NameStr(entry->name)),
					 errhint("Call the function again.")));
		value = SPI_getbinval(tuple, desc, 1, &row->isnull);
		row->value = row->isnull ? (Datum) 0 : copy_value(value, entry->column.type);
		value = SPI_getbinval(tuple, desc, 2, &isnull);
		row->leading_key = entry->leading_attnum > 0 ? leading_key(entry, value, isnull) : (Datum) 0;
		row->row_bytes = DatumGetInt32(SPI_getbinval(tuple, desc, 3, &isnull));
		row->other_bytes = row->row_bytes - DatumGetInt32(SPI_getbinval(tuple, desc, 4, &isnull));
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	return found;
}

bool
pgt_owner_read(PgtColumn *column, PgtKey *key, PgtOwnerRow *row)
{
	PgtEntry   *entry = (PgtEntry *) column;
	bool		found = false;
	bool		direct = false;

	/* Functions of a key's type, called for the key, may have altered the table. */
	if (entry->direct && entry->valid)
	{
		/* pgt_column has locked the table until the end of the transaction. */
		Relation	rel = table_open(column->relid, NoLock);

		direct = (!rel->rd_rel->relrowsecurity || check_enable_rls(column->relid, InvalidOid, true) == RLS_NONE) &&
			pg_class_aclcheck(column->relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
		if (direct)
			found = read_directly(entry, rel, key, row);
		table_close(rel, NoLock);
	}
	return direct ? found : read_by_statement(entry, key, false, row);
}

static bool
has_row_security(PgtColumn *column)
{
	return check_enable_rls(column->relid, InvalidOid, true) == RLS_ENABLED;
}

bool
pgt_owner_permits(PgtColumn *column, PgtKey *key)
{
	PgtEntry   *entry = (PgtEntry *) column;
	bool		permitted;
	int			code;

	if (pg_class_aclcheck(column->relid, GetUserId(), ACL_UPDATE) != ACLCHECK_OK &&
		pg_attribute_aclcheck(column->relid, column->attnum, GetUserId(), ACL_UPDATE) != ACLCHECK_OK)
		aclcheck_error_col(ACLCHECK_NO_PRIV, OBJECT_COLUMN, get_rel_name(column->relid),
						   get_attname(column->relid, column->attnum, false));
	if (!has_row_security(column))
		return true;
	SPI_connect();
	if (entry->permit_plan == NULL)
	{
		StringInfoData sql;

		/* Use the weakest row lock: PostgreSQL applies policies for UPDATE only if the row is locked. */
		initStringInfo(&sql);
		appendStringInfo(&sql, "SELECT FROM %s o", owner_rows(column));
		pgt_key_condition(&sql, column, 1);
		appendStringInfoString(&sql, " FOR KEY SHARE OF o");
		entry->permit_plan = prepare(sql.data, column->key_count, column->key_types);
	}
	code = SPI_execute_plan(entry->permit_plan, key->values, NULL, false, 1);
	if (code != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute_plan failed: %s", SPI_result_code_string(code));
	permitted = SPI_processed > 0;
	SPI_finish();
	return permitted;
}

PgtOutcome
pgt_owner_unlocked(PgtColumn *column, PgtKey *key)
{
	PgtOwnerRow row;

	return has_row_security(column) && pgt_owner_read(column, key, &row) ? PGT_DENIED : PGT_NO_ROW;
}

bool
pgt_owner_lock(PgtColumn *column, PgtKey *key, PgtOwnerRow *row)
{
	return read_by_statement((PgtEntry *) column, key, true, row);
}

/*
 * Returns the expression over $1 that a statement assigns. For a column of documents it also sets a parameter to the
 * time of the caller's statement, which shows the triggers that the library is writing. The parameter is reset
 * afterwards, so that the triggers do not mistake other writes of the caller's statement for the library's.
 */
static const char *
our_value(PgtColumn *column)
{
	return column->type == JSONBOID ? "CASE WHEN pg_catalog.set_config('pgtoaster.write',"
		" CAST(pg_catalog.statement_timestamp() AS pg_catalog.text), true) IS NOT NULL THEN $1 END" : "$1";
}

static void
take_back(PgtColumn *column)
{
	if (column->type == JSONBOID)
		(void) set_config_option("pgtoaster.write", "", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
}

bool
pgt_owner_update(PgtColumn *column, PgtKey *key, Datum value, bool isnull)
{
	PgtEntry   *entry = (PgtEntry *) column;
	Datum		values[PGT_MAX_KEYS + 1];
	char		nulls[PGT_MAX_KEYS + 2];
	uint64		updated;
	int			code;

	SPI_connect();
	if (entry->update_plan == NULL)
	{
		Oid			types[PGT_MAX_KEYS + 1];
		StringInfoData sql;

		types[0] = column->type;
		memcpy(types + 1, column->key_types, column->key_count * sizeof(Oid));
		initStringInfo(&sql);
		appendStringInfo(&sql, "UPDATE %s AS o SET %s = %s", owner_rows(&entry->column),
						 column_name(entry, column->attnum), our_value(column));
		pgt_key_condition(&sql, column, 2);
		entry->update_plan = prepare(sql.data, column->key_count + 1, types);
	}
	values[0] = value;
	memcpy(values + 1, key->values, key->count * sizeof(Datum));
	memset(nulls, ' ', key->count + 1);
	nulls[key->count + 1] = '\0';
	nulls[0] = isnull ? 'n' : ' ';
	code = SPI_execute_plan(entry->update_plan, values, nulls, false, 0);
	take_back(column);
	/* A rule may have replaced the UPDATE. */
	if (code != SPI_OK_UPDATE && code != SPI_OK_REWRITTEN)
		elog(ERROR, "SPI_execute_plan failed: %s", SPI_result_code_string(code));
	updated = code == SPI_OK_UPDATE ? SPI_processed : 0;
	SPI_finish();
	return updated > 0;
}

/*
 * Returns true if an UPDATE of the column alone only writes a new version of the row and its index entries. Then no
 * trigger fires except ours, which check foreign writes and apply noted edits. The table has no rule, check, generated
 * column, partition or child table, and no key, deferred constraint or foreign key contains the column.
 */
static bool
is_plain_update(PgtEntry *entry, Relation rel)
{
	AttrNumber	attnum = entry->column.attnum;
	TriggerDesc *triggers = rel->trigdesc;
	TupleConstr *constraints = rel->rd_att->constr;
	char		update[NAMEDATALEN];
	char		edit[NAMEDATALEN];
	ListCell   *cell;

	if (!entry->direct || rel->rd_rel->relhasrules || rel->rd_rel->relhassubclass || rel->rd_rel->relispartition)
		return false;
	if (constraints != NULL && (constraints->num_check > 0 || pgt_has_generated(constraints)))
		return false;
	if (bms_is_member(attnum - FirstLowInvalidHeapAttributeNumber, RelationGetIndexAttrBitmap(rel, INDEX_ATTR_BITMAP_KEY)))
		return false;
	foreach(cell, RelationGetFKeyList(rel))
	{
		ForeignKeyCacheInfo *fk = lfirst(cell);

		for (int i = 0; i < fk->nkeys; i++)
			if (fk->conkey[i] == attnum)
				return false;
	}
	foreach(cell, RelationGetIndexList(rel))
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);
		bool		later = !index->rd_index->indimmediate || index->rd_index->indisexclusion;

		index_close(index, AccessShareLock);
		if (later)
			return false;
	}
	snprintf(update, sizeof(update), "pgtoaster_%d_update", entry->column.store);
	snprintf(edit, sizeof(edit), "~pgtoaster_%d_edit", entry->column.store);
	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		Trigger    *t = &triggers->triggers[i];
		bool		concerned = t->tgnattr == 0;

		for (int n = 0; n < t->tgnattr; n++)
			concerned |= t->tgattr[n] == attnum;
		if (concerned && TRIGGER_FOR_UPDATE(t->tgtype) && RI_FKey_trigger_type(t->tgfoid) == RI_TRIGGER_NONE &&
			strcmp(t->tgname, update) != 0 && strcmp(t->tgname, edit) != 0)
			return false;
	}
	return true;
}

/* Returns true if two documents have the same header, or both have none. */
static bool
same_header(Jsonb *a, Jsonb *b)
{
	JsonbValue *header_a = JB_ROOT_IS_OBJECT(a) ? getKeyJsonValueFromContainer(&a->root, "$pgtoaster", 10, NULL) : NULL;
	JsonbValue *header_b = JB_ROOT_IS_OBJECT(b) ? getKeyJsonValueFromContainer(&b->root, "$pgtoaster", 10, NULL) : NULL;

	if (header_a == NULL || header_b == NULL)
		return header_a == header_b;
	return header_a->type == jbvBinary && header_b->type == jbvBinary &&
		compareJsonbContainers(header_a->val.binary.data, header_b->val.binary.data) == 0;
}

/* Replaces a document without the executor if an UPDATE would do nothing else; returns false otherwise. */
static bool
replace_directly(PgtEntry *entry, PgtKey *key, Datum old, Datum value, int64 growth, int32 limit, bool *replaced)
{
	Relation	rel = table_open(entry->column.relid, RowExclusiveLock);
	AclMode		rights = ACL_SELECT | ACL_UPDATE;
	HeapTuple	tuple = NULL;
	bool		direct;

	/* A change before this lock has invalidated the entry; after it, no change is possible. */
	if (entry->valid && entry->plain_update == 0)
		entry->plain_update = is_plain_update(entry, rel) ? 1 : -1;
	direct = entry->valid && entry->plain_update > 0 && !rel->rd_rel->relrowsecurity &&
		pg_class_aclmask(entry->column.relid, GetUserId(), rights, ACLMASK_ALL) == rights &&
		same_header(DatumGetJsonbP(old), DatumGetJsonbP(value));
	*replaced = false;
	if (direct)
		tuple = find_directly(entry, rel, key);
	if (tuple != NULL && HeapTupleHasExternal(tuple))
		direct = false;
	else if (tuple != NULL)
	{
		TupleDesc	desc = RelationGetDescr(rel);
		bool		isnull;
		Datum		there = heap_getattr(tuple, entry->column.attnum, desc, &isnull);
		Jsonb	   *now = isnull ? NULL : DatumGetJsonbP(there);

		if (now != NULL && VARSIZE(now) == VARSIZE(DatumGetPointer(old)) &&
			memcmp(now, DatumGetPointer(old), VARSIZE(now)) == 0 && (growth <= 0 || (int64) tuple->t_len + growth <= limit))
		{
			PgtTable	table = {.rel = rel,.index = entry->key_index,.context = CurrentMemoryContext,.plain = true};
			int			column = entry->column.attnum;
			HeapTuple	next = heap_modify_tuple_by_cols(tuple, desc, 1, &column, &value, &isnull);

			*replaced = pgt_update(&table, tuple, next);
			pgt_table_close(&table);
			return true;
		}
	}
	table_close(rel, NoLock);
	return direct;
}

bool
pgt_owner_replace(PgtColumn *column, PgtKey *key, Datum old, Datum value, int64 growth, int32 limit)
{
	PgtEntry   *entry = (PgtEntry *) column;
	Datum		values[PGT_MAX_KEYS + 4];
	uint64		updated;
	int			code;
	bool		replaced;

	if (replace_directly(entry, key, old, value, growth, limit, &replaced))
		return replaced;
	SPI_connect();
	if (entry->replace_plan == NULL)
	{
		Oid			types[PGT_MAX_KEYS + 4];
		StringInfoData sql;
		const char *name = column_name(entry, column->attnum);

		types[0] = types[1] = column->type;
		types[2] = INT8OID;
		types[3] = INT4OID;
		memcpy(types + 4, column->key_types, column->key_count * sizeof(Oid));
		initStringInfo(&sql);
		appendStringInfo(&sql, "UPDATE %s AS o SET %s = %s", owner_rows(column), name, our_value(column));
		pgt_key_condition(&sql, column, 5);
		appendStringInfo(&sql, " AND pg_catalog.record_image_eq(ROW(o.%s), ROW($2)) AND ($3 OPERATOR(pg_catalog.<=) 0"
						 " OR pg_catalog.pg_column_size(o.*) OPERATOR(pg_catalog.+) $3 OPERATOR(pg_catalog.<=) $4)", name);
		entry->replace_plan = prepare(sql.data, column->key_count + 4, types);
	}
	values[0] = value;
	values[1] = old;
	values[2] = Int64GetDatum(growth);
	values[3] = Int32GetDatum(limit);
	memcpy(values + 4, key->values, key->count * sizeof(Datum));
	code = SPI_execute_plan(entry->replace_plan, values, NULL, false, 0);
	take_back(column);
	/* A rule may have replaced the UPDATE. */
	if (code != SPI_OK_UPDATE && code != SPI_OK_REWRITTEN)
		elog(ERROR, "SPI_execute_plan failed: %s", SPI_result_code_string(code));
	updated = code == SPI_OK_UPDATE ? SPI_processed : 0;
	SPI_finish();
	return updated > 0;
}
