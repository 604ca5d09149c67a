/* core.h: declarations shared by all files of this module: columns, owner rows, rows of stores, errors. */
#ifndef PGT_CORE_H
#define PGT_CORE_H

#include "pgtoaster.h"
#include "compat.h"
#include "shape.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "access/skey.h"
#include "executor/tuptable.h"
#include "executor/spi.h"
#include "nodes/lockoptions.h"
#include "nodes/parsenodes.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

/* The catalog version that this module reads. */
#define PGT_CATALOG_VERSION 14

/* Single rows: row.c */

/* Where a row was found; all zero if unknown. */
typedef struct PgtPlace
{
	ItemPointerData root;		/* start of its HOT chain */
	int			buffer;			/* buffer that held the page */
} PgtPlace;

/*
 * The number of remembered places. A hash of the key selects the place, so keys with equal hashes overwrite each
 * other's.
 */
#define PGT_PLACES 256

/*
 * Returns a copy of the row with a unique key, or NULL if the snapshot shows no such row. Tries the remembered place
 * first, then the index, and remembers the place of the row. The conditions cover all key columns, by their numbers
 * in the table. Allocates in the current memory context.
 */
extern HeapTuple pgt_row(Relation rel, Oid index, Snapshot snapshot, int count, ScanKey keys, PgtPlace *place);
/* Does the same, but only at the remembered place; also returns NULL if the row has moved. */
extern HeapTuple pgt_row_at(Relation rel, Snapshot snapshot, int count, ScanKey keys, PgtPlace *place);
/*
 * Fetches the next row of an index scan into a buffer slot and returns its place. Returns false after the last row.
 */
extern bool pgt_row_of_scan(IndexScanDesc scan, TupleTableSlot *slot, PgtPlace *place);

/* Columns: column.c; keys of their rows: key.c */

/* A table of a store that was opened before. */
typedef struct PgtTableName
{
	const char *part;			/* NULL if unused */
	char		name[NAMEDATALEN];
	Oid			schema;
	Oid			relid;
	Oid			key;			/* its primary key; InvalidOid if its shape must be checked, at first use or after
								 * a change */
	int			lead;			/* as in PgtShape */
} PgtTableName;

#define PGT_TABLES 8

typedef struct PgtEntry
{
	PgtColumn	column;			/* must come first: callers get a pointer to it */
	bool		valid;			/* false after a change of the owner table, whose rows may then have other
								 * columns */
	NameData	name;
	char		catalog_name[NAMEDATALEN];	/* of the toaster */
	/* How its rows are found. */
	Oid			key_index;
	AttrNumber	key_attnums[PGT_MAX_KEYS];	/* in the table */
	Oid			key_collations[PGT_MAX_KEYS];	/* of the index */
	Oid			column_collations[PGT_MAX_KEYS];	/* of the columns, which the store repeats */
	Oid			key_operators[PGT_MAX_KEYS];	/* equality operators of the index */
	FmgrInfo	key_equals[PGT_MAX_KEYS];
	bool		direct;			/* whether an index scan can find rows, provided that the caller has the rights */
	int			plain_update;	/* whether the column can be updated without the executor: 1 yes, -1 no, 0 not
								 * known yet */
	AttrNumber	leading_attnum; /* number of the leading key's column in the owner table (blobs), or 0 */
	Oid			leading_type;
	/* The row of pgtoaster.store that this entry comes from. */
	ItemPointerData catalog_tid;
	TransactionId catalog_xmin;
	/* Plans over the owner table, prepared when first needed. */
	SPIPlanPtr	select_plan;
	SPIPlanPtr	lock_plan;
	SPIPlanPtr	permit_plan;
	SPIPlanPtr	update_plan;
	SPIPlanPtr	replace_plan;
	PgtPlace	places[PGT_PLACES];	/* of rows */
	Oid			head;			/* the first table of the store; the other tables are in the same schema */
	PgtTableName tables[PGT_TABLES];
} PgtEntry;

/* Returns the routine of a toaster; raises an error for unknown names. */
typedef const PgtRoutine *(*PgtToasterFinder) (const char *name);

/* Registers the invalidation callbacks and creates the session's cache of columns. */
extern void pgt_column_init(PgtToasterFinder finder);
/* Returns a number that increases when a definition changes. If it has increased, earlier lookups may be outdated. */
extern uint64 pgt_changes(void);
/*
 * Opens a table of the catalog with AccessShareLock. The catalog's owner may not be a superuser, so this function
 * checks that the table begins with columns of these types, and raises an error otherwise. Values may be NULL.
 */
