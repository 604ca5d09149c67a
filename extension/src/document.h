/*
 * document.h: documents of rows, as the calls that the planner hook makes have them.
 */
#ifndef PGT_DOCUMENT_H
#define PGT_DOCUMENT_H

#include "transparent.h"

#include "utils/array.h"

typedef struct PgtDocument
{
	PgtOrigin	origin;
	PgtColumn  *column;			/* of a split one */
	PgtKey		key;
	Jsonb	   *stub;			/* what the row holds */
	Oid			table;			/* where its row is, with PGT_ORIGIN_IN_ROW */
	ItemPointerData row;
	const char *kinds;			/* of the steps of the path, as PgtDoc has them; NULL: of either kind */
} PgtDocument;

/* Whether a jsonb is, or may be taken for, what a row holds of a split document. */
extern bool pgt_has_header(Jsonb *jsonb);
/* Takes arguments 0 and 1, and the key from argument key on; whether the document is split. */
extern bool pgt_document_begin(PgtDocument *document, FunctionCallInfo fcinfo, int key);
/* Takes elements of an array as a path; false if one is NULL. */
extern bool pgt_read_path(ArrayType *array, PgtPath *path);

/* What is done with a document while it is open. */
typedef PgtOutcome (*PgtReader) (PgtDoc *doc, void *arg);

extern PgtOutcome pgt_read_once(PgtDocument *document, bool newest, PgtReader reader, void *arg);
/*
 * Reads a split document, in the snapshot of the statement or, where the row may be newer than that, in one that sees
 * what is committed now. PGT_APPLIED or PGT_MISSING.
 */
extern PgtOutcome pgt_read_split(PgtDocument *document, PgtReader reader, void *arg, const char *operation);

/* Readers, and what they are given. */
typedef struct PgtValue
{
	PgtPath    *path;
	Jsonb	   *result;
} PgtValue;

extern PgtOutcome pgt_get_value(PgtDoc *doc, void *value);

typedef struct PgtDescribed
{
	PgtPath    *path;
	bool		sized;			/* whether the count is wanted */
	const char *type;
	int64		count;
} PgtDescribed;

extern PgtOutcome pgt_describe_value(PgtDoc *doc, void *described);

/* The whole of a split document. */
extern Jsonb *pgt_document_all(PgtDocument *document);

#endif
