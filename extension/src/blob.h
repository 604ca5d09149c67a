/*
 * blob.h: what the files of the toaster appendable share. The format is that of docs/internals.md: a head
 * row, chunks of up to chunk_size bytes one behind the other, then the pending tail, shorter than a full chunk, in pieces
 * and the head's tail.
 */
#ifndef PGT_BLOB_H
#define PGT_BLOB_H

#include "core.h"

#include "access/xact.h"
#include "utils/timestamp.h"
#include "utils/xid8.h"

/* More pieces than this are merged into one, so that many tiny ones stay cheap to read. */
#define PGT_MAX_PIECES 64
/* A handle is looked up so many times before it is said to name nothing. */
#define PGT_LOOKS 5

/* Ends the bytes of a tail. */
#define PGT_TAIL_END 1

/* Options of a store. */
typedef struct PgtBlobOptions
{
	int32		chunk_size;
	int32		tail;
	bool		crc32c;
	bool		notify;
	char		compression;	/* TOAST_*_COMPRESSION */
} PgtBlobOptions;

/* What is kept of a column: column->state. */
typedef struct PgtBlobState
{
	PgtBlobOptions options;
	PgtPlace	heads[PGT_PLACES];
} PgtBlobState;

/* The tables of a store. */
typedef enum PgtPart
{
	PGT_HEAD, PGT_CHUNK, PGT_PIECE, PGT_TOKEN, PGT_FOLLOWER
} PgtPart;
#define PGT_PARTS 5

/* Their columns, counted without the leading key. */
enum
{
	HEAD_ID = 1, HEAD_BASE, HEAD_PIECE_START, HEAD_GENERATION, HEAD_CREATED_AT, HEAD_CREATED_BY, HEAD_CREATED_AS,
	HEAD_CHUNK_SIZE, HEAD_PIECE_ROWS, HEAD_SEALED, HEAD_TAIL, HEAD_TOKENS_SINCE, HEAD_COLUMNS = HEAD_TOKENS_SINCE
};
enum
{
	CHUNK_BLOB = 1, CHUNK_START, CHUNK_CRC, CHUNK_DATA, CHUNK_COLUMNS = CHUNK_DATA
};
enum
{
	PIECE_BLOB = 1, PIECE_SLOT, PIECE_START, PIECE_CRC, PIECE_DATA, PIECE_COLUMNS = PIECE_DATA
};
enum
{
	TOKEN_BLOB = 1, TOKEN_WRITER, TOKEN_SEQUENCE, TOKEN_START, TOKEN_LENGTH, TOKEN_AT, TOKEN_COLUMNS = TOKEN_AT
};
enum
{
	FOLLOWER_BLOB = 1, FOLLOWER_EXPIRES, FOLLOWER_NOTIFIED_AT, FOLLOWER_COLUMNS = FOLLOWER_NOTIFIED_AT
};
#define PGT_MOST_COLUMNS (HEAD_COLUMNS + 1)

/* A head row. */
typedef struct PgtHead
{
	HeapTuple	tuple;			/* as it is stored; NULL: not yet */
	int64		base;			/* where the tail begins */
	int64		piece_start;	/* where the pieces begin, at the end of the chunks */
	int64		generation;
	TimestampTz created_at;
	FullTransactionId created_by;
	Oid			created_as;
	int32		chunk_size;
	int32		piece_rows;
	bool		sealed;
	bool		forgot;			/* whether writers were forgotten */
	TimestampTz tokens_since;	/* those silent since before this */
	const char *tail;			/* in the tuple, if there is one */
	int32		capacity;		/* of the tail as it is stored */
	int32		fill;			/* bytes in it */
	int64		length;			/* base + fill */
} PgtHead;

/* A blob, as an operation finds it. */
typedef struct PgtBlob
{
	PgtColumn  *column;
	PgtKey	   *key;
	const PgtBlobOptions *options;
	Datum		leading_key;
	int64		id;
	PgtHead		head;
	PgtTable	tables[PGT_PARTS];
	AclMode		modes[PGT_PARTS];	/* 0: not open */
	MemoryContext context;		/* of what lasts as long as the operation */
	bool		suppressed;		/* the new head was taken back: the handle could not be set */
} PgtBlob;

/* blob.c */
extern void pgt_blob_begin(PgtBlob *blob, PgtColumn *column, PgtKey *key);
extern void pgt_blob_end(PgtBlob *blob);
extern PgtTable *pgt_blob_table(PgtBlob *blob, PgtPart part, AclMode mode);
/* Sets values and conditions that name the blob; the latter returns how many it made. */
extern void pgt_blob_name(PgtBlob *blob, Datum *values, bool *nulls, int count);
extern int	pgt_blob_key(PgtBlob *blob, PgtTable *table, ScanKey keys);
/* PGT_APPLIED, PGT_NO_ROW, PGT_NO_CONTENT or PGT_DAMAGED, by the active snapshot. */
extern PgtOutcome pgt_blob_find(PgtBlob *blob, AclMode mode);
/* The same as it is now, with its head locked. */
extern PgtOutcome pgt_blob_lock(PgtBlob *blob);
/* Locks the row; PGT_CONFLICT if it has a blob. Otherwise the blob is new, and its head to be stored. */
extern PgtOutcome pgt_blob_create(PgtBlob *blob);
/* Writes the head; false if another transaction was faster. A new head is named in the owner's row. */
extern bool pgt_head_store(PgtBlob *blob, PgtHead *next);
/* The same for a head that changes only by bytes behind those in its tail, which has room for them. */
extern bool pgt_head_extend(PgtBlob *blob, const char *data, Size size);
/* As pgt_head_store, for a head that is locked or new. */
extern void pgt_head_put(PgtBlob *blob, PgtHead *next);
pg_noreturn extern void pgt_blob_damaged(PgtBlob *blob, const char *what, int64 offset);
extern int32 pgt_crc32c(const char *data, Size size);