extern Relation pgt_catalog_open(const char *name, const Oid *types, int count);
/*
 * Returns an attached column; raises an error if the column is not attached. Locks the owner table (AccessShareLock)
 * until the end of the transaction. The result is valid until then.
 */
extern PgtColumn *pgt_column(Oid relid, const char *name);
/*
 * Reads the key from argument n of a function and converts it to the types of the key columns. Raises an error if
 * that is not possible.
 */
extern void pgt_key(PgtColumn *column, FunctionCallInfo fcinfo, int n, PgtKey *key);
/* Appends a column of the key of table alias o, from 0, and its equality operator. */
extern void pgt_key_equals_sql(StringInfo sql, PgtColumn *column, int part);
/* Appends " WHERE ..": a condition on the key of table alias o, with the parameters $first, $first + 1, .. */
extern void pgt_key_condition(StringInfo sql, PgtColumn *column, int first);

/* Options: option.c */

/* Returns an integer option of a column. */
extern int32 pgt_option_int(PgtColumn *column, const char *name);
/* Returns a boolean option of a column. */
extern bool pgt_option_bool(PgtColumn *column, const char *name);
/* Returns the text of an option, palloc'd; NULL if the option is not set. */
extern char *pgt_option_text(PgtColumn *column, const char *name);

/* Rows of owner tables: owner.c */

typedef struct PgtOwnerRow
{
	Datum		value;			/* value of the column; a copy, detoasted if varlena */
	bool		isnull;
	Datum		leading_key;	/* 0 if the column has no leading key */
	int32		row_bytes;		/* pg_column_size of the row; set only by pgt_owner_lock */
	int32		other_bytes;	/* the same without the column; set only by pgt_owner_lock */
} PgtOwnerRow;

/*
 * Reads the row in the active snapshot, without a lock. Returns false if there is no such row or the caller may not
 * see it. Raises an error if the caller may not select the column.
 */
extern bool pgt_owner_read(PgtColumn *column, PgtKey *key, PgtOwnerRow *row);
/*
 * Returns true if the policies for UPDATE let the caller change a row that it has read. Raises an error if the caller
 * may not update the column. Call it before changing content without updating or locking the owner's row.
 */
extern bool pgt_owner_permits(PgtColumn *column, PgtKey *key);
/* Returns the reason why a row could not be locked: PGT_NO_ROW or PGT_DENIED. */
extern PgtOutcome pgt_owner_unlocked(PgtColumn *column, PgtKey *key);
/* Locks the row FOR NO KEY UPDATE and reads its newest version. Returns false if no row was locked. */
extern bool pgt_owner_lock(PgtColumn *column, PgtKey *key, PgtOwnerRow *row);
/*
 * Executes UPDATE .. Runs UPDATE .. SET column = value as the caller, with triggers, policies and indexes. Returns
 * false if no row was updated.
 */
extern bool pgt_owner_update(PgtColumn *column, PgtKey *key, Datum value, bool isnull);

/*
 * Does the same in one statement, but only if the column still has the old value, compared byte by byte, and the row
 * would not exceed limit bytes after growing by growth bytes. A growth of 0 or less always passes. Does not support
 * NULL.
 */
extern bool pgt_owner_replace(PgtColumn *column, PgtKey *key, Datum old, Datum value, int64 growth, int32 limit);

/* Prefix of the library's own statements, which use stored documents. transparent.c does not rewrite them. */
#define PGT_OWN_STATEMENT "/* pgtoaster */"

/* Tables of stores: table.c */

/*
 * One open table of a store, with the lock that the access mode needs. pgt_table_close closes it; after an error the
 * end of the transaction does. The lock is always held until the end of the transaction.
 *
 * Opening checks the caller's privileges. All content is found through the owner's row, and the store's row security
 * only repeats that of the row. Other policies cannot be applied here, so they cause an error.
 */
typedef struct PgtTable
{
	Relation	rel;
	Oid			index;			/* its primary key */
	int			lead;			/* as in PgtShape */
	int			leading;		/* 1 if the first column is the leading key, else 0; add it to attribute numbers */
	/*
	 * For inserts, and for updates that change indexes. Created when needed, in the memory context that opened the
	 * table.
	 */
	MemoryContext context;
	struct EState *estate;
	struct ResultRelInfo *result;
	bool		plain;			/* whether updates of columns other than the key need not fire the triggers */
} PgtTable;

/*
 * Returns true if the caller has a privilege on a table of a store. INSERT and UPDATE on a head are granted only for
 * the columns that writers set. This module sets only these, the id, which comes from a sequence, and the creator.
 */
