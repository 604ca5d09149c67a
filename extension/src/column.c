/*
 * column.c: looks up an attached column by the names of its table and column.
 *
 * The session caches columns by table and column number. If the table's definition (triggers, key, names) changes, a
 * message of the relation cache invalidates the entry. Changes of the column's row in pgtoaster.store are detected by
 * reading that row in each call, which costs one fetch by TID.
 */
#include "core.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "commands/dbcommands.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#define CATALOG_SCHEMA "pgtoaster"

/* Columns of pgtoaster.store. */
enum
{
	STORE_ID = 1, STORE_OWNER, STORE_COLUMN, STORE_TOASTER, STORE_KEY_INDEX, STORE_OPTIONS, STORE_HEAD, STORE_COLUMNS
};

typedef struct CacheKey
{
	Oid			relid;
	AttrNumber	attnum;
} CacheKey;

typedef struct CacheSlot
{
	CacheKey	key;
	PgtEntry   *entry;
} CacheSlot;

static PgtToasterFinder find_toaster = NULL;
static HTAB *cache = NULL;
static uint64 changes = 0;
static MemoryContext graveyard = NULL;
static List *buried_plans = NIL;

uint64
pgt_changes(void)
{
	return changes;
}

/*
 * Called after a relation has changed; InvalidOid means all relations. Invalidates the entries of its columns, and the
 * checked shapes of tables and keys of stores.
 */
static void
forget(Datum arg, Oid relid)
{
	HASH_SEQ_STATUS all;
	CacheSlot  *slot;

	changes++;
	hash_seq_init(&all, cache);
	while ((slot = hash_seq_search(&all)) != NULL)
	{
		PgtEntry   *entry = slot->entry;

		if (entry == NULL)
			continue;
		if (relid == InvalidOid || relid == slot->key.relid)
			entry->valid = false;
		for (int i = 0; i < PGT_TABLES && entry->tables[i].part != NULL; i++)
			if (relid == InvalidOid || relid == entry->tables[i].relid || relid == entry->tables[i].key)
				entry->tables[i].key = InvalidOid;
	}
}

/* Called after a schema has changed: plans contain the schema names of tables and operators. */
static void
forget_all(Datum arg, int cacheid, uint32 hashvalue)
{
	forget(arg, InvalidOid);
}

/* Replaced entries and their plans may still be in use by callers; free them at the end of the transaction. */
static void
bury(XactEvent event, void *arg)
{
	ListCell   *cell;

	if ((event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE) && graveyard != NULL)
	{
		foreach(cell, buried_plans)
			SPI_freeplan(lfirst(cell));
		buried_plans = NIL;
		MemoryContextDelete(graveyard);
		graveyard = NULL;
	}
}

void
pgt_column_init(PgtToasterFinder finder)
{
	HASHCTL		ctl = {.keysize = sizeof(CacheKey), .entrysize = sizeof(CacheSlot)};

	find_toaster = finder;
	cache = hash_create("pgtoaster columns", 16, &ctl, HASH_ELEM | HASH_BLOBS);
	CacheRegisterRelcacheCallback(forget, 0);
	CacheRegisterSyscacheCallback(NAMESPACEOID, forget_all, 0);
	RegisterXactCallback(bury, NULL);
}

static void
drop_entry(CacheSlot *slot)
{
	PgtEntry   *entry = slot->entry;
	SPIPlanPtr	plans[5];
	MemoryContext before;

	if (entry == NULL)
		return;
	slot->entry = NULL;
	/* Code may still use the entry, which is no longer notified of changes. */
	entry->valid = false;
	for (int i = 0; i < PGT_TABLES; i++)
		entry->tables[i].key = InvalidOid;
	plans[0] = entry->select_plan;
	plans[1] = entry->lock_plan;
	plans[2] = entry->update_plan;
	plans[3] = entry->replace_plan;
	plans[4] = entry->permit_plan;
	if (graveyard == NULL)
		graveyard = AllocSetContextCreate(TopMemoryContext, "pgtoaster columns replaced", ALLOCSET_SMALL_SIZES);
	before = MemoryContextSwitchTo(graveyard);
	for (int i = 0; i < lengthof(plans); i++)
		if (plans[i] != NULL)
			buried_plans = lappend(buried_plans, plans[i]);
	MemoryContextSwitchTo(before);
	MemoryContextSetParent(entry->column.context, graveyard);
}

