/*
 * json_value_splice.c: replaces one value in a jsonb and copies everything around it. This is several times cheaper than
 * jsonb_set, which parses the whole value.
 */
#include "json_value.h"

#include "miscadmin.h"

typedef struct Splice
{
	PgtOut		out;
	PgtSteps   *path;
	Jsonb	   *value;
} Splice;

/* Adds a value unchanged. */
static PgtOutcome
copy_entry(PgtOut *out, PgtFrame *frame, uint32 type, const char *data, uint32 len)
{
	int			from = out->text.len;

	if (type == JENTRY_ISCONTAINER || type == JENTRY_ISNUMERIC)
		PGT_TRY(pgt_out_pad(out));
	PGT_TRY(pgt_out_append(out, data, len));
	return pgt_out_entry(out, frame, type, from);
}

/* Adds the new value. */
static PgtOutcome
add_new(Splice *splice, PgtFrame *frame)
{
	JsonbContainer *root = &splice->value->root;

	if (JsonContainerIsScalar(root))
	{
		uint32		offset = 0;
		uint32		type;
		uint32		len;
		const char *data;

		pgt_entry_at(root, (const char *) &root->children[1], 0, &offset, &type, &data, &len);
		return copy_entry(&splice->out, frame, type, data, len);
	}
	return copy_entry(&splice->out, frame, JENTRY_ISCONTAINER, (const char *) root, VARSIZE(splice->value) - VARHDRSZ);
}

static PgtOutcome splice_container(Splice *splice, const JsonbContainer *container, int step);

/* Adds an entry that is changed, or that contains the change. */
static PgtOutcome
add_changed(Splice *splice, PgtFrame *frame, uint32 type, const char *data, int step)
{
	int			from;

	if (step == splice->path->length - 1)
		return add_new(splice, frame);
	if (type != JENTRY_ISCONTAINER)
		return PGT_MISSING;
	from = splice->out.text.len;
	PGT_TRY(pgt_out_pad(&splice->out));
	PGT_TRY(splice_container(splice, (const JsonbContainer *) data, step + 1));
	return pgt_out_entry(&splice->out, frame, JENTRY_ISCONTAINER, from);
}

static PgtOutcome
splice_array(Splice *splice, const JsonbContainer *array, int step)
{
	int			count = JsonContainerSize(array);
	const char *base = (const char *) &array->children[count];
	uint32		offset = 0;
	int64		at = splice->path->steps[step].position;
	PgtFrame	frame;

	if (at < 0)
		at += count;
	if (JsonContainerIsScalar(array) || !splice->path->steps[step].is_position || at < 0 || at >= count)
		return PGT_MISSING;
	PGT_TRY(pgt_out_open(&splice->out, &frame, JB_FARRAY, count));
	for (int i = 0; i < count; i++)
	{
		uint32		type;
		uint32		len;
		const char *data;

		pgt_entry_at(array, base, i, &offset, &type, &data, &len);
		PGT_TRY(i == at ? add_changed(splice, &frame, type, data, step)
				: copy_entry(&splice->out, &frame, type, data, len));
	}
	return PGT_APPLIED;
}

/* Returns the position of a key in an object, or the position at which it would be inserted. */
static int
find_key(const JsonbContainer *object, const char *base, PgtStep *step, bool *found)
{
	int			low = 0;
	int			high = JsonContainerSize(object);

	*found = false;
	while (low < high)
	{
		int			middle = (low + high) / 2;
		int			len = getJsonbLength(object, middle);
		int			order = len != step->key_len ? (len < step->key_len ? -1 : 1)
			: memcmp(base + getJsonbOffset(object, middle), step->key, len);

		if (order == 0)
		{
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static PgtOutcome
splice_object(Splice *splice, const JsonbContainer *object, int step)
{
	PgtStep    *key = &splice->path->steps[step];
	int			count = JsonContainerSize(object);
	const char *base = (const char *) &object->children[2 * count];
	uint32		offset = 0;
	bool		found;
	int			at = find_key(object, base, key, &found);
	PgtFrame	frame;
	uint32		type;
	uint32		len;
	const char *data;

	if (!found && step < splice->path->length - 1)
		return PGT_MISSING;
	PGT_TRY(pgt_out_open(&splice->out, &frame, JB_FOBJECT, found ? count : count + 1));
	for (int i = 0; i <= count; i++)
	{
		if (i == at && !found)
			PGT_TRY(copy_entry(&splice->out, &frame, JENTRY_ISSTRING, key->key, key->key_len));
		if (i == count)
			break;
		pgt_entry_at(object, base, i, &offset, &type, &data, &len);
		PGT_TRY(copy_entry(&splice->out, &frame, type, data, len));
	}
	for (int i = 0; i <= count; i++)
	{
		if (i == at && !found)
			PGT_TRY(add_new(splice, &frame));
		if (i == count)
			break;
		pgt_entry_at(object, base, count + i, &offset, &type, &data, &len);
		PGT_TRY(i == at && found ? add_changed(splice, &frame, type, data, step)
				: copy_entry(&splice->out, &frame, type, data, len));
	}
	return PGT_APPLIED;
}

static PgtOutcome
splice_container(Splice *splice, const JsonbContainer *container, int step)
{
	check_stack_depth();
	return JsonContainerIsArray(container) ? splice_array(splice, container, step)
		: splice_object(splice, container, step);
}

PgtOutcome
pgt_splice(Jsonb *jsonb, PgtSteps *path, Jsonb *value, Jsonb **result)
{
	Splice		splice = {.path = path,.value = value};

	pgt_out_begin(&splice.out);
	PGT_TRY(pgt_out_reserve(&splice.out, VARSIZE(jsonb) + VARSIZE(value) + 64));
	PGT_TRY(splice_container(&splice, &jsonb->root, 0));
	*result = pgt_out_end(&splice.out);
	return PGT_APPLIED;
}
