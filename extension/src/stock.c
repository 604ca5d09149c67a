/*
 * stock.c: the toaster default, an ordinary bytea, text or jsonb column and the stock operators.
 */
#include "stock.h"

#include "catalog/pg_type.h"
#include "utils/memutils.h"

static const Oid types[] = {BYTEAOID, TEXTOID, JSONBOID, InvalidOid};

static void
release_plans(void *arg)
{
	PgtStockState *state = arg;

	for (int i = 0; i < PGT_STOCK_KINDS; i++)
		if (state->plans[i] != NULL)
			SPI_freeplan(state->plans[i]);
}

static void
open_column(PgtColumn *column)
{
	PgtStockState *state = MemoryContextAllocZero(column->context, sizeof(PgtStockState));

	state->release.func = release_plans;
	state->release.arg = state;
	MemoryContextRegisterResetCallback(column->context, &state->release);
	column->state = state;
}

const PgtRoutine pgt_default = {
	.magic = PGT_ROUTINE_MAGIC,.name = "default",.types = types,.blob = &pgt_stock_blob,.json = &pgt_stock_json,.open = open_column
};
