/*
 * stock.h: what the files of the toaster default share.
 */
#ifndef PGT_STOCK_H
#define PGT_STOCK_H

#include "core.h"

/* Statements over a column, prepared when first needed. */
typedef enum PgtStockKind
{
	PGT_STOCK_LENGTH, PGT_STOCK_LOCK, PGT_STOCK_READ, PGT_STOCK_APPEND, PGT_STOCK_OVERWRITE, PGT_STOCK_TRUNCATE,
	PGT_STOCK_COPY, PGT_STOCK_REMOVE, PGT_STOCK_KINDS
} PgtStockKind;

/* column->state */
typedef struct PgtStockState
{
	SPIPlanPtr	plans[PGT_STOCK_KINDS];
	MemoryContextCallback release;
} PgtStockState;

extern const PgtBlobVtable pgt_stock_blob;	/* stock_blob.c */
extern const PgtJsonVtable pgt_stock_json;	/* stock_json.c */

#endif