extern bool pgt_may(Oid relid, AclMode right);
/*
 * Opens a table of a store: "head", "chunk", .. The mode is as defined in acl.h: ACL_SELECT, ACL_INSERT | ACL_UPDATE,
 * ..; ACL_NO_RIGHTS checks no privilege. Locks with AccessShareLock for reading, RowExclusiveLock for writing. Compares
 * the table with the shape that the shaper describes, unless it was checked before. Raises an error if the table is
 * missing, has another shape, or the caller lacks a privilege.
 */
extern void pgt_table_open(PgtTable *table, PgtColumn *column, const char *part, AclMode mode, PgtShaper shaper);
/* Closes the table and its executor state. The lock is held until the end of the transaction. */
extern void pgt_table_close(PgtTable *table);
/*
 * Returns the next value of the identity column of a head table; raises an error if the column does not have an
 * identity sequence.
 */
extern int64 pgt_next_id(PgtTable *table, AttrNumber attno);

/* Rows of stores: store.c */

/*
 * Creates the scan key attno = value for a column of type bigint, integer or uuid; attno does not count the leading
 * key.
 */
extern void pgt_key_equals(PgtTable *table, ScanKey scankey, AttrNumber attno, Oid type, Datum value);
/* Creates the scan key for the leading key if the table has one; returns the number of scan keys, 0 or 1. */
extern int	pgt_leading_equals(PgtTable *table, PgtColumn *column, ScanKey scankey, Datum leading_key);
/* Starts a scan of the primary key by its first columns, in any order; end it with systable_endscan. */
extern SysScanDesc pgt_scan(PgtTable *table, Snapshot snapshot, int count, ScanKey keys);
/*
 * Starts a scan of the primary key by its first columns, in the order of the key. Opens the index; the caller ends
 * the scan with systable_endscan_ordered and closes the index.
 */
extern SysScanDesc pgt_scan_ordered(PgtTable *table, Relation *index, Snapshot snapshot, int count, ScanKey keys);

/*
 * Replaces a row if it is still the newest version; waits for concurrent writers of the row. Returns false if the row
 * was changed or deleted meanwhile. Raises 40001 instead at REPEATABLE READ and above.
 */
extern bool pgt_update(PgtTable *table, HeapTuple old, HeapTuple new);
/*
 * Locks the newest version of a row that the snapshot shows and returns a copy of it; waits for concurrent writers.
 * Returns NULL if the row was deleted. Raises 40001 at REPEATABLE READ and above if the row was changed.
 */
extern HeapTuple pgt_lock(PgtTable *table, HeapTuple seen, LockTupleMode mode);
/* Inserts a row, with its index entries, constraints and triggers. */
extern void pgt_insert(PgtTable *table, Datum *values, bool *nulls);
/* Inserts rows, in one batch if the table has no triggers or checks; may free the rows. */
extern void pgt_insert_many(PgtTable *table, HeapTuple *rows, int count);
/* Deletes a row, which must be the newest version; raises 40001 if another transaction changed it. */
extern void pgt_delete(PgtTable *table, HeapTuple old);

/* Pushes a snapshot that shows what is committed now and all changes of this transaction. */
extern void pgt_push_snapshot(void);
/* Pops the snapshot of pgt_push_snapshot. */
extern void pgt_pop_snapshot(void);

/* Names for messages, and errors: error.c */

/* Returns "schema.table.column" for messages. */
extern char *pgt_column_text(PgtColumn *column);
/* Returns a key as text for messages, such as (7, north). */
extern char *pgt_key_text(PgtColumn *column, PgtKey *key);
/* Returns the quoted name of the owner table, for SQL text. */
extern const char *pgt_owner_table(PgtColumn *column);
/* Raises the error for a row that somebody changed without the lock that all writers of the store take. */
pg_noreturn extern void pgt_interfered(PgtColumn *column);
/* Raises a serialization failure if REPACK (CONCURRENTLY) made the store's tables look empty to an older snapshot. */
extern void pgt_require_snapshot(PgtColumn *column);
/* Raises the error for an outcome of PGT_NO_ROW or above. */
pg_noreturn extern void pgt_raise(PgtOutcome outcome, PgtColumn *column, PgtKey *key, const char *operation);

/* Toasters: toaster.c */

/* Returns a toaster of this module, or one that is registered in the catalog; raises an error for other names. */
extern const PgtRoutine *pgt_toaster(const char *name);

/* The toasters of this module, except that of ordinary columns. */
extern const PgtRoutine pgt_appendable;	/* blob.c */
extern const PgtRoutine pgt_keyed;		/* json.c */

#endif
