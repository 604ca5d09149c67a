/* option.c: reads options of columns. */
#include "core.h"

#include "utils/numeric.h"

static JsonbValue *
option(PgtColumn *column, const char *name, JsonbValue *value)
{
	return getKeyJsonValueFromContainer(&column->options->root, name, strlen(name), value);
}

static void
missing_option(PgtColumn *column, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the catalog has no option \"%s\" for %s", name, pgt_column_text(column)),
			 errhint("Install the catalog again.")));
}

int32
pgt_option_int(PgtColumn *column, const char *name)
{
	JsonbValue	value;

	if (option(column, name, &value) == NULL || value.type != jbvNumeric)
		missing_option(column, name);
	return DatumGetInt32(DirectFunctionCall1(numeric_int4, NumericGetDatum(value.val.numeric)));
}

bool
pgt_option_bool(PgtColumn *column, const char *name)
{
	JsonbValue	value;

	if (option(column, name, &value) == NULL || value.type != jbvBool)
		missing_option(column, name);
	return value.val.boolean;
}

char *
pgt_option_text(PgtColumn *column, const char *name)
{
	JsonbValue	value;

	if (option(column, name, &value) == NULL || value.type != jbvString)
		return NULL;
	return pnstrdup(value.val.string.val, value.val.string.len);
}
