/*
 * core.h: what the files of this module share: columns, owner rows, rows of stores, errors.
 */
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
#include "utils/relcache.h"

/* The catalog that this module reads. */
#define PGT_CATALOG_VERSION 14

/* Single rows: row.c */

/* Where a row was found; all zero: nowhere. */
typedef struct PgtPlace
{
	ItemPointerData root;		/* of its HOT chain */
	int			buffer;			/* that held the page */
} PgtPlace;

/* Places are chosen by a hash of the key: rows that share one take turns. */
#define PGT_PLACES 256

/*
 * A copy of the row with a unique key, given as conditions on all its columns by their numbers in the table;
 * NULL if the snapshot shows none.
 */
extern HeapTuple pgt_row(Relation rel, Oid index, Snapshot snapshot, int count, ScanKey keys, PgtPlace *place);
/* The same only where it was found; NULL also if it is elsewhere by now. */
extern HeapTuple pgt_row_at(Relation rel, Snapshot snapshot, int count, ScanKey keys, PgtPlace *place);
/* The next row of an index scan, into a buffer slot, and its place; false if there is none. */
extern bool pgt_row_of_scan(IndexScanDesc scan, TupleTableSlot *slot, PgtPlace *place);

/* Columns: column.c; their keys: key.c */

/* A table of a store that was opened before. */
typedef struct PgtTableName
{
	const char *part;			/* NULL: none */
	char		name[NAMEDATALEN];
	Oid			schema;
	Oid			relid;
	Oid			key;			/* its primary key; InvalidOid: its shape is to be checked, for the first time or after a change */
	int			lead;			/* as in PgtShape */
} PgtTableName;

#define PGT_TABLES 8

typedef struct PgtEntry
{
	PgtColumn	column;			/* first: handed out as a pointer to this */
	bool		valid;			/* false after a change of the owner table: its rows may have other columns than this says */
	NameData	name;
	char		catalog_name[NAMEDATALEN];	/* of the toaster */
	/* How its rows are found. */
	Oid			key_index;
	AttrNumber	key_attnums[PGT_MAX_KEYS];	/* in the table */
	Oid			key_collations[PGT_MAX_KEYS];	/* of the index */
	Oid			column_collations[PGT_MAX_KEYS];	/* of the columns, which the store repeats */
	Oid			key_operators[PGT_MAX_KEYS];	/* equality, of the index */
	FmgrInfo	key_equals[PGT_MAX_KEYS];
	bool		direct;			/* whether an index scan can do it, rights permitting */
	int			plain_update;	/* whether an UPDATE of the column can do without the executor: 1 yes, -1 no, 0 not known yet */
	AttrNumber	leading_attnum; /* of the leading key of blobs in the table; 0: none */
	Oid			leading_type;
	/* The row of pgtoaster.store that says so. */
	ItemPointerData catalog_tid;
	TransactionId catalog_xmin;
	/* Plans over the owner table, made when first needed. */
	SPIPlanPtr	select_plan;
	SPIPlanPtr	lock_plan;
	SPIPlanPtr	permit_plan;
	SPIPlanPtr	update_plan;
	SPIPlanPtr	replace_plan;
	PgtPlace	places[PGT_PLACES];	/* of rows */
	Oid			head;			/* the store's first table, whose schema the others share */
	PgtTableName tables[PGT_TABLES];
} PgtEntry;

extern void pgt_column_init(void);
/* Grows when definitions change: what was looked up before may be old. */
extern uint64 pgt_changes(void);
/*
 * Opens a table of the catalog, whose owner need not be a superuser, and checks that it begins with columns of these
 * types; values may be NULL.
 */
