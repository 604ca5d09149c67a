/* blob_chunk.c: splits bytes into chunks, which are inserted in batches, and scans the chunks of a range. */
#include "blob.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "miscadmin.h"
#include "port/pg_crc32c.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"

/* Chunks are inserted in batches of this many bytes and rows. */
#define BATCH_BYTES (256 << 10)
#define BATCH_ROWS 64

int32
pgt_crc32c(const char *data, Size size)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, data, size);
	FIN_CRC32C(crc);
	return (int32) crc;
}

HeapTuple
pgt_chunk_form(PgtBlob *blob, int64 start, Datum data, bool has_crc, int32 crc)
{
	PgtTable   *table = &blob->tables[PGT_CHUNK];
	Datum		all[PGT_MOST_COLUMNS];
	bool		all_nulls[PGT_MOST_COLUMNS];
	Datum	   *values = all + table->leading - 1;

	pgt_blob_name(blob, all, all_nulls, CHUNK_COLUMNS);
	values[CHUNK_START] = Int64GetDatum(start);
	values[CHUNK_CRC] = Int32GetDatum(crc);
	all_nulls[CHUNK_CRC + table->leading - 1] = !has_crc;
	values[CHUNK_DATA] = data;
	return heap_form_tuple(RelationGetDescr(table->rel), all, all_nulls);
}

void
pgt_chunks_begin(PgtChunkWriter *writer, PgtBlob *blob, int32 chunk_size, int64 start)
{
	writer->blob = blob;
	writer->table = NULL;
	writer->size = chunk_size;
	writer->start = start;
	writer->filled = 0;
	writer->context = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster chunks", ALLOCSET_DEFAULT_SIZES);
	writer->most = Min(BATCH_ROWS, Max(1, BATCH_BYTES / chunk_size));
	writer->rows = palloc(writer->most * sizeof(HeapTuple));
	writer->count = 0;
	writer->chunk = palloc(VARHDRSZ + chunk_size);
}

static void
flush(PgtChunkWriter *writer)
{
	if (writer->count > 0)
		pgt_insert_many(writer->table, writer->rows, writer->count);
	writer->count = 0;
	MemoryContextReset(writer->context);
}

void
pgt_chunks_cut(PgtChunkWriter *writer)
{
	PgtBlob    *blob = writer->blob;
	MemoryContext before;

	if (writer->table == NULL)
		writer->table = pgt_blob_table(blob, PGT_CHUNK, ACL_SELECT | ACL_INSERT);
	before = MemoryContextSwitchTo(writer->context);
	SET_VARSIZE(writer->chunk, VARHDRSZ + writer->filled);
	writer->rows[writer->count++] =
		pgt_chunk_form(blob, writer->start, PointerGetDatum(writer->chunk), blob->options->crc32c,
					   blob->options->crc32c ? pgt_crc32c(VARDATA(writer->chunk), writer->filled) : 0);
	MemoryContextSwitchTo(before);
	writer->start += writer->filled;
	writer->filled = 0;
	if (writer->count == writer->most)
		flush(writer);
}

void
pgt_chunks_add(PgtChunkWriter *writer, const char *data, Size size)
{
	while (size > 0)
	{
		Size		part = Min(size, (Size) (writer->size - writer->filled));

		CHECK_FOR_INTERRUPTS();
		memcpy(VARDATA(writer->chunk) + writer->filled, data, part);
		writer->filled += part;
		data += part;
		size -= part;
		if (writer->filled == writer->size)
			pgt_chunks_cut(writer);
	}
}

char *
pgt_chunks_end(PgtChunkWriter *writer)
{
	flush(writer);
	MemoryContextDelete(writer->context);
	return VARDATA(writer->chunk);
}

void
pgt_chunk_scan(PgtChunkScan *scan, PgtBlob *blob, AclMode mode, int64 from, int64 to)
{
	ScanKeyData keys[4];
	int			count;

	scan->blob = blob;
	scan->table = pgt_blob_table(blob, PGT_CHUNK, mode);
	scan->from = from;
	count = pgt_blob_key(blob, scan->table, keys);
	ScanKeyInit(&keys[count++], CHUNK_START + scan->table->leading, BTGreaterStrategyNumber, F_INT8GT, Int64GetDatum(from - blob->head.chunk_size));
	ScanKeyInit(&keys[count++], CHUNK_START + scan->table->leading, BTLessStrategyNumber, F_INT8LT, Int64GetDatum(to));
	scan->scan = pgt_scan_ordered(scan->table, &scan->index, GetActiveSnapshot(), count, keys);
}

bool
pgt_chunk_next(PgtChunkScan *scan)
{
	TupleDesc	desc = RelationGetDescr(scan->table->rel);
	int			leading = scan->table->leading;
	bool		isnull;

	do
	{
		CHECK_FOR_INTERRUPTS();
		scan->tuple = systable_getnext_ordered(scan->scan, ForwardScanDirection);
		if (!HeapTupleIsValid(scan->tuple))
			return false;
		scan->start = DatumGetInt64(heap_getattr(scan->tuple, CHUNK_START + leading, desc, &isnull));
		scan->data = pgt_data(scan->tuple, CHUNK_DATA + leading, desc);
		scan->size = toast_raw_datum_size(scan->data) - VARHDRSZ;
	} while (scan->start + scan->size <= scan->from);
	scan->crc = DatumGetInt32(heap_getattr(scan->tuple, CHUNK_CRC + leading, desc, &isnull));
	scan->has_crc = !isnull;
	return true;
}

void
pgt_chunk_scan_end(PgtChunkScan *scan)
{
	systable_endscan_ordered(scan->scan);
	index_close(scan->index, AccessShareLock);
}

Datum
pgt_data(HeapTuple tuple, AttrNumber attno, TupleDesc desc)
{
	bool		isnull;
	Datum		data = heap_getattr(tuple, attno, desc, &isnull);

	return isnull ? PointerGetDatum(cstring_to_text_with_len("", 0)) : data;
}

bool
pgt_data_copy(Datum data, bool has_crc, int32 crc, int32 whole, int32 from, int32 count, char *target)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(data);
	struct varlena *part = stored;
	bool		plain = !VARATT_IS_EXTERNAL(stored) && !VARATT_IS_COMPRESSED(stored);
	bool		right = true;

	if (toast_raw_datum_size(data) - VARHDRSZ != whole)
		return false;
	if (!plain && !has_crc && count < whole)
	{
		part = detoast_attr_slice(stored, from, count);
		from = 0;
	}
	else if (!plain)
		part = detoast_attr(stored);
	if (has_crc)
		right = VARSIZE_ANY_EXHDR(part) == whole && pgt_crc32c(VARDATA_ANY(part), whole) == crc;
	right = right && VARSIZE_ANY_EXHDR(part) >= from + count;
	if (right)
		memcpy(target, VARDATA_ANY(part) + from, count);
	if (part != stored)
		pfree(part);
	return right;
}
