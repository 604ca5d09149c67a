/*
 * shape.h: what attach created: the columns and the primary key of a table of a store.
 */
#ifndef PGT_SHAPE_H
#define PGT_SHAPE_H

#include "pgtoaster.h"

#include "utils/relcache.h"

/* A head of documents has the most columns: five, and the key of the owner's row. */
#define PGT_SHAPE_COLUMNS (PGT_MAX_KEYS + 16)
#define PGT_SHAPE_KEYS 4

typedef struct PgtShape
{
	int			columns;
	Oid			types[PGT_SHAPE_COLUMNS];
	Oid			collations[PGT_SHAPE_COLUMNS];
	int			keys;
	AttrNumber	key[PGT_SHAPE_KEYS];	/* columns of the primary key, in its order */
	int			lead;			/* the place in the row key of the column that nodes repeat, counted from 1; 0: none */
} PgtShape;

/* Adds columns of the server's own types, which have no collation. */
extern void pgt_shape_add(PgtShape *shape, const Oid *types, int count);
extern void pgt_shape_add_one(PgtShape *shape, Oid type, Oid collation);

/* Fills in the shape of a part of a column's store. The table is for looking up names; nothing else is known of it yet. */
typedef void (*PgtShaper) (PgtColumn *column, const char *part, Relation rel, PgtShape *shape);

/* Whether a relation is a table whose rows the functions of access/heapam.h and access/tableam.h can read. */
extern bool pgt_is_heap(Relation rel);

/* Raises an error unless a table is as attach created it; returns its primary key. */
extern Oid	pgt_check_shape(PgtColumn *column, Relation rel, const PgtShape *shape);

#endif
