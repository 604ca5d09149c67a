/*
 * blob.h: declarations shared by the files of the toaster appendable.
 *
 * docs/internals.md describes the format. A blob has a head row and consecutive chunks of up to chunk_size bytes. The
 * rest, shorter than a full chunk, is the pending tail: pieces, then the tail in the head row.
 */
#ifndef PGT_BLOB_H
#define PGT_BLOB_H

#include "core.h"

#include "access/xact.h"
#include "utils/timestamp.h"
#include "utils/xid8.h"

/* An append merges the pieces once there are this many, so that a blob written by many tiny appends stays cheap to
 * read. */
#define PGT_MAX_PIECES 64
/* Maximum number of attempts to find the blob of a handle while other transactions replace it. */
#define PGT_LOOKS 5

/* Terminator after the bytes of a tail. */
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

/* State of a column: column->state. */
typedef struct PgtBlobState
{
	PgtBlobOptions options;
	PgtPlace	heads[PGT_PLACES];
} PgtBlobState;

/* Tables of a store. */
typedef enum PgtPart
{
	PGT_HEAD, PGT_CHUNK, PGT_PIECE, PGT_TOKEN, PGT_FOLLOWER
} PgtPart;
#define PGT_PARTS 5

/* Column numbers of these tables, without the leading key. */
enum
{
	HEAD_ID = 1, HEAD_BASE, HEAD_PIECE_START, HEAD_GENERATION, HEAD_CREATED_AT, HEAD_CREATED_BY, HEAD_CREATED_AS,
	HEAD_CHUNK_SIZE, HEAD_PIECE_ROWS, HEAD_SEALED, HEAD_TAIL, HEAD_TOKENS_SINCE, HEAD_FIRST, HEAD_COLUMNS = HEAD_FIRST
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
	HeapTuple	tuple;			/* stored row; NULL if not stored yet */
	int64		base;			/* offset at which the tail begins */
	int64		piece_start;	/* offset at which the pieces begin: the end of the chunks */
	int64		generation;
	TimestampTz created_at;
	FullTransactionId created_by;
	Oid			created_as;
	int32		chunk_size;
	int32		piece_rows;
	bool		sealed;
	bool		forgot;			/* whether tokens of idle writers were deleted */
	TimestampTz tokens_since;	/* if forgot is set: the time before which idle writers were deleted */
	int64		first;			/* offset of the first byte that was not discarded */
	const char *tail;			/* bytes of the tail; points into the tuple of a stored head */
	int32		capacity;		/* capacity of the stored tail */
	int32		fill;			/* bytes in the tail */
	int64		length;			/* base + fill */
} PgtHead;

/* A blob during one operation. */
typedef struct PgtBlob
{
	PgtColumn  *column;
	PgtKey	   *key;
	const PgtBlobOptions *options;
	Datum		leading_key;
	int64		id;
	PgtHead		head;
	PgtTable	tables[PGT_PARTS];
	AclMode		modes[PGT_PARTS];	/* access modes; 0 if the table is not open */
	MemoryContext context;		/* memory that lives as long as the operation */
	bool		suppressed;		/* whether the new head was deleted because the handle could not be set */
} PgtBlob;

/* blob_table.c */

/* Initializes a blob for one operation. Reads and locks nothing, and remembers the current memory context. */
extern void pgt_blob_begin(PgtBlob *blob, PgtColumn *column, PgtKey *key);
/* Closes the tables that the operation opened; their locks are held until the end of the transaction. */
extern void pgt_blob_end(PgtBlob *blob);
/* Returns a table of the store, opened with at least this access mode. Raises the errors of pgt_table_open. */
extern PgtTable *pgt_blob_table(PgtBlob *blob, PgtPart part, AclMode mode);
/*
 * Sets the leading key and the id of the blob in a row of count columns, and clears all nulls. The head table must be
 * open.
 */
extern void pgt_blob_name(PgtBlob *blob, Datum *values, bool *nulls, int count);
/* Creates the scan keys that select the rows of the blob in a table; returns their number, 1 or 2. */
extern int	pgt_blob_key(PgtBlob *blob, PgtTable *table, ScanKey keys);
/* Raises an error (data corrupted) for a missing or damaged part of the blob at an offset. */
pg_noreturn extern void pgt_blob_damaged(PgtBlob *blob, const char *what, int64 offset);

/* blob_follower.c */

/*
 * Notifies the followers of the blob, at most once per interval. Skips a follower row that is locked. Only for stores
 * with the option notify.
 */
extern void pgt_followers_notify(PgtBlob *blob);

/* blob_head.c */

/*
 * Reads the owner's row and the head in the active snapshot, without locks. Returns PGT_APPLIED, PGT_NO_ROW,
 * PGT_NO_CONTENT, PGT_DAMAGED or, if mode is not ACL_SELECT, PGT_DENIED.
 */
