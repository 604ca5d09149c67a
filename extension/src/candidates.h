/* candidates.h: the rows that may contain a value, for plain SQL over split documents. */
#ifndef PGT_CANDIDATES_H
#define PGT_CANDIDATES_H

#include "json_tree.h"
#include "transparent.h"

#include "utils/array.h"

/* candidates_form.c */

/* The parts of a document with a scalar of the probe that a row or a node may contain. */
typedef struct PgtForms
{
	int			length;			/* of the scalar as text */
	List	   *rows;			/* of type Jsonb, with the whole path */
	List	   *nodes;			/* with each end of the path */
} PgtForms;

/*
 * Returns the forms of scalars of a probe at a path of keys, as a list of PgtForms. The longest scalar is first, because
 * it is probably rare. Returns NIL if no index finds any of them.
 */
extern List *pgt_forms(PgtPath *path, Jsonb *probe);

/* candidates.c */

/* Returns a GIN index that finds the rows whose column contains a jsonb; InvalidOid if there is none. */
extern Oid	pgt_containment_index(Relation rel, AttrNumber attnum);
/*
 * Returns true if the indexes find the rows that may contain a probe at a path of keys, unless reading all rows would be
 * as fast. The probe may be NULL if it is not known yet. Sets node to the table of the nodes, or to InvalidOid if it was
 * not opened.
 */
extern bool pgt_may_search(PgtOrigin origin, Oid table, PgtPath *path, Jsonb *probe, Oid *node);
/*
 * Returns the keys of all rows of a table whose documents contain a probe at a path of keys, and possibly other keys, as
 * an array of their type. Returns NULL if no index finds them, or more than most rows and nodes may contain it; if most
 * is negative, it returns the keys of all rows instead. Checks no rights.
 */
extern ArrayType *pgt_candidates(PgtOrigin origin, Oid table, PgtPath *path, Jsonb *probe, Oid type, double most);

/* search.c */

/* Defines the setting pgtoaster.search_all_rows. */
extern void pgt_search_init(void);

#endif
