/* json_edit.h: edits of one stored value and of one slot of a document, in place or in the general case. */
#ifndef PGT_JSON_EDIT_H
#define PGT_JSON_EDIT_H

#include "json_row.h"

typedef enum PgtEditKind
{
	PGT_SET, PGT_INSERT, PGT_APPEND, PGT_REMOVE, PGT_INCREMENT
} PgtEditKind;

/* Applying an edit to one stored value: json_edit_change.c */

typedef struct PgtChange
{
	PgtEditKind kind;
	JsonbValue	value;			/* set, insert; append: an array of the new elements */
	bool		flag;			/* set: create a missing value; insert: insert after the position */
	bool		parents;		/* set: create missing parents, too */
	int			keep;			/* append: maximum number of elements to leave; 0: all */
	Datum		delta;			/* increment */
	Datum		sum;			/* out: the sum after an increment */
	PgtIds		dropped;		/* out: branches that markers named before the change but no longer name */
} PgtChange;

/*
 * Applies a change to a value in place; within is the path in the value. Returns PGT_APPLIED, or PGT_MISSING,
 * PGT_WRONG_TYPE or PGT_NO_POSITION if nothing was changed. PGT_DAMAGED if a stored node is missing.
 */
extern PgtOutcome pgt_change(PgtDoc *doc, int64 document, JsonbValue *root, PgtSteps *within, PgtChange *change);
/* Removes the first elements of an array that was opened. Notes the branches that they name. */
extern void pgt_change_cut(PgtChange *change, JsonbValue *array, int count);
/* Returns true if an edit adds missing values. */
extern bool pgt_change_adds(const PgtChange *change);

/* json_edit_slot.c */

/*
 * Changes one slot: a member or an element. Reads the current content and takes the locks. Raises 40001 if other
 * writers keep changing the slot.
 */
extern PgtOutcome pgt_edit_slot(PgtDoc *doc, PgtPath *path, PgtChange *change);

/* json_edit_any.c */

typedef struct PgtEdit
{
	PgtEditKind kind;
	PgtPath    *path;
	Jsonb	   *value;			/* set, insert, append */
	bool		flag;			/* set: create a missing value; insert: insert after the position */
	bool		parents;		/* set: create missing parents, too */
	int			keep;			/* append: maximum number of elements to leave; 0: all; or PGT_MEMBERS */
	Datum		delta;			/* increment: numeric */
	Datum		sum;			/* out, increment: the new number */
} PgtEdit;

/*
 * Makes any edit. Locks in the order owner's row, head, nodes, until the end of the transaction.
 * Returns PGT_ELSEWHERE if the database encoding is not UTF-8, or if a missing document must be created. Raises 40001 if other writers kept changing the place.
 */
extern PgtOutcome pgt_json_edit(PgtColumn *column, PgtKey *key, PgtEdit *edit);

/* The operations of PgtJsonVtable (pgtoaster.h) that write in place if possible: json_edit_leaf.c */

/* Sets the value at a path: in place if possible, otherwise with pgt_json_edit. json_edit_leaf.c describes the locks. */
extern PgtOutcome pgt_keyed_set(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool create, bool parents);
/*
 * Adds to the number at a path; sets *sum to the result. Works and locks like pgt_keyed_set. Raises an error if delta
 * is not finite.
 */
extern PgtOutcome pgt_keyed_increment(PgtColumn *column, PgtKey *key, PgtPath *path, Datum delta, Datum *sum);

#endif
