/*
 * document_path.c: the members of a document that a jsonpath needs, and the operators with a jsonpath.
 */
#include "document.h"

#include "utils/fmgrprotos.h"

/* Adds the members of the document that a part of a jsonpath names; returns false if it may use others. */
static bool
add_members(JsonPathItem *item, List **keys)
{
	JsonPathItem part;
	JsonPathItem other;

	check_stack_depth();
	switch (item->type)
	{
		case jpiRoot:
			if (!jspGetNext(item, &part) || part.type != jpiKey)
				return false;
			{
				int32		length;
				char	   *key = jspGetString(&part, &length);

				*keys = lappend(*keys, cstring_to_text_with_len(key, length));
			}
			break;
		case jpiAnd:
		case jpiOr:
		case jpiEqual:
		case jpiNotEqual:
		case jpiLess:
		case jpiGreater:
		case jpiLessOrEqual:
		case jpiGreaterOrEqual:
		case jpiAdd:
		case jpiSub:
		case jpiMul:
		case jpiDiv:
		case jpiMod:
		case jpiStartsWith:
			jspGetLeftArg(item, &part);
			jspGetRightArg(item, &other);
			if (!add_members(&part, keys) || !add_members(&other, keys))
				return false;
			break;
		case jpiNot:
		case jpiIsUnknown:
		case jpiPlus:
		case jpiMinus:
		case jpiExists:
		case jpiFilter:
			jspGetArg(item, &part);
			if (!add_members(&part, keys))
				return false;
			break;
		case jpiLikeRegex:
			jspInitByBuffer(&part, item->base, item->content.like_regex.expr);
			if (!add_members(&part, keys))
				return false;
			break;
		case jpiIndexArray:
			for (int i = 0; i < item->content.array.nelems; i++)
			{
				bool		range = jspGetArraySubscript(item, &part, &other, i);

				if (!add_members(&part, keys) || (range && !add_members(&other, keys)))
					return false;
			}
			break;
		case jpiNull:
		case jpiString:
		case jpiNumeric:
		case jpiBool:
		case jpiKey:
		case jpiAnyArray:
		case jpiAnyKey:
		case jpiAny:
		case jpiCurrent:
		case jpiVariable:
		case jpiLast:
		case jpiType:
		case jpiSize:
		case jpiAbs:
		case jpiFloor:
		case jpiCeiling:
		case jpiDouble:
			break;
		default:
			/* For these, keyvalue() returns the position in the document. */
			return false;
	}
	return !jspGetNext(item, &part) || add_members(&part, keys);
}

bool
pgt_path_members(JsonPath *path, List **keys)
{
	JsonPathItem item;

	jspInit(&item, path);
	return add_members(&item, keys);
}

NullableDatum
pgt_apply_path(PGFunction operator, Jsonb *value, JsonPath *path)
{
	LOCAL_FCINFO(call, 2);
	NullableDatum result;

	InitFunctionCallInfoData(*call, NULL, 2, InvalidOid, NULL, NULL);
	call->args[0] = (NullableDatum) {.value = JsonbPGetDatum(value)};
	call->args[1] = (NullableDatum) {.value = PointerGetDatum(path)};
	result.value = operator(call);
	result.isnull = call->isnull;
	return result;
}