static Oid
catalog_table(const char *name)
{
	Oid			schema = get_namespace_oid(CATALOG_SCHEMA, true);
	Oid			relid = OidIsValid(schema) ? get_relname_relid(name, schema) : InvalidOid;

	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("the pgtoaster catalog is not installed in database \"%s\"", get_database_name(MyDatabaseId)),
				 errhint("Run \"pgtoaster install\", Catalog.install(), or the SQL files of the library.")));
	return relid;
}

/* Raises an error because a table of the catalog is missing or has a different shape. */
pg_noreturn static void
catalog_unknown(const char *table)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("table %s.%s does not have the form that this version of the extension expects", CATALOG_SCHEMA, table),
			 errhint("Install the pgtoaster catalog of the same version as the extension.")));
}

Relation
pgt_catalog_open(const char *name, const Oid *types, int count)
{
	Relation	rel = table_open(catalog_table(name), AccessShareLock);

	if (!pgt_is_heap(rel) || RelationGetDescr(rel)->natts < count)
		catalog_unknown(name);
	for (int i = 0; i < count; i++)
		if (TupleDescAttr(RelationGetDescr(rel), i)->atttypid != types[i])
			catalog_unknown(name);
	return rel;
}

static Relation
open_store(void)
{
	static const Oid types[STORE_HEAD] = {INT4OID, REGCLASSOID, NAMEOID, TEXTOID, NAMEOID, JSONBOID, REGCLASSOID};

	return pgt_catalog_open("store", types, STORE_HEAD);
}

/* The catalog and this module must use the same storage format. */
static void
check_version(void)
{
	static const Oid types[] = {BOOLOID, INT4OID};
	Relation	rel = pgt_catalog_open("version", types, lengthof(types));
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, GetActiveSnapshot(), 0, NULL);
	HeapTuple	tuple = systable_getnext(scan);
	int32		version = 0;

	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;

		version = DatumGetInt32(heap_getattr(tuple, 2, RelationGetDescr(rel), &isnull));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	if (version != PGT_CATALOG_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the pgtoaster catalog has version %d, and the loaded extension works with version %d",
						version, PGT_CATALOG_VERSION),
				 version < PGT_CATALOG_VERSION
				 ? errhint("Install the catalog of the extension's version, which upgrades it.")
				 : errhint("Install the extension of the library's version, then ALTER EXTENSION pgtoaster UPDATE.")));
}

/* Returns the store whose update trigger watches the column, also after a rename; 0 if it has no such trigger. */
static int32
watched_store(Relation rel, AttrNumber attnum)
{
	if (rel->trigdesc == NULL)
		return 0;
	for (int i = 0; i < rel->trigdesc->numtriggers; i++)
	{
		Trigger    *t = &rel->trigdesc->triggers[i];
		int			store;
		int			end = 0;

		if (t->tgnattr >= 1 && t->tgattr[0] == attnum &&
			sscanf(t->tgname, "pgtoaster_%d_update%n", &store, &end) == 1 && end > 0 && t->tgname[end] == '\0')
			return store;
	}
	return 0;
}

/* Finds the column's row in pgtoaster.store; returns NULL if it has none. */
static HeapTuple
find_store(Relation catalog, Relation rel, AttrNumber attnum, const char *name)
{
	int32		store = watched_store(rel, attnum);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	HeapTuple	found = NULL;
	TupleDesc	desc = RelationGetDescr(catalog);

	if (store != 0)
		ScanKeyInit(&key, STORE_ID, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(store));
	else
		ScanKeyInit(&key, STORE_OWNER, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(RelationGetRelid(rel)));
	scan = systable_beginscan(catalog, InvalidOid, false, GetActiveSnapshot(), 1, &key);
	while (found == NULL && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;
		Oid			owner = DatumGetObjectId(heap_getattr(tuple, STORE_OWNER, desc, &isnull));
		Name		column = DatumGetName(heap_getattr(tuple, STORE_COLUMN, desc, &isnull));

		if (owner == RelationGetRelid(rel) && (store != 0 || (!isnull && strcmp(NameStr(*column), name) == 0)))
			found = heap_copytuple(tuple);
	}
	systable_endscan(scan);
	return found;
}