extern PgtOutcome pgt_blob_find(PgtBlob *blob, AclMode mode);
/*
 * Locks the head FOR NO KEY UPDATE and reads its newest version. Returns what pgt_blob_find returns. Raises 40001 at
 * REPEATABLE READ and above if another transaction changed the head.
 */
extern PgtOutcome pgt_blob_lock(PgtBlob *blob);
/*
 * Locks the owner's row and prepares the head of a new blob; pgt_head_store stores it. Returns PGT_CONFLICT if the
 * row has a blob already, PGT_NO_ROW or PGT_DENIED if it cannot be locked.
 */
extern PgtOutcome pgt_blob_create(PgtBlob *blob);
/*
 * Writes the head. Returns false if another transaction was faster. For a new blob it also sets the handle in the
 * owner's row; if that fails, it deletes the head, sets suppressed and returns false.
 */
extern bool pgt_head_store(PgtBlob *blob, PgtHead *next);
/*
 * Appends bytes to the stored tail, which must have room for them and the terminator. Returns false if another
 * transaction was faster.
 */
extern bool pgt_head_extend(PgtBlob *blob, const char *data, Size size);
/* Does the same as pgt_head_store for a locked or new head; raises an error instead of returning false. */
extern void pgt_head_put(PgtBlob *blob, PgtHead *next);

/* blob_pending.c: the pending tail */

/*
 * Returns the capacity of a tail for count bytes: 2 to 4 times count, at least 64 and at most largest; 0 if count
 * bytes do not fit into a tail.
 */
extern int32 pgt_tail_capacity(int64 count, int32 largest);
/*
 * Gives a head that is not stored yet a new tail: the first bytes, then the second. Sets the tail's fill and length.
 * Allocates the tail in the current memory context; capacity must exceed the sum of both sizes, or be 0 if both are 0.
 */
extern void pgt_head_tail(PgtHead *head, int32 capacity, const char *first, Size first_size, const char *second, Size second_size);
/*
 * Sets count bytes (less than a chunk), which begin at start, as the pending tail of a head. Returns true if they do
 * not fit into the tail; the caller must then store them as the piece in slot 0.
 */
extern bool pgt_head_pending(PgtBlob *blob, PgtHead *head, int64 start, const char *segment, int32 count);
/*
 * Returns the bytes of the pieces and then of the tail of a head, as the active snapshot shows them, in palloc'd
 * memory. Returns NULL if they are damaged.
 */
extern char *pgt_pending_load(PgtBlob *blob, const PgtHead *head);
/*
 * Writes the first bytes, then the second, as the piece in a slot; inserts the row or replaces it. Requires the lock
 * of the head.
 */
extern void pgt_piece_put(PgtBlob *blob, int32 slot, int64 start, const char *first, Size first_size, const char *second, Size second_size);
/*
 * Deletes the pieces in slot rows and above; returns the number of deleted pieces. Requires the lock of the head.
 */
extern int64 pgt_piece_drop(PgtBlob *blob, int32 rows);

/* blob_chunk.c */

/* Returns the CRC-32C of the data. */
extern int32 pgt_crc32c(const char *data, Size size);

typedef struct PgtChunkWriter
{
	PgtBlob    *blob;
	PgtTable   *table;			/* NULL until it is needed */
	int32		size;			/* bytes in a full chunk */
	int64		start;			/* offset of the chunk being filled */
	int32		filled;
	bytea	   *chunk;
	MemoryContext context;		/* memory for full rows that are not inserted yet */
	HeapTuple  *rows;
	int			count;
	int			most;
} PgtChunkWriter;

/*
 * Starts a writer of chunks that begin at start. It allocates in the current memory context. Requires the lock of the
 * head.
 */
extern void pgt_chunks_begin(PgtChunkWriter *writer, PgtBlob *blob, int32 chunk_size, int64 start);
/* Adds bytes; inserts the full chunks in batches. */
extern void pgt_chunks_add(PgtChunkWriter *writer, const char *data, Size size);
/* Ends the current chunk, even if it is not full. */
extern void pgt_chunks_cut(PgtChunkWriter *writer);
/*
 * Inserts all full chunks and frees their memory; returns the writer->filled bytes after them, which are not stored.
 */
extern char *pgt_chunks_end(PgtChunkWriter *writer);

/*
 * Ends a writer and writes the head of its blob, with the bytes after the last full chunk as the pending tail.
 * Returns the number of pieces of the blob after that. The head must be locked or new. (blob_pending.c)
 */
extern int32 pgt_pending_finish(PgtChunkWriter *writer, PgtHead *next);
/* Does the same, but the content after start consists of two ranges of memory. */
extern int32 pgt_pending_flush(PgtBlob *blob, PgtHead *next, int64 start, const char *first, Size first_size, const char *second, Size second_size);