/* blob_pending.c: the pending tail */

/* Appends to the tail of a head that is not stored yet, or gives it another one. */
extern int32 pgt_tail_capacity(int64 count, int32 largest);
extern void pgt_head_tail(PgtHead *head, int32 capacity, const char *first, Size first_size, const char *second, Size second_size);
/* Makes so many bytes, less than a chunk, the pending tail of a head; true if it wants a piece, in slot 0. */
extern bool pgt_head_pending(PgtBlob *blob, PgtHead *head, int64 start, const char *segment, int32 count);
/* The pieces of a head, then its tail, by the active snapshot; NULL if damaged. */
extern char *pgt_pending_load(PgtBlob *blob, const PgtHead *head);
extern void pgt_piece_put(PgtBlob *blob, int32 slot, int64 start, const char *first, Size first_size, const char *second, Size second_size);
/* Deletes the pieces from a slot on; returns how many. */
extern int64 pgt_piece_drop(PgtBlob *blob, int32 rows);
/* blob_chunk.c */

typedef struct PgtChunkWriter
{
	PgtBlob    *blob;
	PgtTable   *table;			/* NULL: not needed yet */
	int32		size;			/* of a chunk */
	int64		start;			/* of the chunk being filled */
	int32		filled;
	bytea	   *chunk;
	MemoryContext context;		/* of the rows that are full but not inserted yet */
	HeapTuple  *rows;
	int			count;
	int			most;
} PgtChunkWriter;

extern void pgt_chunks_begin(PgtChunkWriter *writer, PgtBlob *blob, int32 chunk_size, int64 start);
extern void pgt_chunks_add(PgtChunkWriter *writer, const char *data, Size size);
/* Makes what is filled a chunk of its own size. */
extern void pgt_chunks_cut(PgtChunkWriter *writer);
/* Inserts all full chunks; returns the bytes behind them, writer->filled of them. */
extern char *pgt_chunks_end(PgtChunkWriter *writer);

/*
 * Ends a writer, and writes the head of its blob, with the bytes behind the last full chunk as its pending tail. Returns
 * the number of pieces that the blob has then. (blob_pending.c)
 */
extern int32 pgt_pending_finish(PgtChunkWriter *writer, PgtHead *next);
/* The same of two ranges of memory that lie behind each other, from start on. */
extern int32 pgt_pending_flush(PgtBlob *blob, PgtHead *next, int64 start, const char *first, Size first_size, const char *second, Size second_size);

typedef struct PgtChunkScan
{
	PgtBlob    *blob;
	PgtTable   *table;
	Relation	index;
	SysScanDesc scan;
	int64		from;
	HeapTuple	tuple;			/* the present row */
	int64		start;
	int32		size;			/* bytes in it */
	Datum		data;			/* as it is stored */
	bool		has_crc;
	int32		crc;
} PgtChunkScan;

/* Goes through the chunks with bytes in [from, to), in order, by the active snapshot. */
extern void pgt_chunk_scan(PgtChunkScan *scan, PgtBlob *blob, AclMode mode, int64 from, int64 to);
extern bool pgt_chunk_next(PgtChunkScan *scan);
extern void pgt_chunk_scan_end(PgtChunkScan *scan);
/* The bytes of a stored chunk or piece, in whatever form; none if somebody wrote NULL, which the tables do not allow. */
extern Datum pgt_data(HeapTuple tuple, AttrNumber attno, TupleDesc desc);
/* Copies a part of a stored chunk or piece of whole bytes; false if it is damaged. */
extern bool pgt_data_copy(Datum data, bool has_crc, int32 crc, int32 whole, int32 from, int32 count, char *target);
/* A row of the chunk table, which is open. */
extern HeapTuple pgt_chunk_form(PgtBlob *blob, int64 start, Datum data, bool has_crc, int32 crc);

/* blob_token.c */

/* PGT_APPLIED: the token is new; PGT_ALREADY_APPLIED, PGT_TOKEN_MISMATCH or PGT_TOKEN_UNKNOWN: it is not. */
extern PgtOutcome pgt_token_find(PgtBlob *blob, PgtAppend *append);
extern void pgt_token_record(PgtBlob *blob, PgtAppend *append);
/* Tells those who follow the blob, if the store has that option. */
extern void pgt_followers_notify(PgtBlob *blob);

/* Operations. */
extern PgtOutcome pgt_append(PgtColumn *column, PgtKey *key, PgtAppend *append);
/* To a locked or new blob, open and with room. */
extern void pgt_append_locked(PgtBlob *blob, const char *data, Size size);
extern PgtOutcome pgt_read(PgtColumn *column, PgtKey *key, int64 offset, int32 count, bytea **result);
extern PgtOutcome pgt_length(PgtColumn *column, PgtKey *key, int64 *length);
extern PgtOutcome pgt_write(PgtColumn *column, PgtKey *key, int64 offset, const char *data, Size size);
extern PgtOutcome pgt_truncate(PgtColumn *column, PgtKey *key, int64 length);
extern PgtOutcome pgt_compact(PgtColumn *column, PgtKey *key, int64 *rows);
extern PgtOutcome pgt_copy(PgtColumn *column, PgtKey *source, PgtKey *target);
extern PgtOutcome pgt_remove(PgtColumn *column, PgtKey *key);

#endif