extern Relation pgt_catalog_open(const char *name, const Oid *types, int count);
pg_noreturn extern void pgt_catalog_unknown(const char *table);
/* Finds an attached column; raises an error if it is none. */
extern PgtColumn *pgt_column(Oid relid, const char *name);
/* The key given as argument n of a function, in the types of the key columns. */
extern void pgt_key(PgtColumn *column, FunctionCallInfo fcinfo, int n, PgtKey *key);
/* A key for messages, such as (7, north). */
extern char *pgt_key_text(PgtColumn *column, PgtKey *key);
/* "schema.table.column" for messages. */
extern char *pgt_column_text(PgtColumn *column);
extern int32 pgt_option_int(PgtColumn *column, const char *name);
extern bool pgt_option_bool(PgtColumn *column, const char *name);
/* Text of an option, palloc'd; NULL if it is not there. */
extern char *pgt_option_text(PgtColumn *column, const char *name);

/* Rows of owner tables: owner.c */

typedef struct PgtOwnerRow
{
	Datum		value;			/* of the column, a copy, detoasted if varlena */
	bool		isnull;
	Datum		leading_key;	/* 0 if the column has none */
	int32		row_bytes;		/* pg_column_size of the row; only from pgt_owner_lock */
	int32		other_bytes;	/* without what it says of the column; only from pgt_owner_lock */
} PgtOwnerRow;

/* Reads the row as the active snapshot has it; false if there is none that the caller may see. */
extern bool pgt_owner_read(PgtColumn *column, PgtKey *key, PgtOwnerRow *row);
/*
 * Whether policies for UPDATE let the caller change a row that it has read; an error if it may not update the
 * column. To be asked by whoever changes content and does not update or lock the row.
 */
extern bool pgt_owner_permits(PgtColumn *column, PgtKey *key);
/* What a row is that could not be locked: PGT_NO_ROW or PGT_DENIED. */
extern PgtOutcome pgt_owner_unlocked(PgtColumn *column, PgtKey *key);
/* Locks it FOR NO KEY UPDATE and reads it as it is then. */
extern bool pgt_owner_lock(PgtColumn *column, PgtKey *key, PgtOwnerRow *row);
/* UPDATE .. SET column = value, as the caller would do it: triggers, policies, indexes; false if no row was updated. */
extern bool pgt_owner_update(PgtColumn *column, PgtKey *key, Datum value, bool isnull);

/*
 * The same in one statement for a value that is known: only if the column still has it, bit by bit, and the row
 * as a whole, grown by so many bytes, stays within a limit; growth of 0 or less is always within. Not for NULL.
 */
extern bool pgt_owner_replace(PgtColumn *column, PgtKey *key, Datum old, Datum value, int64 growth, int32 limit);

/* For statements over the owner table: its name and the column's, quoted, and " WHERE ..", o being the table and the key $first, .. */
extern const char *pgt_owner_table(PgtColumn *column);
/* The same as FROM and UPDATE have it: without tables that inherit from it and are no partitions, as 11-policy.sql has it. */
extern const char *pgt_owner_rows(PgtColumn *column);
extern const char *pgt_owner_column(PgtColumn *column);
extern void pgt_owner_condition(StringInfo sql, PgtColumn *column, int first);
/* Statements of the library begin so, which take documents as rows hold them: transparent.c leaves these alone. */
#define PGT_OWN_STATEMENT "/* pgtoaster */"
/* Prepares a statement that is kept, and is the library's own. */
extern SPIPlanPtr pgt_prepare(const char *sql, int count, Oid *types);

/* Rows of stores: store.c */

/*
 * One table of a store, opened with the lock that the access needs. Opening checks that the caller has
 * the privileges, and raises an error otherwise. Row security of the store says what that of the owner's row says,
 * by which all content is found here; another one cannot be applied, and is an error. Closed by pgt_table_close
 * or, after an error, with the transaction; its locks stay until then, as always.
 */