/* Returns true if the catalog's row is unchanged. */
static bool
catalog_row_stands(PgtEntry *entry)
{
	Oid			schema = get_namespace_oid(CATALOG_SCHEMA, true);
	Oid			relid = OidIsValid(schema) ? get_relname_relid("store", schema) : InvalidOid;
	Relation	rel;
	HeapTupleData tuple;
	Buffer		buffer;
	bool		stands = false;

	if (!OidIsValid(relid))
		return false;
	rel = table_open(relid, AccessShareLock);
	tuple.t_self = entry->catalog_tid;
	/* VACUUM may have truncated the table; a table that replaced it may have too few columns. */
	if (!pgt_is_heap(rel) || RelationGetDescr(rel)->natts < STORE_HEAD ||
		(ItemPointerGetBlockNumber(&tuple.t_self) > 0 &&
		 ItemPointerGetBlockNumber(&tuple.t_self) >= RelationGetNumberOfBlocks(rel)))
		stands = false;
	else if (heap_fetch(rel, GetActiveSnapshot(), &tuple, &buffer, false))
	{
		bool		isnull;

		/* VACUUM FULL may have moved a different row of the same transaction to this place. */
		stands = TransactionIdEquals(HeapTupleHeaderGetRawXmin(tuple.t_data), entry->catalog_xmin) &&
			DatumGetInt32(heap_getattr(&tuple, STORE_ID, RelationGetDescr(rel), &isnull)) == entry->column.store;
		ReleaseBuffer(buffer);
	}
	table_close(rel, AccessShareLock);
	return stands;
}

static void
describe_key(PgtEntry *entry, Relation rel, Name key_index)
{
	Oid			index_id = key_index != NULL ? get_relname_relid(NameStr(*key_index), RelationGetNamespace(rel))
		: pgt_primary_key(rel);
	Relation	index;
	Form_pg_index form;

	if (!OidIsValid(index_id))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the index that identifies the rows of \"%s\" does not exist", RelationGetRelationName(rel)),
				 errhint("Create it again with the same name, or add a primary key to the table.")));
	index = index_open(index_id, AccessShareLock);
	form = index->rd_index;
	if (form->indrelid != RelationGetRelid(rel) || !form->indisunique || !form->indimmediate ||
		!heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, NULL) ||
		!heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" does not address the rows of \"%s\"", RelationGetRelationName(index),
						RelationGetRelationName(rel)),
				 errhint("Create it again as a unique index over columns of the table.")));
	entry->key_index = index_id;
	entry->column.key_count = form->indnkeyatts;
	/* An index scan can find the rows if the table is an unpartitioned heap and the index a valid b-tree. */
	entry->direct = rel->rd_rel->relkind == RELKIND_RELATION && rel->rd_tableam == GetHeapamTableAmRoutine() &&
		index->rd_rel->relam == BTREE_AM_OID && form->indisvalid;
	for (int i = 0; i < form->indnkeyatts; i++)
	{
		AttrNumber	attnum = form->indkey.values[i];
		Oid			equals = get_opfamily_member(index->rd_opfamily[i], index->rd_opcintype[i], index->rd_opcintype[i],
												 BTEqualStrategyNumber);

		entry->key_attnums[i] = attnum;
		entry->column.key_types[i] = TupleDescAttr(RelationGetDescr(rel), attnum - 1)->atttypid;
		entry->column_collations[i] = TupleDescAttr(RelationGetDescr(rel), attnum - 1)->attcollation;
		entry->key_collations[i] = index->rd_indcollation[i];
		if (!OidIsValid(equals))
			elog(ERROR, "index %u has no equality operator", index_id);
		entry->key_operators[i] = equals;
		fmgr_info_cxt(get_opcode(equals), &entry->key_equals[i], entry->column.context);
	}
	index_close(index, NoLock);
}

static bool
serves(const PgtRoutine *routine, Oid type)
{
	for (const Oid *t = routine->types; OidIsValid(*t); t++)
		if (*t == type)
			return true;
	return false;
}

/* With Citus, the rows are on other nodes and the local table is empty. */
static void
refuse_distributed(PgtColumn *column)
{
	JsonbValue	value;

	if (getKeyJsonValueFromContainer(&column->options->root, "distributed", strlen("distributed"), &value) != NULL &&
		value.type == jbvBool && value.val.boolean)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s is distributed by Citus, and this function works on tables of its own server",
						pgt_column_text(column)),
				 errhint("Call the library, or the functions of schema pgtoaster.")));
}

