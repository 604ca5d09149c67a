/*
 * blob_append.c: appends.
 *
 * Normally, an append is optimistic: it replaces the head that the snapshot shows. If another transaction has changed
 * the head, it starts again with the head locked. The next head depends only on the old head and the new bytes, so it
 * is written first. Writing it locks the head; chunks and pieces are written with this lock. With a token, or with an
 * expected offset that the snapshot does not show, it takes the lock first. A retry then waits for the first attempt,
 * whose response was lost, and sees its result.
 */
#include "blob.h"

#include "miscadmin.h"

/* Rows to write in addition to the head. */
typedef enum Step
{
	TAIL_ONLY,
	ADD_PIECE,
	MERGE_PIECES,
	ADD_CHUNKS
} Step;

/*
 * Returns true if the last bytes of an append become a chunk that is not full, so that they are written only once.
 * That is the case if they do not fit in the tail and, together with the bytes in the tail, fill at least a quarter of
 * a chunk.
 */
static bool
is_large(PgtBlob *blob, Size size)
{
	int64		count = (int64) blob->head.fill + size;

	return count >= blob->head.chunk_size / 4 && pgt_tail_capacity(count, blob->options->tail) == 0;
}

/*
 * Returns how many of the bytes after the full chunks become such a chunk: none if they fit in the tail, half a chunk
 * if a larger chunk would waste space on its page. The remaining bytes are new, or they are bytes of the tail and all
 * new bytes.
 */
static int32
own_part(PgtBlob *blob, Size size, int32 rest)
{
	int32		whole = blob->head.chunk_size;
	int32		half = whole / 2 - 50;

	if (rest == 0 || !is_large(blob, size) || pgt_tail_capacity(rest, blob->options->tail) > 0)
		return 0;
	return rest > half && rest <= half + whole / 4 ? half : rest;
}

/* Plans an append: the next head, and the other rows to write. */
static Step
plan(PgtBlob *blob, const char *data, Size size, PgtHead *next)
{
	const PgtHead *head = &blob->head;
	int64		pending = head->length - head->piece_start;
	int64		count = (int64) head->fill + size;
	int32		capacity;

	*next = *head;
	if (pending + (int64) size >= head->chunk_size || is_large(blob, size))
	{
		int32		rest = (pending + (int64) size) % head->chunk_size;
		const char *segment;

		rest -= own_part(blob, size, rest);
		segment = data + size - rest;

		/* The pieces are shorter than the part that is cut off. */
		if (rest > size)
		{
			char	   *both = palloc(rest);

			memcpy(both, head->tail + head->fill - (rest - size), rest - size);
			memcpy(both + rest - size, data, size);
			segment = both;
		}
		pgt_head_pending(blob, next, head->piece_start + pending + (int64) size - rest, segment, rest);
		return ADD_CHUNKS;
	}
	capacity = pgt_tail_capacity(count, blob->options->tail);
	if (capacity > 0)
	{
		pgt_head_tail(next, capacity, head->tail, head->fill, data, size);
		return TAIL_ONLY;
	}
	next->base = head->base + count;
	if (head->piece_rows >= PGT_MAX_PIECES)
	{
		next->piece_rows = 1;
		pgt_head_tail(next, 0, NULL, 0, NULL, 0);
		return MERGE_PIECES;
	}
	next->piece_rows++;
	pgt_head_tail(next, blob->options->tail, NULL, 0, NULL, 0);
	return ADD_PIECE;
}

