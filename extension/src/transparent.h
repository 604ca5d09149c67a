/*
 * transparent.h: plain SQL over split documents. The planner hook (transparent.c) has a statement rewritten that
 * names attached columns: rewrite.c finds what reads them and rewrite_edit.c what changes them, and both put calls
 * of the functions of document.c in their place.
 */
#ifndef PGT_TRANSPARENT_H
#define PGT_TRANSPARENT_H

#include "json.h"

#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"

/*
 * Where a document comes from, as the calls have it: a type that has no input, so that nobody but the planner hook
 * makes one. Whoever runs the call may therefore read what it names: the executor has asked for the right to the
 * column, and row security for the row.
 */
typedef struct PgtOrigin
{
	Oid			relid;			/* of the table that was attached */
	AttrNumber	attnum;			/* of the column */
	uint16		flags;
} PgtOrigin;

/* The row was written by the statement. */
#define PGT_ORIGIN_NEWEST 1
/* The row may be newer than the statement, which has waited for another one. */
#define PGT_ORIGIN_RECHECKED 2
/* What is read becomes what is written: nobody changes the document meanwhile. */
#define PGT_ORIGIN_LOCKED 4
/* Behind the key are tableoid and ctid of the row. */
#define PGT_ORIGIN_IN_ROW 8

StaticAssertDecl(sizeof(PgtOrigin) == sizeof(int64), "an origin is passed by value");

static inline Datum
pgt_origin_datum(PgtOrigin origin)
{
	int64		bits;

	memcpy(&bits, &origin, sizeof(bits));
	return Int64GetDatum(bits);
}

static inline PgtOrigin
pgt_datum_origin(Datum datum)
{
	int64		bits = DatumGetInt64(datum);
	PgtOrigin	origin;

	memcpy(&origin, &bits, sizeof(origin));
	return origin;
}

/* transparent.c */

extern void pgt_transparent_init(void);

/* An attached column of documents of a table, or of a partition of one. */
typedef struct PgtAttached
{
	AttrNumber	attnum;			/* in this table */
	int32		store;
	Oid			owner;			/* the table that was attached */
	AttrNumber	owner_attnum;
} PgtAttached;

/* The attached columns of a table. Good until the next call of anything that may lock. */
extern const PgtAttached *pgt_attached_columns(Oid relid, int *count);
/* One of them, by its number in this table; NULL if it is none. */
extern const PgtAttached *pgt_attached(Oid relid, AttrNumber attnum);

/* rewrite.c */

extern Query *pgt_rewrite(Query *query);

#endif
