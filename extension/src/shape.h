/* shape.h: the shape of a table of a store: its columns and primary key, as attach created them. */
#ifndef PGT_SHAPE_H
#define PGT_SHAPE_H

#include "pgtoaster.h"

#include "utils/relcache.h"

/* The head table of documents has the most columns: five, and the key of the owner's row. */
#define PGT_SHAPE_COLUMNS (PGT_MAX_KEYS + 16)
#define PGT_SHAPE_KEYS 4

typedef struct PgtShape
{
	int			columns;
	Oid			types[PGT_SHAPE_COLUMNS];
	Oid			collations[PGT_SHAPE_COLUMNS];
	int			keys;
	AttrNumber	key[PGT_SHAPE_KEYS];	/* columns of the primary key, in its order */
	int			lead;			/* position in the row key of the column that nodes repeat, counted from 1; 0 for none */
} PgtShape;

/* Adds columns of built-in types without a collation. Raises an error if there are too many. */
extern void pgt_shape_add(PgtShape *shape, const Oid *types, int count);
/* Adds one column. */
extern void pgt_shape_add_one(PgtShape *shape, Oid type, Oid collation);

/*
 * Callback that fills in the shape of a part of a column's store. It may use the table only to look up names: nothing
 * else about it has been checked yet.
 */
typedef void (*PgtShaper) (PgtColumn *column, const char *part, Relation rel, PgtShape *shape);

/* Returns true if a relation is a table that access/heapam.h and access/tableam.h can read. */
extern bool pgt_is_heap(Relation rel);

/* Returns how a table differs from the one that attach created; NULL if it does not. Sets key to its primary key. */
extern const char *pgt_shape_fault(Relation rel, const PgtShape *shape, Oid *key);

#endif
