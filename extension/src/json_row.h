/* json_row.h: reading and writing the owner's row (the document or its stub), and whole documents. */
#ifndef PGT_JSON_ROW_H
#define PGT_JSON_ROW_H

#include "json_branch.h"

/* json_row_stub.c */

/*
 * Returns the content of the row for a document: the document, or a stub whose members are out of line. The root must
 * be as split documents store it. With a builder that follows markers it may be a stub; overflow is its overflow
 * branch, or 0. Sets *is_split.
 */
extern Jsonb *pgt_stub(PgtBuilder *builder, const JsonbValue *root, bool split, int64 overflow, int64 budget, bool *is_split);

/* json_row_write.c */

/* Returns the number of bytes that a document may use in a row. */
extern int64 pgt_row_budget(PgtDoc *doc, PgtOwnerRow *row);
/* Updates the owner's row, which must be locked. Raises an error if a trigger or policy prevents the update. */
extern void pgt_update_row(PgtDoc *doc, Jsonb *value);
/* Writes the owner's row after an edit; moves members out of line if it has become too large. */
extern void pgt_write_row(PgtDoc *doc, PgtWalk *walk, JsonbValue *tree, PgtOwnerRow *row);

/* json_row_put.c */

/*
 * Stores a whole document or, if value is NULL, the current one again. Locks the owner's row, then the head
 * exclusively. rows is the number of nodes and rows written.
 */
extern PgtOutcome pgt_put(PgtDoc *doc, const JsonbValue *value, int64 *rows);

#endif
