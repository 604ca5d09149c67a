/* module.c: the functions that PostgreSQL calls when it loads the module. */
#include "candidates.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	pgt_column_init(pgt_toaster);
	pgt_transparent_init();
	pgt_search_init();
}

PG_FUNCTION_INFO_V1(pgt_catalog_version);

/* Returns the version of the catalog that this module requires. */
Datum
pgt_catalog_version(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(PGT_CATALOG_VERSION);
}