typedef struct PgtTable
{
	Relation	rel;
	Oid			index;			/* primary key */
	int			lead;			/* as in PgtShape */
	int			leading;		/* 1 if the first column is the leading key, else 0: add it to attribute numbers */
	/* For inserts and for updates that change indexes; made when needed, in the memory context of the opening. */
	MemoryContext context;
	struct EState *estate;
	struct ResultRelInfo *result;
	bool		plain;			/* no triggers but those of foreign keys, which updates of other columns need not fire */
} PgtTable;

/*
 * Whether the caller has a privilege on a table of a store. INSERT and UPDATE of a head are granted on those columns
 * that writers give, which are all that is given and changed here, but for the number, which is drawn, and for who created it.
 */
extern bool pgt_may(Oid relid, AclMode right);
/*
 * part: "head", "chunk", ..; mode as in acl.h: ACL_SELECT, ACL_INSERT | ACL_UPDATE, ..; ACL_NO_RIGHTS to read what the caller may.
 * The table has the shape that the shaper tells, which is asked only where it was not checked before.
 */
extern void pgt_table_open(PgtTable *table, PgtColumn *column, const char *part, AclMode mode, PgtShaper shaper);
extern void pgt_table_close(PgtTable *table);

/* Condition number attno = value over a column of type bigint, integer, uuid: attno counts without the leading key. */
extern void pgt_key_equals(PgtTable *table, ScanKey scankey, AttrNumber attno, Oid type, Datum value);
/* The condition on the leading key, if the table has it; returns the number of conditions, 0 or 1. */
extern int	pgt_leading_equals(PgtTable *table, PgtColumn *column, ScanKey scankey, Datum leading_key);
/* Begins a scan of the primary key by its first columns, ordered by it if so wanted (then end it by systable_endscan_ordered). */
extern SysScanDesc pgt_scan(PgtTable *table, Snapshot snapshot, int count, ScanKey keys);
extern SysScanDesc pgt_scan_ordered(PgtTable *table, Relation *index, Snapshot snapshot, int count, ScanKey keys);

/*
 * Replaces a row by another if it is still the newest version; waits for writers of it. Returns false if
 * another transaction changed or deleted it meanwhile; raises 40001 instead at REPEATABLE READ and above.
 */
extern bool pgt_update(PgtTable *table, HeapTuple old, HeapTuple new);
/*
 * Locks the newest version of a row that the snapshot shows, and returns a copy of it; NULL if it was deleted.
 * 40001 as above.
 */
extern HeapTuple pgt_lock(PgtTable *table, HeapTuple seen, LockTupleMode mode);
extern void pgt_insert(PgtTable *table, Datum *values, bool *nulls);
/* Inserts rows together where the table lets it, and may free them. */
extern void pgt_insert_many(PgtTable *table, HeapTuple *rows, int count);
extern void pgt_delete(PgtTable *table, HeapTuple old);
/* Next value of the identity column of a head table. */
extern int64 pgt_next_id(PgtTable *table, AttrNumber attno);

/* A snapshot that sees what is committed now, and all that this transaction did; pair them. */
extern void pgt_push_snapshot(void);
extern void pgt_pop_snapshot(void);

/* Errors: error.c */

/* Raises the error for a row that somebody changed without the lock that all writers of the store take. */
pg_noreturn extern void pgt_interfered(PgtColumn *column);
extern void pgt_require_snapshot(PgtColumn *column);
/* Raises the error that an outcome other than PGT_APPLIED .. PGT_MISSING stands for. */
pg_noreturn extern void pgt_raise(PgtOutcome outcome, PgtColumn *column, PgtKey *key, const char *operation);

/* Toasters of other extensions: toaster.c */

/* The routine of a toaster that was registered in the catalog; raises an error if there is none. */
extern const PgtRoutine *pgt_registered(const char *name);

/* Our own toasters. */
extern const PgtRoutine pgt_appendable;	/* blob.c */
extern const PgtRoutine pgt_keyed;		/* json.c */
extern const PgtRoutine pgt_default;	/* toaster.c */

#endif
