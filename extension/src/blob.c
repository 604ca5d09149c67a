/* blob.c: the toaster appendable: its routine, and the options of a column. */
#include "blob.h"

#include "access/relation.h"
#include "access/toast_compression.h"
#include "catalog/pg_type.h"

static const Oid types[] = {INT8OID, InvalidOid};

/* The leading key is the first column of a foreign key of two columns to the head. */
static void
find_leading_key(PgtEntry *entry)
{
	Relation	rel = relation_open(entry->column.relid, AccessShareLock);
	ListCell   *cell;

	foreach(cell, RelationGetFKeyList(rel))
	{
		ForeignKeyCacheInfo *fk = lfirst(cell);

		if (fk->confrelid == entry->head && fk->nkeys == 2)
		{
			entry->leading_attnum = fk->conkey[0];
			entry->leading_type = TupleDescAttr(RelationGetDescr(rel), fk->conkey[0] - 1)->atttypid;
			break;
		}
	}
	relation_close(rel, AccessShareLock);
}

static void
open_column(PgtColumn *column)
{
	PgtEntry   *entry = (PgtEntry *) column;
	PgtBlobState *state = MemoryContextAllocZero(column->context, sizeof(PgtBlobState));
	PgtBlobOptions *options = &state->options;
	char	   *compression = pgt_option_text(column, "compression");

	options->chunk_size = pgt_option_int(column, "chunk_size");
	options->tail = pgt_option_int(column, "tail");
	options->crc32c = pgt_option_bool(column, "crc32c");
	options->notify = pgt_option_bool(column, "notify");
	options->compression = compression == NULL ? InvalidCompressionMethod
		: strcmp(compression, "pglz") == 0 ? TOAST_PGLZ_COMPRESSION
		: strcmp(compression, "lz4") == 0 ? TOAST_LZ4_COMPRESSION : InvalidCompressionMethod;
	if (options->chunk_size < 1 || options->chunk_size > 1 << 20 || options->tail < 0 || options->tail > 4000)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the catalog has invalid options for %s", pgt_column_text(column))));
	column->state = state;
	if (OidIsValid(entry->head))
		find_leading_key(entry);
}

/* Reads the length of the blob in bytes. Locks nothing. */
static PgtOutcome
length(PgtColumn *column, PgtKey *key, int64 *length)
{
	PgtBlob		blob;
	PgtOutcome	outcome;

	pgt_blob_begin(&blob, column, key);
	outcome = pgt_blob_find(&blob, ACL_SELECT);
	if (outcome == PGT_APPLIED)
		*length = blob.head.length;
	pgt_blob_end(&blob);
	return outcome;
}

static const PgtBlobVtable vtable = {
	.append = pgt_append,.read = pgt_read,.write = pgt_write,.truncate = pgt_truncate,.length = length,
	.compact = pgt_compact,.copy = pgt_copy,.remove = pgt_remove
};

const PgtRoutine pgt_appendable = {
	.magic = PGT_ROUTINE_MAGIC,.name = "appendable",.types = types,.blob = &vtable,.open = open_column
};
