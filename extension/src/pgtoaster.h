/*
 * pgtoaster.h: declarations for extensions that add a toaster.
 *
 * A toaster is a routine: a name, the types of column that it serves, and a vtable of operations. Its handler is a C
 * function that takes internal and returns toaster.handler. pgtoaster.create_toaster(name, handler) registers it;
 * pgtoaster.set_toaster(table, column, name) assigns it to a column. The SQL functions toaster.blob_* and
 * toaster.json_* call its vtable.
 *
 * Before each operation the caller pushes a snapshot that shows all changes of earlier commands of the transaction.
 * It rejects operations that write in a read-only transaction. Operations allocate in the memory context of the
 * calling function. A NULL entry in a vtable means that the toaster does not support the operation.
 */
#ifndef PGTOASTER_H
#define PGTOASTER_H

#include "postgres.h"

#include "access/attnum.h"
#include "fmgr.h"
#include "utils/jsonb.h"
#include "utils/snapshot.h"
#include "utils/uuid.h"

#define PGT_ROUTINE_MAGIC 0x70677404
#define PGT_MAX_KEYS 32

/* Result of an operation. The results of PGT_NO_ROW and above are refusals: nothing was changed. */
typedef enum PgtOutcome
{
	PGT_APPLIED,
	PGT_ALREADY_APPLIED,		/* append: the token was used before, with the same content */
	PGT_CONFLICT,				/* append: the blob does not have the expected length */
	PGT_MISSING,				/* json: the path or its parent does not exist; blob remove: the column was NULL;
								 * nothing changed */
	PGT_NO_ROW,					/* no row that the caller may see has this key */
	PGT_NO_CONTENT,				/* the column is NULL */
	PGT_SEALED,
	PGT_OFFSET,					/* offset beyond the end, or length beyond 2^63 - 1 */
	PGT_TOKEN_MISMATCH,			/* the token was used before, with another length */
	PGT_TOKEN_UNKNOWN,			/* the token is older than the remembered ones */
	PGT_DAMAGED,				/* the stored data is inconsistent */
	PGT_FOREIGN,				/* json: the header of the stub belongs to another row */
	PGT_WRONG_TYPE,				/* json: the value at the path does not support this change */
	PGT_NO_POSITION,			/* json: a step of the path is not a position, but the value is an array */
	PGT_TOO_LARGE,				/* the result would not fit into one datum */
	PGT_ELSEWHERE,				/* the operation is not possible here, but the SQL executor can do it */
	PGT_NO_OPERATION,			/* the toaster does not support this operation */
	PGT_NOT_EMPTY,				/* copy: the target has content */
	PGT_NOT_TEXT,				/* the content would not be valid UTF-8 */
	PGT_SUPPRESSED,				/* an UPDATE of the row changed no row: a trigger, a rule or a policy prevented it */
	PGT_DENIED,					/* the caller may see the row, but row security does not let it change the row */
	PGT_DISCARDED				/* the bytes at the offset were discarded */
} PgtOutcome;

/* The key of a row: its values, in the types of the owner table's key columns. */
typedef struct PgtKey
{
	int			count;
	Datum		values[PGT_MAX_KEYS];
} PgtKey;

struct PgtRoutine;

/* An attached column in this session. Valid until the end of the transaction. */
typedef struct PgtColumn
{
	Oid			relid;			/* of the owner table */
	AttrNumber	attnum;			/* of the column */
	int32		store;
	Oid			type;			/* of the column */
	const struct PgtRoutine *routine;
	Jsonb	   *options;		/* as in pgtoaster.store */
	int			key_count;
	Oid			key_types[PGT_MAX_KEYS];
	void	   *state;			/* state of the toaster; allocated in context */
	MemoryContext context;
} PgtColumn;

/* Parameters and results of an append. */
typedef struct PgtAppend
{
	const char *data;
	Size		size;
	bool		has_expected;
	int64		expected;		/* length that the blob must have */
	bool		has_token;
	pg_uuid_t	writer;
	int64		sequence;
	int64		offset;			/* out: offset of the appended bytes; with PGT_CONFLICT the current length */
	int64		length;			/* out: number of appended bytes */
} PgtAppend;

