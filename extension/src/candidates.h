/* candidates.h: the rows that may contain a value, for plain SQL over split documents. */
#ifndef PGT_CANDIDATES_H
#define PGT_CANDIDATES_H

#include "json_tree.h"
#include "transparent.h"

/* candidates.c */

/* Returns a GIN index that finds the rows whose column contains a jsonb; InvalidOid if there is none. */
extern Oid	pgt_containment_index(Relation rel, AttrNumber attnum);
/*
 * Returns an upper limit of the number of rows and nodes that a search for a probe reads. The probe may be NULL if it is
 * not known yet; then returns 0. Returns a negative number if no index finds the rows. Sets node to the table of the
 * nodes, or to InvalidOid if it was not opened.
 */
extern double pgt_count_candidates(PgtOrigin origin, Oid table, Jsonb *probe, Oid *node);

#endif
