/* table.c: opens the tables of a store, and checks them. */
#include "core.h"

#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_trigger.h"
#include "commands/sequence.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "rewrite/rowsecurity.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

/*
 * Returns true if updates of columns other than the key need not fire triggers: all its triggers belong to foreign
 * keys.
 */
static bool
is_plain(Relation rel)
{
	TriggerDesc *triggers = rel->trigdesc;

	if (rel->rd_att->constr != NULL && rel->rd_att->constr->num_check > 0)
		return false;
	if (triggers == NULL)
		return true;
	for (int i = 0; i < triggers->numtriggers; i++)
		if (RI_FKey_trigger_type(triggers->triggers[i].tgfoid) == RI_TRIGGER_NONE &&
			TRIGGER_FOR_UPDATE(triggers->triggers[i].tgtype))
			return false;
	return true;
}

/* Returns true if a table has only policies of pgtoaster, which repeat the policies of the owner's row. */
static bool
follows_owner(Relation rel)
{
	ListCell   *cell;

	if (rel->rd_rsdesc == NULL || rel->rd_rsdesc->policies == NIL)
		return false;
	foreach(cell, rel->rd_rsdesc->policies)
		if (strncmp(((RowSecurityPolicy *) lfirst(cell))->policy_name, "pgtoaster_", 10) != 0)
			return false;
	return true;
}

/* Returns the entry of a table of the store, by its part; adds it at first use. */
static PgtTableName *
table_name(PgtEntry *entry, const char *part)
{
	PgtTableName *known = entry->tables;

	while (known < entry->tables + PGT_TABLES && known->part != NULL && strcmp(known->part, part) != 0)
		known++;
	if (known == entry->tables + PGT_TABLES)
		elog(ERROR, "a store has no more than %d tables", PGT_TABLES);
	if (known->part == NULL)
	{
		known->part = MemoryContextStrdup(entry->column.context, part);
		snprintf(known->name, sizeof(known->name), "store_%d_%s", entry->column.store, part);
		known->relid = InvalidOid;
	}
	return known;
}

/* Checks the shape of an open table, and remembers the result until a change. */
static void
check_shape(PgtTable *table, PgtColumn *column, PgtTableName *known, PgtShaper shaper)
{
	PgtShape	shape = {0};
	uint64		before = pgt_changes();
	const char *fault;

	shaper(column, known->part, table->rel, &shape);
	fault = pgt_shape_fault(table->rel, &shape, &table->index);
	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table %s, part of the store of %s, differs from the table that attach created",
						quote_qualified_identifier(get_namespace_name(RelationGetNamespace(table->rel)), RelationGetRelationName(table->rel)),
						pgt_column_text(column)),
				 errdetail("%s", fault),
				 errhint("Undo the change of the table, or use pgtoaster without the extension.")));
	known->lead = shape.lead;
	/* Remember it only if no change was reported meanwhile. A replaced entry no longer gets reports. */
	if (before == pgt_changes() && ((PgtEntry *) column)->valid)
		known->key = table->index;
}

bool
pgt_may(Oid relid, AclMode right)
{
	return pg_class_aclcheck(relid, GetUserId(), right) == ACLCHECK_OK ||
		((right == ACL_INSERT || right == ACL_UPDATE) &&
		 pg_attribute_aclcheck_all(relid, GetUserId(), right, ACLMASK_ANY) == ACLCHECK_OK);
}

void
pgt_table_open(PgtTable *table, PgtColumn *column, const char *part, AclMode mode, PgtShaper shaper)
{
	PgtEntry   *entry = (PgtEntry *) column;
	LOCKMODE	lock = mode == ACL_NO_RIGHTS || mode == ACL_SELECT ? AccessShareLock : RowExclusiveLock;
	PgtTableName *known = table_name(entry, part);
	Oid			relid = known->relid;
	const char *name = known->name;
	AclResult	allowed;

	table->rel = OidIsValid(relid) ? try_table_open(relid, lock) : NULL;
	/* The OID is valid only while the table still has the name and the schema. */
	if (table->rel != NULL && (strcmp(RelationGetRelationName(table->rel), name) != 0 ||
							   RelationGetNamespace(table->rel) != known->schema))
	{
		table_close(table->rel, lock);
		table->rel = NULL;
	}
	if (table->rel == NULL)
	{
		known->schema = OidIsValid(entry->head) ? get_rel_namespace(entry->head) : InvalidOid;
		known->key = InvalidOid;
		known->relid = relid = OidIsValid(known->schema) ? get_relname_relid(name, known->schema) : InvalidOid;
		if (!OidIsValid(relid))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_TABLE),
					 errmsg("table %s, part of the store of %s, does not exist", name, pgt_column_text(column))));
		table->rel = table_open(relid, lock);
	}
	allowed = ACLCHECK_OK;
	for (AclMode right = 1; right <= mode; right <<= 1)
		if ((mode & right) != 0 && !pgt_may(relid, right))
			allowed = ACLCHECK_NO_PRIV;
	if (allowed != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for table %s", name),
				 errhint("If the role has the privilege on the table, its owner runs SELECT pgtoaster.mirror_privileges(%s).",
						 quote_literal_cstr(pgt_owner_table(column)))));
	if (table->rel->rd_rel->relrowsecurity && !follows_owner(table->rel) &&
		check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("policies of table %s that do not belong to pgtoaster cannot be applied by functions of the extension", name),
				 errhint("Create policies on the owner table, or disable the extension for this application.")));
	table->index = known->key;
	if (!OidIsValid(table->index))
		check_shape(table, column, known, shaper);
	table->lead = known->lead;
	table->leading = entry->leading_attnum > 0 ? 1 : 0;
	table->context = CurrentMemoryContext;
	table->estate = NULL;
	table->result = NULL;
	table->plain = is_plain(table->rel);
}

void
pgt_table_close(PgtTable *table)
{
	if (table->result != NULL)
	{
		ExecCloseIndices(table->result);
		/* Relations that row triggers opened. */
		ExecCloseResultRelations(table->estate);
		ExecResetTupleTable(table->estate->es_tupleTable, false);
		FreeExecutorState(table->estate);
	}
	table_close(table->rel, NoLock);
}

int64
pgt_next_id(PgtTable *table, AttrNumber attno)
{
	Oid			sequence = getIdentitySequence(pgt_identity_of(table->rel), attno + table->leading, true);

	if (!OidIsValid(sequence))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the first column of table %s is no longer an identity column, and new content needs a number",
						RelationGetRelationName(table->rel)),
				 errhint("Undo the change of the table, or use pgtoaster without the extension.")));
	return nextval_internal(sequence, false);
}