typedef struct PgtChunkScan
{
	PgtBlob    *blob;
	PgtTable   *table;
	Relation	index;
	SysScanDesc scan;
	int64		from;
	HeapTuple	tuple;			/* current row */
	int64		start;
	int32		size;			/* bytes in it */
	Datum		data;			/* as stored */
	bool		has_crc;
	int32		crc;
} PgtChunkScan;

/* Starts a scan in the active snapshot of the chunks that have bytes in [from, to), in order. */
extern void pgt_chunk_scan(PgtChunkScan *scan, PgtBlob *blob, AclMode mode, int64 from, int64 to);
/* Moves to the next chunk; returns false after the last one. */
extern bool pgt_chunk_next(PgtChunkScan *scan);
/* Ends the scan. The table stays open. */
extern void pgt_chunk_scan_end(PgtChunkScan *scan);
/*
 * Returns the bytes of a stored chunk or piece as they are stored: plain, compressed or TOASTed. Returns an empty
 * value for NULL, which the tables do not allow.
 */
extern Datum pgt_data(HeapTuple tuple, AttrNumber attno, TupleDesc desc);
/*
 * Copies count bytes of a stored chunk or piece of whole bytes, starting at from. Returns false if its length or
 * its CRC-32C is wrong.
 */
extern bool pgt_data_copy(Datum data, bool has_crc, int32 crc, int32 whole, int32 from, int32 count, char *target);
/* Returns a row for the chunk table, which must be open, in the current memory context. */
extern HeapTuple pgt_chunk_form(PgtBlob *blob, int64 start, Datum data, bool has_crc, int32 crc);

/* blob_token.c */

/*
 * Looks up the token of an append. Returns PGT_APPLIED if the token is new, else PGT_ALREADY_APPLIED,
 * PGT_TOKEN_MISMATCH or PGT_TOKEN_UNKNOWN. Sets the offset and length of the earlier append. Requires the lock of the
 * head.
 */
extern PgtOutcome pgt_token_find(PgtBlob *blob, PgtAppend *append);
/* Records the append as the last one of its writer. Requires the lock of the head. */
extern void pgt_token_record(PgtBlob *blob, PgtAppend *append);

/* The operations of PgtBlobVtable (pgtoaster.h). They return its outcomes. */

/*
 * Appends to the blob of a row, and creates it if the column is NULL. Sets the offset and length of the append; with
 * PGT_CONFLICT the offset is the current length. Locks the head until the end of the transaction; to create a blob,
 * also the owner's row. May raise 40001 at REPEATABLE READ and above.
 */
extern PgtOutcome pgt_append(PgtColumn *column, PgtKey *key, PgtAppend *append);
/*
 * Appends to a locked or new blob, which must not be sealed; the length must not exceed 2^63 - 1. Raises an error if
 * somebody changed the head without the lock.
 */
extern void pgt_append_locked(PgtBlob *blob, const char *data, Size size);
/*
 * Reads count bytes at an offset, or fewer at the end of the blob, into a palloc'd bytea. Reads one snapshot and locks
 * nothing. Returns PGT_TOO_LARGE if the bytes do not fit into one datum.
 */
extern PgtOutcome pgt_read(PgtColumn *column, PgtKey *key, int64 offset, int32 count, bytea **result);
/*
 * Overwrites bytes at an offset, which may extend the blob. Locks the head and increments the generation.
 * Returns PGT_OFFSET if the offset is beyond the end, PGT_DISCARDED if its bytes were discarded, PGT_SEALED if the blob is
 * sealed.
 */
extern PgtOutcome pgt_write(PgtColumn *column, PgtKey *key, int64 offset, const char *data, Size size);
/*
 * Truncates the blob to a length in bytes. Locks the head and increments the generation if the blob becomes shorter.
 */
extern PgtOutcome pgt_truncate(PgtColumn *column, PgtKey *key, int64 length);
/*
 * Rewrites chunks and pieces according to the store's options, without changing the content. Locks the head. rows
 * is the number of rows changed.
 */
extern PgtOutcome pgt_compact(PgtColumn *column, PgtKey *key, int64 *rows);
/*
 * Copies the content of one row to another, whose column must be NULL (otherwise PGT_NOT_EMPTY). Locks the target's
 * row; reads the source in one snapshot, without a lock.
 */
extern PgtOutcome pgt_copy(PgtColumn *column, PgtKey *source, PgtKey *target);
/* Sets the column to NULL; returns PGT_MISSING if it is NULL. A deferred trigger marks the content for deletion. */
extern PgtOutcome pgt_remove(PgtColumn *column, PgtKey *key);

#endif