/* Appends to the head as it was found; returns false, and writes nothing, if the head has changed. */
static bool
append_to_head(PgtBlob *blob, const char *data, Size size)
{
	PgtHead    *head = &blob->head;
	PgtHead		next;
	Step		step;

	if (size == 0 && head->tuple != NULL)
		return true;
	if (head->fill + (int64) size < head->capacity)
		return pgt_head_extend(blob, data, size);
	step = size == 0 ? TAIL_ONLY : plan(blob, data, size, &next);
	if (size == 0)
		next = *head;
	if (!pgt_head_store(blob, &next))
		return false;
	if (step == TAIL_ONLY)
		return true;
	if (step == ADD_PIECE)
		pgt_piece_put(blob, head->piece_rows, head->base, head->tail, head->fill, data, size);
	else
	{
		int32		pending = (int32) (head->length - head->piece_start);
		char	   *segment;

		/* The head is locked now, so a new snapshot shows the current pieces. */
		pgt_push_snapshot();
		segment = pgt_pending_load(blob, head);
		pgt_pop_snapshot();
		if (segment == NULL)
			pgt_blob_damaged(blob, "a piece", head->piece_start);
		if (step == MERGE_PIECES)
			pgt_piece_put(blob, 0, head->piece_start, segment, pending, data, size);
		else
		{
			PgtChunkWriter writer;
			int64		cut = next.piece_start - head->piece_start;
			char	   *rest;

			pgt_chunks_begin(&writer, blob, head->chunk_size, head->piece_start);
			pgt_chunks_add(&writer, segment, Min(pending, cut));
			pgt_chunks_add(&writer, data, Max(0, cut - pending));
			if (writer.filled > 0)
				pgt_chunks_cut(&writer);
			pgt_chunks_add(&writer, segment + Min(pending, cut), Max(0, pending - cut));
			pgt_chunks_add(&writer, data + Max(0, cut - pending), size - Max(0, cut - pending));
			rest = pgt_chunks_end(&writer);
			Assert(writer.start == next.piece_start);
			if (next.piece_rows > 0)
				pgt_piece_put(blob, 0, next.piece_start, rest, writer.filled, NULL, 0);
		}
	}
	return true;
}

void
pgt_append_locked(PgtBlob *blob, const char *data, Size size)
{
	if (!append_to_head(blob, data, size))
		pgt_interfered(blob->column);
}

/* Returns the reason to refuse an append, or PGT_APPLIED. */
static PgtOutcome
refusal(PgtHead *head, PgtAppend *append)
{
	if (head->sealed)
		return PGT_SEALED;
	if (append->has_expected && append->expected != head->length)
		return PGT_CONFLICT;
	if (head->length > PG_INT64_MAX - (int64) append->size)
		return PGT_OFFSET;
	return PGT_APPLIED;
}

static PgtOutcome
lock_or_create(PgtBlob *blob, PgtAppend *append)
{
	for (int look = 0; look < PGT_LOOKS; look++)
	{
		PgtOutcome	outcome = pgt_blob_lock(blob);

		if (outcome != PGT_NO_CONTENT)
			return outcome;
		if (append->has_expected && append->expected > 0)
		{
			blob->head.length = 0;
			return PGT_CONFLICT;
		}
		outcome = pgt_blob_create(blob);
		if (outcome != PGT_CONFLICT)
			return outcome;
	}
	return PGT_DAMAGED;
}

static PgtOutcome
append_under_lock(PgtBlob *blob, PgtAppend *append)
{
	PgtOutcome	outcome = lock_or_create(blob, append);

	if (outcome == PGT_APPLIED && append->has_token && blob->head.tuple != NULL)
	{
		outcome = pgt_token_find(blob, append);
		if (outcome == PGT_ALREADY_APPLIED)
			return outcome;
	}
	append->offset = blob->head.length;
	if (outcome == PGT_APPLIED)
		outcome = refusal(&blob->head, append);
	if (outcome != PGT_APPLIED)
		return outcome;
	append->length = append->size;
	if (!append_to_head(blob, append->data, append->size))
	{
		if (blob->suppressed)
			return PGT_SUPPRESSED;
		pgt_interfered(blob->column);
	}
	if (append->has_token)
		pgt_token_record(blob, append);
	return PGT_APPLIED;
}

PgtOutcome
pgt_append(PgtColumn *column, PgtKey *key, PgtAppend *append)
{
	PgtBlob		blob;
	PgtOutcome	outcome = PGT_CONFLICT;

	pgt_blob_begin(&blob, column, key);
	if (!append->has_token)
	{
		outcome = pgt_blob_find(&blob, ACL_SELECT | ACL_UPDATE);
		if (outcome == PGT_APPLIED)
			outcome = refusal(&blob.head, append);
		if (outcome == PGT_APPLIED)
		{
			append->offset = blob.head.length;
			append->length = append->size;
			if (!append_to_head(&blob, append->data, append->size))
				outcome = PGT_CONFLICT;
		}
	}
	if (outcome == PGT_CONFLICT || outcome == PGT_NO_CONTENT)
		outcome = append_under_lock(&blob, append);
	pgt_blob_end(&blob);
	return outcome;
}
