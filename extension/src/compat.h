/* compat.h: all code that depends on the version of PostgreSQL, 15 to 19. */
#ifndef PGT_COMPAT_H
#define PGT_COMPAT_H

#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "nodes/pg_list.h"
#include "nodes/tidbitmap.h"
#include "parser/parse_relation.h"
#include "storage/bufmgr.h"
#include "utils/acl.h"
#include "utils/jsonb.h"

#if PG_VERSION_NUM < 150000
#error "pgtoaster needs PostgreSQL 15 or newer"
#endif

#if PG_VERSION_NUM < 160000
/* Export only what the server calls, as PostgreSQL 16 and later do. The Makefile hides all other symbols. */
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(funcname) \
	extern PGDLLEXPORT Datum funcname(PG_FUNCTION_ARGS); \
	extern PGDLLEXPORT const Pg_finfo_record *CppConcat(pg_finfo_, funcname) (void); \
	const Pg_finfo_record *CppConcat(pg_finfo_, funcname) (void) { static const Pg_finfo_record info = {1}; return &info; } \
	extern int	no_such_variable
#endif

#if PG_VERSION_NUM >= 160000
typedef TU_UpdateIndexes PgtIndexUpdate;
#define pgt_update_wants_indexes(u) ((u) != TU_None)
#define pgt_update_only_summarizing(u) ((u) == TU_Summarizing)
#else
typedef bool PgtIndexUpdate;
#define pgt_update_wants_indexes(u) (u)
#define pgt_update_only_summarizing(u) false
#endif

#if PG_VERSION_NUM >= 190000
#define pgt_exec_insert_index_entries(rri, slot, estate, update, summarizing) \
	ExecInsertIndexTuples(rri, estate, ((update) ? EIIT_IS_UPDATE : 0) | ((summarizing) ? EIIT_ONLY_SUMMARIZING : 0), \
						  slot, NIL, NULL)
#elif PG_VERSION_NUM >= 160000
#define pgt_exec_insert_index_entries(rri, slot, estate, update, summarizing) \
	ExecInsertIndexTuples(rri, slot, estate, update, false, NULL, NIL, summarizing)
#else
#define pgt_exec_insert_index_entries(rri, slot, estate, update, summarizing) \
	ExecInsertIndexTuples(rri, slot, estate, update, false, NULL, NIL)
#endif

/* Calls heap_update, and determines which indexes need an entry for the new version. */
#if PG_VERSION_NUM >= 190000
#define pgt_heap_update(rel, tid, new, cid, failure, mode, indexes) \
	heap_update(rel, tid, new, cid, 0, InvalidSnapshot, true, failure, mode, indexes)
#define pgt_indexes_want(indexes, new) pgt_update_wants_indexes(indexes)
#elif PG_VERSION_NUM >= 160000
#define pgt_heap_update(rel, tid, new, cid, failure, mode, indexes) \
	heap_update(rel, tid, new, cid, InvalidSnapshot, true, failure, mode, indexes)
#define pgt_indexes_want(indexes, new) pgt_update_wants_indexes(indexes)
#else
#define pgt_heap_update(rel, tid, new, cid, failure, mode, indexes) \
	(*(indexes) = true, heap_update(rel, tid, new, cid, InvalidSnapshot, true, failure, mode))
#define pgt_indexes_want(indexes, new) ((indexes) && !HeapTupleIsHeapOnly(new))
#endif

#if PG_VERSION_NUM >= 190000
#define pgt_tuple_delete(rel, tid, cid, snapshot, failure) \
	table_tuple_delete(rel, tid, cid, 0, snapshot, InvalidSnapshot, true, failure)
#else
#define pgt_tuple_delete(rel, tid, cid, snapshot, failure) \
	table_tuple_delete(rel, tid, cid, snapshot, InvalidSnapshot, true, failure, false)
#endif

/*
 * Creates executor state for a single relation. Since PostgreSQL 16, updating an index looks up the permissions of
 * the columns.
 */
static inline void
pgt_init_range_table(EState *estate, RangeTblEntry *entry)
{
#if PG_VERSION_NUM >= 160000
	List	   *permissions = NIL;

	addRTEPermissionInfo(&permissions, entry);
#endif
#if PG_VERSION_NUM >= 180000
	ExecInitRangeTable(estate, list_make1(entry), permissions, bms_make_singleton(1));
#elif PG_VERSION_NUM >= 160000
	ExecInitRangeTable(estate, list_make1(entry), permissions);
#else
	ExecInitRangeTable(estate, list_make1(entry));
#endif
}

#if PG_VERSION_NUM >= 160000
#define pgt_eval_plan_init(epq, estate) EvalPlanQualInit(epq, estate, NULL, NIL, -1, NIL)
#else
#define pgt_eval_plan_init(epq, estate) EvalPlanQualInit(epq, estate, NULL, NIL, -1)
#endif

#if PG_VERSION_NUM >= 160000
#define pgt_owns_table(relid) object_ownercheck(RelationRelationId, relid, GetUserId())
#else
#define pgt_owns_table(relid) pg_class_ownercheck(relid, GetUserId())
#endif

/* ReadRecentBuffer: the file locator of a relation has different names. */
#if PG_VERSION_NUM >= 160000
#define pgt_read_recent_buffer(rel, block, buffer) ReadRecentBuffer((rel)->rd_locator, MAIN_FORKNUM, block, buffer)
#else
#define pgt_read_recent_buffer(rel, block, buffer) ReadRecentBuffer((rel)->rd_node, MAIN_FORKNUM, block, buffer)
#endif

