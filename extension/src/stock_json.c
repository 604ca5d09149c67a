/*
 * stock_json.c: documents of the toaster default: an ordinary jsonb column, read whole and written whole, as the
 * server's own operators would do it.
 */
#include "json_edit.h"
#include "stock.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

/* Keys in an ordinary document are as the user has them. */
static void
plain_steps(PgtSteps *steps, PgtPath *path)
{
	pgt_steps(steps, path);
	for (int i = 0; i < steps->length; i++)
	{
		steps->steps[i].key = steps->steps[i].raw;
		steps->steps[i].key_len = steps->steps[i].raw_len;
	}
}

/* The value that the first steps of a path lead to. */
static bool
find(Jsonb *document, PgtSteps *steps, int length, JsonbValue *value)
{
	pgt_root_value(document, value);
	for (int i = 0; i < length; i++)
	{
		PgtStep    *step = &steps->steps[i];
		JsonbValue *next = NULL;

		if (pgt_is_object(value))
			next = getKeyJsonValueFromContainer(value->val.binary.data, step->key, step->key_len, NULL);
		else if (pgt_is_array(value) && step->is_position)
		{
			int64		count = JsonContainerSize(value->val.binary.data);
			int64		position = step->position < 0 ? step->position + count : step->position;

			if (position >= 0 && position < count)
				next = getIthJsonbValueFromContainer(value->val.binary.data, (uint32) position);
		}
		if (next == NULL)
			return false;
		*value = *next;
	}
	return true;
}

/* Reads the document and finds the value at a path in it. */
static PgtOutcome
read_value(PgtColumn *column, PgtKey *key, PgtPath *path, JsonbValue *value)
{
	PgtSteps	steps;
	PgtOwnerRow row;

	if (column->type != JSONBOID)
		return PGT_NO_OPERATION;
	if (!pgt_owner_read(column, key, &row))
		return PGT_NO_ROW;
	plain_steps(&steps, path);
	return !row.isnull && find(DatumGetJsonbP(row.value), &steps, steps.length, value) ? PGT_APPLIED : PGT_MISSING;
}

static PgtOutcome
stock_get(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb **result)
{
	JsonbValue	value;
	PgtOutcome	outcome = read_value(column, key, path, &value);

	if (outcome == PGT_APPLIED)
		*result = JsonbValueToJsonb(&value);
	return outcome;
}

static PgtOutcome
stock_describe(PgtColumn *column, PgtKey *key, PgtPath *path, bool size, const char **type, int64 *count)
{
	JsonbValue	value;
	PgtOutcome	outcome = read_value(column, key, path, &value);

	*count = -1;
	if (outcome != PGT_APPLIED)
		return outcome;
	*type = pgt_is_object(&value) ? "object" : pgt_is_array(&value) ? "array" : JsonbTypeName(&value);
	if (size && value.type == jbvBinary)
		*count = JsonContainerSize(value.val.binary.data);
	return outcome;
}

static PgtOutcome
stock_slice(PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result)
{
	JsonbValue	value;
	JsonbParseState *state = NULL;
	PgtOutcome	outcome = read_value(column, key, path, &value);

	if (outcome != PGT_APPLIED)
		return outcome;
	if (!pgt_is_array(&value))
		return PGT_MISSING;
	to = Min(to, (int64) JsonContainerSize(value.val.binary.data));
	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	for (int64 i = from; i < to; i++)
	{
		CHECK_FOR_INTERRUPTS();
		pushJsonbValue(&state, WJB_ELEM, getIthJsonbValueFromContainer(value.val.binary.data, (uint32) i));
	}
	*result = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_ARRAY, NULL));
	return PGT_APPLIED;
}

/* A document under the lock of its row. */
typedef struct Locked
{
	bool		isnull;
	Jsonb	   *document;
	PgtSteps	steps;
} Locked;

static PgtOutcome
lock(PgtColumn *column, PgtKey *key, PgtPath *path, Locked *locked)
{
	PgtOwnerRow row;

	if (column->type != JSONBOID)
		return PGT_NO_OPERATION;
	if (!pgt_owner_lock(column, key, &row))
		return pgt_owner_unlocked(column, key);
	locked->isnull = row.isnull;
	locked->document = row.isnull ? NULL : DatumGetJsonbP(row.value);
	plain_steps(&locked->steps, path);
	return PGT_APPLIED;
}

