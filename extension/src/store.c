/*
 * store.c: rows of a store, through the table, index and visibility interfaces of the server.
 *
 * Updates are optimistic: they replace the version that the snapshot shows. If another transaction was faster, the
 * caller looks again. Inserts and deletes, and updates of tables with user triggers, use the same functions as the
 * apply worker of logical replication (execReplication.c).
 */
#include "core.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

void
pgt_key_equals(PgtTable *table, ScanKey scankey, AttrNumber attno, Oid type, Datum value)
{
	RegProcedure equals = type == INT8OID ? F_INT8EQ : type == INT4OID ? F_INT4EQ : type == UUIDOID ? F_UUID_EQ : InvalidOid;

	if (!OidIsValid(equals))
		elog(ERROR, "no equality for type %u", type);
	ScanKeyInit(scankey, attno + table->leading, BTEqualStrategyNumber, equals, value);
}

int
pgt_leading_equals(PgtTable *table, PgtColumn *column, ScanKey scankey, Datum leading_key)
{
	Relation	index;

	if (table->leading == 0)
		return 0;
	index = index_open(table->index, AccessShareLock);
	ScanKeyEntryInitialize(scankey, 0, 1, BTEqualStrategyNumber, InvalidOid, index->rd_indcollation[0],
						   get_opcode(get_opfamily_member(index->rd_opfamily[0], index->rd_opcintype[0],
														  index->rd_opcintype[0], BTEqualStrategyNumber)),
						   leading_key);
	index_close(index, AccessShareLock);
	return 1;
}

SysScanDesc
pgt_scan(PgtTable *table, Snapshot snapshot, int count, ScanKey keys)
{
	return systable_beginscan(table->rel, table->index, true, snapshot, count, keys);
}

SysScanDesc
pgt_scan_ordered(PgtTable *table, Relation *index, Snapshot snapshot, int count, ScanKey keys)
{
	*index = index_open(table->index, AccessShareLock);
	return systable_beginscan_ordered(table->rel, *index, snapshot, count, keys);
}

static void
prepare_executor(PgtTable *table)
{
	RangeTblEntry *entry;
	MemoryContext before;

	if (table->result != NULL)
		return;
	before = MemoryContextSwitchTo(table->context);
	table->estate = CreateExecutorState();
	entry = makeNode(RangeTblEntry);
	entry->rtekind = RTE_RELATION;
	entry->relid = RelationGetRelid(table->rel);
	entry->relkind = table->rel->rd_rel->relkind;
	entry->rellockmode = RowExclusiveLock;
	pgt_init_range_table(table->estate, entry);
	table->result = makeNode(ResultRelInfo);
	InitResultRelInfo(table->result, table->rel, 1, NULL, 0);
	ExecOpenIndices(table->result, false);
	table->estate->es_output_cid = GetCurrentCommandId(true);
	MemoryContextSwitchTo(before);
}

static void
serialization_failure(bool deleted)
{
	ereport(ERROR,
			(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
			 deleted ? errmsg("could not serialize access due to concurrent delete")
			 : errmsg("could not serialize access due to concurrent update")));
}

/* Locks a row, then updates it with triggers and constraints; this is slower. */
static bool
update_with_triggers(PgtTable *table, HeapTuple old, HeapTuple new)
{
	TupleTableSlot *before;
	TupleTableSlot *after;
	EPQState	epq;
	HeapTuple	locked = pgt_lock(table, old, LockTupleNoKeyExclusive);

	if (locked == NULL || !ItemPointerEquals(&locked->t_self, &old->t_self))
		return false;
	prepare_executor(table);
	before = table_slot_create(table->rel, NULL);
	after = table_slot_create(table->rel, NULL);
	ExecForceStoreHeapTuple(locked, before, false);
	before->tts_tid = locked->t_self;
	ExecForceStoreHeapTuple(new, after, false);
	pgt_eval_plan_init(&epq, table->estate);
	PushActiveSnapshot(GetTransactionSnapshot());
	AfterTriggerBeginQuery();
	ExecSimpleRelationUpdate(table->result, table->estate, &epq, before, after);
	AfterTriggerEndQuery(table->estate);
	PopActiveSnapshot();
	EvalPlanQualEnd(&epq);
	ExecDropSingleTupleTableSlot(before);
	ExecDropSingleTupleTableSlot(after);
	CommandCounterIncrement();
	return true;
}

