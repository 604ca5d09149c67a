/*
 * pgtoaster.h: what an extension that brings a toaster of its own needs.
 *
 * A toaster is a routine: a name, the kind of column it serves and a vtable of operations. Its handler
 * is a C function that takes internal and returns toaster.handler; pgtoaster.create_toaster(name, handler)
 * makes it known, pgtoaster.set_toaster(table, column, name) gives it a column. The SQL functions
 * toaster.blob_* and toaster.json_* then call its vtable.
 *
 * All operations are called with a snapshot that sees everything earlier commands of the transaction did,
 * pushed by the caller; those that write have been refused in a read-only transaction before. Memory is
 * that of the calling function. A NULL entry in a vtable is an operation that the toaster has not.
 */
#ifndef PGTOASTER_H
#define PGTOASTER_H

#include "postgres.h"

#include "access/attnum.h"
#include "fmgr.h"
#include "utils/jsonb.h"
#include "utils/snapshot.h"
#include "utils/uuid.h"

#define PGT_ROUTINE_MAGIC 0x70677403
#define PGT_MAX_KEYS 32

/* What an operation came to. Those from PGT_NO_ROW on are refusals: nothing was changed. */
typedef enum PgtOutcome
{
	PGT_APPLIED,
	PGT_ALREADY_APPLIED,		/* append: the token was used before, with this content */
	PGT_CONFLICT,				/* append: the blob has not the expected length */
	PGT_MISSING,				/* json: nothing at the path, or its parent; blob remove: the column was NULL; nothing changed */
	PGT_NO_ROW,					/* no row with this key, or none that the caller may see */
	PGT_NO_CONTENT,				/* the column is NULL */
	PGT_SEALED,
	PGT_OFFSET,					/* offset beyond the end, or length beyond 2^63 - 1 */
	PGT_TOKEN_MISMATCH,			/* a token used before, with another length */
	PGT_TOKEN_UNKNOWN,			/* a token older than what is remembered */
	PGT_DAMAGED,				/* what is stored contradicts itself */
	PGT_FOREIGN,				/* json: the header of the stub belongs to another row */
	PGT_WRONG_TYPE,				/* json: the value there cannot be changed in that way */
	PGT_NO_POSITION,			/* json: a step of the path is no position, where an array is */
	PGT_TOO_LARGE,				/* the result would not fit into one datum */
	PGT_ELSEWHERE,				/* the operation cannot be done here; the SQL executor can */
	PGT_NO_OPERATION,			/* the toaster has not this operation */
	PGT_NOT_EMPTY,				/* copy: the target has content */
	PGT_NOT_TEXT,				/* the content would not be whole characters of UTF-8 */
	PGT_SUPPRESSED,				/* an UPDATE of the row changed none: a trigger, a rule or a policy kept it out */
	PGT_DENIED					/* the caller may see the row, and row security does not let it change it */
} PgtOutcome;

/* The key of a row: its values, in the types of the owner table's key columns. */
typedef struct PgtKey
{
	int			count;
	Datum		values[PGT_MAX_KEYS];
} PgtKey;

struct PgtRoutine;

/* An attached column, as the session knows it. Valid until the transaction ends. */
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
	void	   *state;			/* what the toaster keeps here; allocated in context */
	MemoryContext context;
} PgtColumn;

/* What to append. */
typedef struct PgtAppend
{
	const char *data;
	Size		size;
	bool		has_expected;
	int64		expected;		/* length that the blob must have */
	bool		has_token;
	pg_uuid_t	writer;
	int64		sequence;
	int64		offset;			/* out: where the bytes begin; with PGT_CONFLICT the length now */
	int64		length;			/* out: how many were appended */
} PgtAppend;

/* Operations on blobs: columns whose content is a sequence of bytes. */
typedef struct PgtBlobVtable
{
	PgtOutcome	(*append) (PgtColumn *column, PgtKey *key, PgtAppend *append);
	/* Up to count bytes from offset on, fewer only at the end. */
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

/* Operations on documents. Values come and go as jsonb. */
typedef struct PgtJsonVtable
{
	/* *result is NULL with PGT_MISSING. An array or object of more than most bytes may be PGT_TOO_LARGE. */
	PgtOutcome	(*get) (PgtColumn *column, PgtKey *key, PgtPath *path, Size most, Jsonb **result);
	/* Type ("object", "array", ..), and the number of elements or members; -1 if not asked for or neither. */
	PgtOutcome	(*describe) (PgtColumn *column, PgtKey *key, PgtPath *path, bool size, const char **type, int64 *count);
	/* Elements from up to, not including, to, as an array. */
	PgtOutcome	(*slice) (PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result);
	PgtOutcome	(*set) (PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool create);
	PgtOutcome	(*insert) (PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool after);
	/* Concatenation as the operator || has it. */
	PgtOutcome	(*append) (PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value);
	PgtOutcome	(*remove) (PgtColumn *column, PgtKey *key, PgtPath *path);
	PgtOutcome	(*increment) (PgtColumn *column, PgtKey *key, PgtPath *path, Datum delta, Datum *sum);
	/* Brings what is stored into its best form. */
	PgtOutcome	(*shrink) (PgtColumn *column, PgtKey *key, int64 *rows);
} PgtJsonVtable;

typedef struct PgtRoutine
{
	uint32		magic;			/* PGT_ROUTINE_MAGIC */
	const char *name;
	const Oid  *types;			/* of columns that it serves, ended by InvalidOid */
	const PgtBlobVtable *blob;	/* NULL: no blobs */
	const PgtJsonVtable *json;	/* NULL: no documents */
	/* Called by set_toaster, as the owner of the table; NULL: nothing to make. */
	void		(*attach) (Oid relid, AttrNumber attnum, int32 store);
	void		(*detach) (Oid relid, AttrNumber attnum, int32 store);
	/* Called once for a column that a session uses; fills column->state. */
	void		(*open) (PgtColumn *column);
} PgtRoutine;

/* Returned by a handler. */
#define PG_RETURN_TOASTER(routine) PG_RETURN_POINTER(unconstify(PgtRoutine *, (routine)))

#endif
