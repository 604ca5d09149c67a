/*
 * transparent.h: plain SQL over split documents. The planner hook (transparent.c) rewrites statements that name
 * attached columns. rewrite.c finds the expressions that read these columns, rewrite_edit.c those that change them.
 * Both replace them with calls of the functions of document.c.
 */
#ifndef PGT_TRANSPARENT_H
#define PGT_TRANSPARENT_H

#include "attached.h"
#include "json_value.h"

#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"

/*
 * Where a document comes from. Only the planner hook can create such a value: its type has no input. A call may
 * therefore read the document without further checks: the executor has checked the privilege on the column and applied
 * row security.
 */
typedef struct PgtOrigin
{
	Oid			relid;			/* of the attached table */
	AttrNumber	attnum;			/* of the column */
	uint16		flags;
} PgtOrigin;

/* The statement has written the row. */
#define PGT_ORIGIN_NEWEST 1
/* The row may be newer than the statement, which has waited for another transaction. */
#define PGT_ORIGIN_RECHECKED 2
/* The statement writes a value that depends on the read: lock the document until the end of the transaction. */
#define PGT_ORIGIN_LOCKED 4
/* The row's tableoid and ctid follow the key. */
#define PGT_ORIGIN_IN_ROW 8
/* The row as it was before the statement wrote it: OLD in RETURNING. */
#define PGT_ORIGIN_OLD 16

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

/* Defines the setting pgtoaster.transparent and installs the hooks. */
extern void pgt_transparent_init(void);

/* rewrite_edit.c */

/* Returns a rewritten copy of a query. */
extern Query *pgt_rewrite(Query *query);

#endif