static PgtOutcome
store(PgtColumn *column, PgtKey *key, Jsonb *document)
{
	return pgt_owner_update(column, key, JsonbPGetDatum(document), false) ? PGT_APPLIED : PGT_NO_ROW;
}

/* Changes the locked document at the path, which has steps. */
static PgtOutcome
change_locked(PgtColumn *column, PgtKey *key, Locked *locked, PgtChange *change)
{
	JsonbValue	root;
	PgtOutcome	outcome;

	if (locked->isnull || locked->steps.length == 0)
		return PGT_MISSING;
	pgt_root_value(locked->document, &root);
	outcome = pgt_change(NULL, 0, &root, &locked->steps, change);
	return outcome == PGT_APPLIED ? store(column, key, pgt_json_form(&root)) : outcome;
}

static PgtOutcome
change_slot(PgtColumn *column, PgtKey *key, PgtPath *path, PgtChange *change)
{
	Locked		locked;
	PgtOutcome	outcome = lock(column, key, path, &locked);

	return outcome == PGT_APPLIED ? change_locked(column, key, &locked, change) : outcome;
}

/* Puts a value at the path of the locked document, the root included. */
static PgtOutcome
replace(PgtColumn *column, PgtKey *key, Locked *locked, const JsonbValue *value)
{
	PgtChange	change = {.kind = PGT_SET,.value = *value};

	if (locked->steps.length == 0)
		return store(column, key, pgt_json_form(value));
	return change_locked(column, key, locked, &change);
}

static PgtOutcome
stock_set(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool create)
{
	PgtChange	change = {.kind = PGT_SET,.flag = create};

	pgt_root_value(value, &change.value);
	return change_slot(column, key, path, &change);
}

static PgtOutcome
stock_insert(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool after)
{
	PgtChange	change = {.kind = PGT_INSERT,.flag = after};

	pgt_root_value(value, &change.value);
	return change_slot(column, key, path, &change);
}

static PgtOutcome
stock_remove(PgtColumn *column, PgtKey *key, PgtPath *path)
{
	PgtChange	change = {.kind = PGT_REMOVE};

	return change_slot(column, key, path, &change);
}

static PgtOutcome
stock_append(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value)
{
	Locked		locked;
	JsonbValue	there;
	JsonbValue	joined;
	PgtOutcome	outcome = lock(column, key, path, &locked);

	if (outcome != PGT_APPLIED)
		return outcome;
	if (locked.isnull || !find(locked.document, &locked.steps, locked.steps.length, &there))
		return PGT_MISSING;
	pgt_root_value(DatumGetJsonbP(DirectFunctionCall2(jsonb_concat, JsonbPGetDatum(JsonbValueToJsonb(&there)), JsonbPGetDatum(value))),
				  &joined);
	return replace(column, key, &locked, &joined);
}

static PgtOutcome
stock_increment(PgtColumn *column, PgtKey *key, PgtPath *path, Datum delta, Datum *sum)
{
	Locked		locked;
	JsonbValue	number;
	PgtChange	change = {.kind = PGT_INCREMENT,.delta = delta};
	PgtOutcome	outcome = lock(column, key, path, &locked);

	if (outcome != PGT_APPLIED)
		return outcome;
	if (path->length > 0)
	{
		outcome = change_locked(column, key, &locked, &change);
		*sum = change.sum;
		return outcome;
	}
	if (locked.isnull)
		return PGT_MISSING;
	pgt_root_value(locked.document, &number);
	if (number.type != jbvNumeric)
		return PGT_WRONG_TYPE;
	number.val.numeric = DatumGetNumeric(DirectFunctionCall2(numeric_add, NumericGetDatum(number.val.numeric), delta));
	if (numeric_is_nan(number.val.numeric) || numeric_is_inf(number.val.numeric))
		return PGT_WRONG_TYPE;
	*sum = NumericGetDatum(number.val.numeric);
	return replace(column, key, &locked, &number);
}

static PgtOutcome
stock_shrink(PgtColumn *column, PgtKey *key, int64 *rows)
{
	PgtOwnerRow row;

	if (column->type != JSONBOID)
		return PGT_NO_OPERATION;
	*rows = 0;
	return pgt_owner_read(column, key, &row) ? PGT_APPLIED : PGT_NO_ROW;
}

const PgtJsonVtable pgt_stock_json = {
	.get = stock_get,.describe = stock_describe,.slice = stock_slice,.set = stock_set,.insert = stock_insert,
	.append = stock_append,.remove = stock_remove,.increment = stock_increment,.shrink = stock_shrink
};
