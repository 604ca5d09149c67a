/* attached.h: what planned statements need to know from the catalog: attached columns, and functions. */
#ifndef PGT_ATTACHED_H
#define PGT_ATTACHED_H

#include "pgtoaster.h"

#include "access/attnum.h"

/* An attached column of documents, of a table or a partition. */
typedef struct PgtAttached
{
	AttrNumber	attnum;			/* in this table */
	int32		store;
	Oid			owner;			/* the table that was attached */
	AttrNumber	owner_attnum;
} PgtAttached;

/* Creates the cache of the columns of tables. */
extern void pgt_attached_init(void);
/* Returns true if a table has attached columns, of documents or of other content. */
extern bool pgt_any_attached(Oid relid);
/*
 * Returns the attached columns of a table, and their number. The array is valid until the next call that may lock a
 * relation.
 */
extern const PgtAttached *pgt_attached_columns(Oid relid, int *count);
/* Returns one of them by its number in this table; NULL if that column is not attached. */
extern const PgtAttached *pgt_attached(Oid relid, AttrNumber attnum);
/*
 * Returns true if the trigger that applies noted edits to a column fires in this session. The table must be locked.
 */
extern bool pgt_does_edits(Oid relid, int32 store);

/* Returns a function by its name and argument types; raises an error if it does not exist. */
extern Oid	pgt_function(const char *schema, const char *name, int count, const Oid *types);
/*
 * Returns a function of the catalog and checks its return type: its owner need not be a superuser and may have
 * replaced the function. Raises an error if it is missing or returns another type.
 */
extern Oid	pgt_catalog_function(const char *name, Oid result, int count, const Oid *types);

#endif