bool
pgt_update(PgtTable *table, HeapTuple old, HeapTuple new)
{
	TM_FailureData failure;
	LockTupleMode mode;
	PgtIndexUpdate indexes;
	TM_Result	result;

	if (!table->plain)
		return update_with_triggers(table, old, new);
	CheckCmdReplicaIdentity(table->rel, CMD_UPDATE);
	new->t_tableOid = RelationGetRelid(table->rel);
	result = pgt_heap_update(table->rel, &old->t_self, new, GetCurrentCommandId(true), &failure, &mode, &indexes);
	if (result == TM_Ok && pgt_indexes_want(indexes, new))
	{
		TupleTableSlot *slot;

		prepare_executor(table);
		slot = table_slot_create(table->rel, NULL);
		ExecForceStoreHeapTuple(new, slot, false);
		slot->tts_tid = new->t_self;
		slot->tts_tableOid = RelationGetRelid(table->rel);
		pgt_exec_insert_index_entries(table->result, slot, table->estate, true, pgt_update_only_summarizing(indexes));
		ExecDropSingleTupleTableSlot(slot);
	}
	switch (result)
	{
		case TM_Ok:
			CommandCounterIncrement();
			return true;
		case TM_Updated:
		case TM_Deleted:
			if (IsolationUsesXactSnapshot())
				serialization_failure(result == TM_Deleted);
			return false;
		case TM_SelfModified:
			return false;
		default:
			elog(ERROR, "unexpected result %d of an update", (int) result);
	}
	return false;
}

HeapTuple
pgt_lock(PgtTable *table, HeapTuple seen, LockTupleMode mode)
{
	TupleTableSlot *slot = table_slot_create(table->rel, NULL);
	TM_FailureData failure;
	HeapTuple	locked = NULL;
	/* table_tuple_lock sets it to the newest version, which the caller compares with the version it saw. */
	ItemPointerData tid = seen->t_self;
	TM_Result	result = table_tuple_lock(table->rel, &tid, GetActiveSnapshot(), slot, GetCurrentCommandId(false),
										  mode, LockWaitBlock,
										  IsolationUsesXactSnapshot() ? 0 : TUPLE_LOCK_FLAG_FIND_LAST_VERSION, &failure);

	switch (result)
	{
		case TM_Ok:
			locked = ExecCopySlotHeapTuple(slot);
			break;
		case TM_Updated:
		case TM_Deleted:
			if (IsolationUsesXactSnapshot())
				serialization_failure(result == TM_Deleted);
			break;
		case TM_SelfModified:
			break;
		default:
			elog(ERROR, "unexpected result %d of a row lock", (int) result);
	}
	ExecDropSingleTupleTableSlot(slot);
	return locked;
}

void
pgt_insert(PgtTable *table, Datum *values, bool *nulls)
{
	TupleTableSlot *slot;

	prepare_executor(table);
	slot = table_slot_create(table->rel, NULL);
	for (int i = 0; i < RelationGetDescr(table->rel)->natts; i++)
	{
		slot->tts_values[i] = values[i];
		slot->tts_isnull[i] = nulls[i];
	}
	ExecStoreVirtualTuple(slot);
	AfterTriggerBeginQuery();
	ExecSimpleRelationInsert(table->result, table->estate, slot);
	AfterTriggerEndQuery(table->estate);
	ExecDropSingleTupleTableSlot(slot);
	CommandCounterIncrement();
}