/* Operations on blobs: columns whose content is a sequence of bytes. */
typedef struct PgtBlobVtable
{
	PgtOutcome	(*append) (PgtColumn *column, PgtKey *key, PgtAppend *append);
	/* Reads count bytes, starting at offset; fewer only at the end. PGT_OFFSET if the offset is beyond the end. */
	PgtOutcome	(*read) (PgtColumn *column, PgtKey *key, int64 offset, int32 count, bytea **result);
	PgtOutcome	(*write) (PgtColumn *column, PgtKey *key, int64 offset, const char *data, Size size);
	PgtOutcome	(*truncate) (PgtColumn *column, PgtKey *key, int64 length);
	PgtOutcome	(*length) (PgtColumn *column, PgtKey *key, int64 *length);
	PgtOutcome	(*compact) (PgtColumn *column, PgtKey *key, int64 *rows);
	/* The target's column must be NULL. */
	PgtOutcome	(*copy) (PgtColumn *column, PgtKey *source, PgtKey *target);
	PgtOutcome	(*remove) (PgtColumn *column, PgtKey *key);
} PgtBlobVtable;

/* A path in a document: keys, or positions in arrays. */
typedef struct PgtPath
{
	int			length;
	text	  **steps;
} PgtPath;

/* Operations on documents. Values are passed and returned as jsonb. */
typedef struct PgtJsonVtable
{
	/*
	 * Sets *result to NULL with PGT_MISSING. May return PGT_TOO_LARGE for an array or object larger than the parameter
	 * most, in bytes.
	 */
	PgtOutcome	(*get) (PgtColumn *column, PgtKey *key, PgtPath *path, Size most, Jsonb **result);
	/*
	 * Sets the type ("object", "array", ..) and, if size is true, the number of elements or members; otherwise -1,
	 * also for scalars.
	 */
	PgtOutcome	(*describe) (PgtColumn *column, PgtKey *key, PgtPath *path, bool size, const char **type, int64 *count);
	/* Returns the elements in [from, to) as an array. */
	PgtOutcome	(*slice) (PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result);
	/* If parents is true, also creates missing parents; may return PGT_ELSEWHERE. */
	PgtOutcome	(*set) (PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool create, bool parents);
	PgtOutcome	(*insert) (PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool after);
	/*
	 * Concatenates like the operator ||. If keep is positive, also removes elements from the start of the array, so that
	 * at most keep are left; may return PGT_ELSEWHERE. With PGT_MEMBERS, value is an object whose members are set;
	 * returns PGT_MISSING at an array.
	 */
#define PGT_MEMBERS (-1)
	PgtOutcome	(*append) (PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, int keep);
	PgtOutcome	(*remove) (PgtColumn *column, PgtKey *key, PgtPath *path);
	PgtOutcome	(*increment) (PgtColumn *column, PgtKey *key, PgtPath *path, Datum delta, Datum *sum);
	/* Stores the document again as a put would. */
	PgtOutcome	(*shrink) (PgtColumn *column, PgtKey *key, int64 *rows);
} PgtJsonVtable;

typedef struct PgtRoutine
{
	uint32		magic;			/* PGT_ROUTINE_MAGIC */
	const char *name;
	const Oid  *types;			/* types of the columns that it serves, terminated by InvalidOid */
	const PgtBlobVtable *blob;	/* NULL: does not support blobs */
	const PgtJsonVtable *json;	/* NULL: does not support documents */
	/* Called by set_toaster as the owner of the table. NULL if there is nothing to create or drop. */
	void		(*attach) (Oid relid, AttrNumber attnum, int32 store);
	void		(*detach) (Oid relid, AttrNumber attnum, int32 store);
	/* Called once for each column that a session uses; sets column->state. */
	void		(*open) (PgtColumn *column);
} PgtRoutine;

/* Returned by a handler. */
#define PG_RETURN_TOASTER(routine) PG_RETURN_POINTER(unconstify(PgtRoutine *, (routine)))

#endif
