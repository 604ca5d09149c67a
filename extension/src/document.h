/* document.h: declarations shared by the functions that the planner hook calls. */
#ifndef PGT_DOCUMENT_H
#define PGT_DOCUMENT_H

#include "json_tree.h"
#include "transparent.h"

#include "utils/array.h"
#include "utils/jsonpath.h"

typedef struct PgtDocument
{
	PgtOrigin	origin;
	PgtColumn  *column;			/* the column of a split document */
	PgtKey		key;
	Jsonb	   *stub;			/* content of the row */
	Oid			table;			/* table of the row, with PGT_ORIGIN_IN_ROW */
	ItemPointerData row;
	const char *kinds;			/* kinds of the path's steps, as in PgtDoc; NULL: either kind */
} PgtDocument;

/* Returns true if a jsonb has the header of a split document, or a key that looks like one. */
extern bool pgt_has_header(Jsonb *jsonb);
/*
 * Reads arguments 0 and 1, and the key from argument number key on. Returns true if the document is split. Raises an
 * error if the column's key or toaster has changed since the statement was planned.
 */
extern bool pgt_document_begin(PgtDocument *document, FunctionCallInfo fcinfo, int key);
/* Converts the elements of a text array to a path; returns false if one of them is NULL. */
extern bool pgt_read_path(ArrayType *array, PgtPath *path);

/* Callback that reads an open document. */
typedef PgtOutcome (*PgtReader) (PgtDoc *doc, void *arg);

/*
 * Runs a reader on a document: in the active snapshot or, if newest is true, in a new one. With PGT_ORIGIN_OLD, the new
 * snapshot hides the statement's own changes. Does not check rights, because the executor has done so. Returns the
 * reader's outcome.
 */
extern PgtOutcome pgt_read_once(PgtDocument *document, bool newest, PgtReader reader, void *arg);
/*
 * Reads a split document in the statement's snapshot or, if the row may be newer, in a new one that shows what is
 * committed now. With PGT_ORIGIN_LOCKED it first locks the row, then the head, until the end of the transaction.
 * Returns PGT_APPLIED or PGT_MISSING; raises an error for other outcomes.
 */
extern PgtOutcome pgt_read_split(PgtDocument *document, PgtReader reader, void *arg, const char *operation);

/* Readers, and their arguments. */
typedef struct PgtValue
{
	PgtPath    *path;
	Jsonb	   *result;
} PgtValue;

/* Reads the value at a path; value is a PgtValue. */
extern PgtOutcome pgt_get_value(PgtDoc *doc, void *value);

typedef struct PgtDescribed
{
	PgtPath    *path;
	bool		sized;			/* whether to count */
	const char *type;
	int64		count;
} PgtDescribed;

/* Reads the type and the count at a path; described is a PgtDescribed. */
extern PgtOutcome pgt_describe_value(PgtDoc *doc, void *described);

/* Returns the whole of a split document. */
extern Jsonb *pgt_document_all(PgtDocument *document);

/* document_path.c */

/*
 * Adds the members of the root that a jsonpath names, as a list of text; returns false if it may use others, or the root
 * itself.
 */
extern bool pgt_path_members(JsonPath *path, List **keys);
/* Applies a function of @? or @@. */
extern NullableDatum pgt_apply_path(PGFunction operator, Jsonb *value, JsonPath *path);

#endif
