/* candidates.h: the rows that may meet a condition, for plain SQL over split documents. */
#ifndef PGT_CANDIDATES_H
#define PGT_CANDIDATES_H

#include "json_tree.h"
#include "transparent.h"

#include "utils/array.h"
#include "utils/jsonpath.h"

/* candidates_form.c */

#define PGT_MOST_STEPS 64

/*
 * A scalar, and the steps to it from the root of a document. A step is a key, or jbvNull for at most one level of arrays.
 * Each step to a key, and the last one, may also lead through an array.
 */
typedef struct PgtScalar
{
	int			count;
	JsonbValue	steps[PGT_MOST_STEPS];
	JsonbValue	value;
	int			length;			/* of the value as text */
} PgtScalar;

/* The conditions on rows and nodes for a document that contains at least one of some scalars. */
typedef struct PgtForms
{
	List	   *rows;			/* of type JsonPath, with the whole path */
	List	   *nodes;			/* with each end of the path */
} PgtForms;

/* Adds a key or, if it is NULL, a level of arrays. Returns false if no index finds values there. */
extern bool pgt_add_step(PgtScalar *scalar, JsonbValue *key);
/* Sets the value; returns false if no index finds it. */
extern bool pgt_set_value(PgtScalar *scalar, JsonbValue *value);
extern void pgt_add_forms(PgtForms *forms, PgtScalar *scalar);

/* candidates_probe.c */

/* A condition on the value at a path of keys of a document; or text queries: an index entry must match at least one. */
typedef struct PgtProbe
{
	PgtPath		path;
	const char *operator;		/* "@>", "@?" or "@@" */
	Datum		value;			/* the right operand, of type jsonb or jsonpath */
	ArrayType  *words;			/* text queries, and the indexes of type tsvector; NULL for a condition */
	Oid			row_index;
	Oid			node_index;
} PgtProbe;

/*
 * Returns the forms of scalars, as a list of PgtForms; a document must contain all these scalars. The longest scalar is
 * first, because it is probably rare. Returns NIL if no index finds any of them.
 */
extern List *pgt_forms(PgtProbe *probe);

/* candidates.c */

/*
 * Returns true if the indexes find the rows that may meet a condition, unless reading all rows would be as fast. The
 * probe is NULL if its value is not known yet. Sets node to the table of the nodes, or to InvalidOid if it was not opened.
 */
extern bool pgt_may_search(PgtOrigin origin, Oid table, PgtProbe *probe, Oid *node);
/*
 * Returns the keys of all rows of a table whose documents meet a condition, and possibly other keys, as an array of their
 * type. For a composite key, it returns the last column. Returns NULL if no index finds them, or more than most rows and
 * nodes may contain it; if most is negative, it returns the keys of all rows instead. Checks no rights.
 */
extern ArrayType *pgt_candidates(PgtOrigin origin, Oid table, PgtProbe *probe, Oid type, double most);

/* search.c */

/* Defines the setting pgtoaster.search_all_rows. */
extern void pgt_search_init(void);

#endif
