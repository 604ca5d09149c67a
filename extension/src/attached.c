/* attached.c: the attached columns of tables that appear in planned statements. */
#include "attached.h"

#include "access/relation.h"
#include "catalog/partition.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* The attached columns of a table that appeared in a planned statement. */
typedef struct Table
{
	Oid			relid;
	bool		valid;
	bool		any;			/* whether any columns are attached, of documents or not */
	int			count;
	PgtAttached *columns;		/* for documents; freed when the table is looked up again */
} Table;

static HTAB *tables = NULL;

static void
forget(Datum arg, Oid relid)
{
	HASH_SEQ_STATUS all;
	Table	   *table;

	if (OidIsValid(relid))
	{
		table = hash_search(tables, &relid, HASH_FIND, NULL);
		if (table != NULL)
			table->valid = false;
		return;
	}
	hash_seq_init(&all, tables);
	while ((table = hash_seq_search(&all)) != NULL)
		table->valid = false;
}

/* Returns the store to which a trigger belongs, or 0 if it belongs to none. */
static int32
store_of(Trigger *trigger)
{
	int32		store;
	int			end = 0;

	return trigger->tgnattr >= 1 && sscanf(trigger->tgname, "pgtoaster_%d_update%n", &store, &end) == 1 &&
		end > 0 && trigger->tgname[end] == '\0' ? store : 0;
}

/*
 * Returns true if the trigger that applies noted edits fires in this session. A change of session_replication_role or
 * of the trigger invalidates plans.
 */
static bool
does_edits(TriggerDesc *triggers, int32 store)
{
	char		name[NAMEDATALEN];

	snprintf(name, sizeof(name), "~pgtoaster_%d_edit", store);
	for (int i = 0; i < triggers->numtriggers; i++)
		if (strcmp(triggers->triggers[i].tgname, name) == 0)
			return triggers->triggers[i].tgenabled == TRIGGER_FIRES_ALWAYS ||
				triggers->triggers[i].tgenabled == (SessionReplicationRole == SESSION_REPLICATION_ROLE_REPLICA
													? TRIGGER_FIRES_ON_REPLICA : TRIGGER_FIRES_ON_ORIGIN);
	return false;
}

bool
pgt_does_edits(Oid relid, int32 store)
{
	Relation	rel = relation_open(relid, NoLock);
	bool		does = rel->trigdesc != NULL && does_edits(rel->trigdesc, store);

	relation_close(rel, NoLock);
	return does;
}

/* Returns true if Citus distributes the rows of a table; such a table has a trigger that Citus created. */
static bool
is_distributed(TriggerDesc *triggers)
{
	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		char	   *function = get_func_name(triggers->triggers[i].tgfoid);

		if (function != NULL && strcmp(function, "citus_truncate_trigger") == 0)
			return true;
	}
	return false;
}

/* Finds the attached columns of a table by its triggers, which follow renames and also exist on partitions. */
static void
look(Table *table)
{
	Relation	rel = relation_open(table->relid, AccessShareLock);
	TriggerDesc *triggers = rel->trigdesc;
	Oid			owner = rel->rd_rel->relispartition ? llast_oid(get_partition_ancestors(table->relid)) : table->relid;

	if (table->columns != NULL)
		pfree(table->columns);
	table->columns = NULL;
	table->count = 0;
	table->any = false;
	if (is_distributed(triggers))
		triggers = NULL;
	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		Trigger    *trigger = &triggers->triggers[i];
		int32		store = store_of(trigger);
		PgtAttached *column;

		table->any |= store != 0;
		if (store == 0 || TupleDescAttr(RelationGetDescr(rel), trigger->tgattr[0] - 1)->atttypid != JSONBOID)
			continue;
		if (table->columns == NULL)
			table->columns = MemoryContextAlloc(TopMemoryContext, sizeof(PgtAttached) * triggers->numtriggers);
		column = &table->columns[table->count++];
		column->attnum = trigger->tgattr[0];
		column->store = store;
		column->owner = owner;
		column->owner_attnum = owner == table->relid ? column->attnum
			: get_attnum(owner, get_attname(table->relid, column->attnum, false));
	}
	relation_close(rel, AccessShareLock);
}

static Table *
table_of(Oid relid)
{
	bool		found;
	Table	   *table = hash_search(tables, &relid, HASH_ENTER, &found);

	if (!found)
	{
		table->valid = false;
		table->columns = NULL;
	}
	if (!table->valid)
	{
		look(table);
		table->valid = true;
	}
	return table;
}

const PgtAttached *
pgt_attached_columns(Oid relid, int *count)
{
	Table	   *table = table_of(relid);

	*count = table->count;
	return table->columns;
}

const PgtAttached *
pgt_attached(Oid relid, AttrNumber attnum)
{
	int			count;
	const PgtAttached *columns = pgt_attached_columns(relid, &count);

	for (int i = 0; i < count; i++)
		if (columns[i].attnum == attnum)
			return &columns[i];
	return NULL;
}

bool
pgt_any_attached(Oid relid)
{
	return table_of(relid)->any;
}

void
pgt_attached_init(void)
{
	HASHCTL		control = {.keysize = sizeof(Oid), .entrysize = sizeof(Table)};

	tables = hash_create("pgtoaster tables", 64, &control, HASH_ELEM | HASH_BLOBS);
	CacheRegisterRelcacheCallback(forget, 0);
}

Oid
pgt_function(const char *schema, const char *name, int count, const Oid *types)
{
	Oid			found = LookupFuncName(list_make2(makeString(pstrdup(schema)), makeString(pstrdup(name))), count, types, true);

	if (!OidIsValid(found))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("pgtoaster.transparent is on, but this version of function %s.%s does not exist", schema, name),
				 errhint("CREATE EXTENSION pgtoaster in this database, install the catalog of its version, or SET pgtoaster.transparent = off.")));
	return found;
}

Oid
pgt_catalog_function(const char *name, Oid result, int count, const Oid *types)
{
	Oid			found = pgt_function("pgtoaster", name, count, types);

	if (get_func_rettype(found) != result || get_func_retset(found))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("function pgtoaster.%s does not return type %s", name, format_type_be(result)),
				 errhint("Install the pgtoaster catalog again.")));
	return found;
}