/* Returns true if rows can be inserted directly: the table has no triggers or checks. */
static bool
is_plain_for_insert(Relation rel)
{
	TriggerDesc *triggers = rel->trigdesc;
	TupleConstr *constraints = rel->rd_att->constr;

	if (constraints != NULL && constraints->num_check > 0)
		return false;
	return triggers == NULL || !(triggers->trig_insert_before_row || triggers->trig_insert_after_row ||
								 triggers->trig_insert_before_statement || triggers->trig_insert_after_statement ||
								 triggers->trig_insert_instead_row);
}

void
pgt_insert_many(PgtTable *table, HeapTuple *rows, int count)
{
	TupleDesc	desc = RelationGetDescr(table->rel);
	TupleTableSlot **slots;
	Size		bytes = 0;

	if (!is_plain_for_insert(table->rel))
	{
		Datum	   *values = palloc(desc->natts * sizeof(Datum));
		bool	   *nulls = palloc(desc->natts * sizeof(bool));

		for (int i = 0; i < count; i++)
		{
			heap_deform_tuple(rows[i], desc, values, nulls);
			pgt_insert(table, values, nulls);
		}
		pfree(values);
		pfree(nulls);
		return;
	}
	prepare_executor(table);
	slots = palloc(count * sizeof(TupleTableSlot *));
	for (int i = 0; i < count; i++)
	{
		slots[i] = MakeSingleTupleTableSlot(desc, &TTSOpsHeapTuple);
		bytes += rows[i]->t_len;
		ExecStoreHeapTuple(rows[i], slots[i], true);
	}
	/* If rows do not share a page, they are logged one by one anyway, and single inserts log fewer bytes. */
	if (bytes / count > BLCKSZ / 2)
		for (int i = 0; i < count; i++)
			table_tuple_insert(table->rel, slots[i], GetCurrentCommandId(true), 0, NULL);
	else
		table_multi_insert(table->rel, slots, count, GetCurrentCommandId(true), 0, NULL);
	for (int i = 0; i < count; i++)
	{
		pgt_exec_insert_index_entries(table->result, slots[i], table->estate, false, false);
		ResetPerTupleExprContext(table->estate);
		ExecDropSingleTupleTableSlot(slots[i]);
	}
	pfree(slots);
	CommandCounterIncrement();
}

/* Deletes a row with triggers; this is slower. */
static void
delete_with_triggers(PgtTable *table, HeapTuple old)
{
	TupleTableSlot *slot;
	EPQState	epq;

	prepare_executor(table);
	slot = table_slot_create(table->rel, NULL);
	ExecForceStoreHeapTuple(old, slot, false);
	slot->tts_tid = old->t_self;
	pgt_eval_plan_init(&epq, table->estate);
	AfterTriggerBeginQuery();
	ExecSimpleRelationDelete(table->result, table->estate, &epq, slot);
	AfterTriggerEndQuery(table->estate);
	EvalPlanQualEnd(&epq);
	ExecDropSingleTupleTableSlot(slot);
}

static bool
is_plain_for_delete(Relation rel)
{
	TriggerDesc *triggers = rel->trigdesc;

	return triggers == NULL || !(triggers->trig_delete_before_row || triggers->trig_delete_after_row ||
								 triggers->trig_delete_before_statement || triggers->trig_delete_after_statement ||
								 triggers->trig_delete_instead_row);
}

void
pgt_delete(PgtTable *table, HeapTuple old)
{
	if (is_plain_for_delete(table->rel))
	{
		TM_FailureData failure;
		TM_Result	result;

		CheckCmdReplicaIdentity(table->rel, CMD_DELETE);
		result = pgt_tuple_delete(table->rel, &old->t_self, GetCurrentCommandId(true), GetActiveSnapshot(), &failure);
		if (result == TM_Updated || result == TM_Deleted)
			serialization_failure(result == TM_Deleted);
		if (result != TM_Ok)
			elog(ERROR, "unexpected result %d of a delete", (int) result);
	}
	else
		delete_with_triggers(table, old);
	CommandCounterIncrement();
}

void
pgt_push_snapshot(void)
{
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
}

void
pgt_pop_snapshot(void)
{
	PopActiveSnapshot();
}
