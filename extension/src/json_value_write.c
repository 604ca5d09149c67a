/*
 * json_value_write.c: writes jsonb in its own format, from front to back, as the server does: a container's header,
 * then its entries, then their data. Numbers and containers are aligned to 4 bytes.
 *
 * If the result would not fit into one jsonb, it returns PGT_TOO_LARGE.
 */
#include "json_value.h"

#include "utils/memutils.h"

void
pgt_out_begin(PgtOut *out)
{
	initStringInfo(&out->text);
	out->text.len = VARHDRSZ;
	out->rooted = false;
	out->limit = MaxAllocSize - 1;
}

Jsonb *
pgt_out_end(PgtOut *out)
{
	SET_VARSIZE(out->text.data, out->text.len);
	return (Jsonb *) out->text.data;
}

PgtOutcome
pgt_out_reserve(PgtOut *out, Size size)
{
	if (out->text.len + size > out->limit)
		return PGT_TOO_LARGE;
	enlargeStringInfo(&out->text, size);
	return PGT_APPLIED;
}

PgtOutcome
pgt_out_append(PgtOut *out, const void *data, Size size)
{
	PGT_TRY(pgt_out_reserve(out, size));
	memcpy(out->text.data + out->text.len, data, size);
	out->text.len += size;
	return PGT_APPLIED;
}

PgtOutcome
pgt_out_pad(PgtOut *out)
{
	PGT_TRY(pgt_out_reserve(out, sizeof(uint32)));
	while (out->text.len != INTALIGN(out->text.len))
		out->text.data[out->text.len++] = '\0';
	return PGT_APPLIED;
}

/* Starts a container of count elements or pairs. The first container limits the size of everything in it. */
PgtOutcome
pgt_out_open(PgtOut *out, PgtFrame *frame, uint32 flags, int64 count)
{
	int64		entries = (flags & JB_FOBJECT) ? 2 * count : count;
	uint32		header;

	if (count < 0)
		return PGT_DAMAGED;
	if (count > ((flags & JB_FOBJECT) ? PGT_MAX_PAIRS : PGT_MAX_ELEMS))
		return PGT_TOO_LARGE;
	if (!out->rooted)
		out->limit = Min(out->limit, out->text.len + sizeof(uint32) + sizeof(JEntry) * entries + JENTRY_OFFLENMASK);
	out->rooted = true;
	header = (uint32) count | flags;
	PGT_TRY(pgt_out_append(out, &header, sizeof(header)));
	frame->entries = out->text.len;
	frame->most = (int) entries;
	frame->count = 0;
	frame->length = 0;
	PGT_TRY(pgt_out_reserve(out, sizeof(JEntry) * entries));
	out->text.len += sizeof(JEntry) * entries;
	return PGT_APPLIED;
}

PgtOutcome
pgt_out_entry(PgtOut *out, PgtFrame *frame, uint32 type, int from)
{
	uint32		len = out->text.len - from;
	JEntry		entry;

	/* A damaged inner node may state a different number of elements than its leaves have. */
	if (frame->count >= frame->most)
		return PGT_DAMAGED;
	if ((uint64) frame->length + len > JENTRY_OFFLENMASK)
		return PGT_TOO_LARGE;
	frame->length += len;
	entry = frame->count % JB_OFFSET_STRIDE == 0 ? type | frame->length | JENTRY_HAS_OFF : type | len;
	memcpy(out->text.data + frame->entries + sizeof(JEntry) * frame->count, &entry, sizeof(JEntry));
	frame->count++;
	return PGT_APPLIED;
}