static PgtEntry *
make_entry(Oid relid, AttrNumber attnum, const char *name)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster column", ALLOCSET_SMALL_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	PgtEntry   *entry = palloc0(sizeof(PgtEntry));
	Relation	rel = relation_open(relid, AccessShareLock);
	Relation	catalog;
	HeapTuple	tuple;
	Datum		values[16];
	bool		nulls[16];

	check_version();
	catalog = open_store();
	tuple = RelationGetDescr(catalog)->natts <= lengthof(values) ? find_store(catalog, rel, attnum, name) : NULL;
	if (tuple == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("column \"%s\" of \"%s\" is not attached to a toaster", name, RelationGetRelationName(rel)),
				 errhint("SELECT pgtoaster.attach('%s', '%s') attaches it; pgtoaster.attached_column lists the attached columns.",
						 RelationGetRelationName(rel), name)));
	heap_deform_tuple(tuple, RelationGetDescr(catalog), values, nulls);
	if (nulls[STORE_ID - 1] || nulls[STORE_TOASTER - 1] || nulls[STORE_OPTIONS - 1] ||
		!JB_ROOT_IS_OBJECT(DatumGetJsonbP(values[STORE_OPTIONS - 1])))
		catalog_unknown("store");
	namestrcpy(&entry->name, name);
	entry->catalog_tid = tuple->t_self;
	entry->catalog_xmin = HeapTupleHeaderGetRawXmin(tuple->t_data);
	entry->column.relid = relid;
	entry->column.attnum = attnum;
	entry->column.store = DatumGetInt32(values[STORE_ID - 1]);
	entry->column.type = TupleDescAttr(RelationGetDescr(rel), attnum - 1)->atttypid;
	entry->column.context = context;
	entry->column.options = DatumGetJsonbPCopy(values[STORE_OPTIONS - 1]);
	refuse_distributed(&entry->column);
	snprintf(entry->catalog_name, NAMEDATALEN, "%s", TextDatumGetCString(values[STORE_TOASTER - 1]));
	describe_key(entry, rel, nulls[STORE_KEY_INDEX - 1] ? NULL : DatumGetName(values[STORE_KEY_INDEX - 1]));
	entry->head = nulls[STORE_HEAD - 1] ? InvalidOid : DatumGetObjectId(values[STORE_HEAD - 1]);
	entry->column.routine = find_toaster(entry->catalog_name);
	if (!serves(entry->column.routine, entry->column.type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of \"%s\" has type %s, which toaster \"%s\" does not support", name,
						RelationGetRelationName(rel), format_type_be(entry->column.type), entry->catalog_name)));
	table_close(catalog, AccessShareLock);
	relation_close(rel, AccessShareLock);
	if (entry->column.routine->open != NULL)
		entry->column.routine->open(&entry->column);
	MemoryContextSwitchTo(before);
	MemoryContextSetParent(context, TopMemoryContext);
	return entry;
}

PgtColumn *
pgt_column(Oid relid, const char *name)
{
	CacheKey	key;
	CacheSlot  *slot;
	bool		found;
	AttrNumber	attnum = get_attnum(relid, name);

	if (attnum <= 0)
	{
		if (get_rel_name(relid) == NULL)
			ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE), errmsg("there is no table with OID %u", relid)));
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of \"%s\" does not exist", name, get_rel_name(relid))));
	}
	memset(&key, 0, sizeof(key));
	key.relid = relid;
	key.attnum = attnum;
	/* Process pending invalidation messages before looking at the entry. */
	LockRelationOid(relid, AccessShareLock);
	slot = hash_search(cache, &key, HASH_ENTER, &found);
	if (!found)
		slot->entry = NULL;
	if (slot->entry != NULL && (!slot->entry->valid || !catalog_row_stands(slot->entry)))
		drop_entry(slot);
	if (slot->entry == NULL)
	{
		uint64		before = changes;
		PgtEntry   *entry = make_entry(relid, attnum, name);

		/* The entry is not notified of changes during the lookup. */
		entry->valid = before == changes;
		slot = hash_search(cache, &key, HASH_ENTER, &found);
		slot->entry = entry;
	}
	return &slot->entry->column;
}