/* Starts an index scan; index_rescan sets its keys. */
#if PG_VERSION_NUM >= 190000
#define pgt_index_beginscan(rel, index, snapshot, count) index_beginscan(rel, index, snapshot, NULL, count, 0, 0)
#elif PG_VERSION_NUM >= 180000
#define pgt_index_beginscan(rel, index, snapshot, count) index_beginscan(rel, index, snapshot, NULL, count, 0)
#else
#define pgt_index_beginscan(rel, index, snapshot, count) index_beginscan(rel, index, snapshot, count, 0)
#endif

/* Starts a scan of all rows. */
#if PG_VERSION_NUM >= 190000
#define pgt_beginscan(rel, snapshot) table_beginscan(rel, snapshot, 0, NULL, 0)
#else
#define pgt_beginscan(rel, snapshot) table_beginscan(rel, snapshot, 0, NULL)
#endif

/* Starts an index scan that collects places. */
#if PG_VERSION_NUM >= 180000
#define pgt_index_beginscan_bitmap(index, snapshot, count) index_beginscan_bitmap(index, snapshot, NULL, count)
#else
#define pgt_index_beginscan_bitmap(index, snapshot, count) index_beginscan_bitmap(index, snapshot, count)
#endif

/* The pages of collected places. */
#if PG_VERSION_NUM >= 180000
typedef TBMPrivateIterator *PgtPages;
#define pgt_pages_begin(places) tbm_begin_private_iterate(places)
#define pgt_pages_end(pages) tbm_end_private_iterate(pages)
#else
typedef TBMIterator *PgtPages;
#define pgt_pages_begin(places) tbm_begin_iterate(places)
#define pgt_pages_end(pages) tbm_end_iterate(pages)
#endif

/* Sets the next page and its lines; count is negative if all its lines may be meant. Returns false after the last page. */
static inline bool
pgt_pages_next(PgtPages pages, BlockNumber *block, OffsetNumber *lines, int *count)
{
#if PG_VERSION_NUM >= 180000
	TBMIterateResult page;

	if (!tbm_private_iterate(pages, &page))
		return false;
	*block = page.blockno;
	*count = page.lossy ? -1 : tbm_extract_page_tuple(&page, lines, MaxHeapTuplesPerPage);
#else
	TBMIterateResult *page = tbm_iterate(pages);

	if (page == NULL)
		return false;
	*block = page->blockno;
	*count = page->ntuples;
	if (page->ntuples > 0)
		memcpy(lines, page->offsets, page->ntuples * sizeof(OffsetNumber));
#endif
	return true;
}

#if PG_VERSION_NUM >= 180000
#define pgt_has_generated(constraints) ((constraints)->has_generated_stored || (constraints)->has_generated_virtual)
#else
#define pgt_has_generated(constraints) ((constraints)->has_generated_stored)
#endif

/* The argument of getIdentitySequence. */
#if PG_VERSION_NUM >= 170000
#define pgt_identity_of(rel) (rel)
#else
#define pgt_identity_of(rel) RelationGetRelid(rel)
#endif

/* Returns true if a Var in a RETURNING list refers to the old row: OLD.column. */
#if PG_VERSION_NUM >= 180000
#define pgt_is_old(var) ((var)->varreturningtype == VAR_RETURNING_OLD)
#else
#define pgt_is_old(var) false
#endif

#if PG_VERSION_NUM < 180000
#define pg_noreturn __attribute__((noreturn))
#endif

/* In PostgreSQL 18 and later, RelationGetPrimaryKeyIndex needs to know whether a deferrable key is acceptable. */
#if PG_VERSION_NUM >= 180000
#define pgt_primary_key(rel) RelationGetPrimaryKeyIndex(rel, false)
#else
#define pgt_primary_key(rel) RelationGetPrimaryKeyIndex(rel)
#endif

/* Prunes a page that a reader found full. For this, PostgreSQL 19 pins the page of the visibility map. */
static inline void
pgt_prune(Relation rel, Buffer buffer)
{
#if PG_VERSION_NUM >= 190000
	Buffer		map = InvalidBuffer;

	heap_page_prune_opt(rel, buffer, &map, false);
	if (BufferIsValid(map))
		ReleaseBuffer(map);
#else
	heap_page_prune_opt(rel, buffer);
#endif
}

/* State for building a jsonb token by token. */
#if PG_VERSION_NUM >= 190000
typedef JsonbInState PgtJsonbState;
#else
typedef JsonbParseState *PgtJsonbState;
#endif

/* Adds a token; returns the finished value with the last one. */
static inline JsonbValue *
pgt_push_jsonb(PgtJsonbState *state, JsonbIteratorToken token, JsonbValue *value)
{
#if PG_VERSION_NUM >= 190000
	pushJsonbValue(state, token, value);
	return state->result;
#else
	return pushJsonbValue(state, token, value);
#endif
}

/* Additional parameters of the planner hook. */
#if PG_VERSION_NUM >= 190000
#define PGT_PLAN_PARAMETER , ExplainState *explain
#define PGT_PLAN_ARGUMENT , explain
#define pgt_inline_function(root, entry) inline_function_in_from(root, entry)
#else
#define PGT_PLAN_PARAMETER
#define PGT_PLAN_ARGUMENT
#define pgt_inline_function(root, entry) inline_set_returning_function(root, entry)
#endif

#endif
