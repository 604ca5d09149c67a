/*
 * json_row_put.c: stores a whole document, or stores the current one again. It locks the document
 * exclusively, builds it again, and writes only the nodes whose content is not stored yet.
 */
#include "json_row.h"

#include "utils/datum.h"

/* Deletes the nodes that the new form does not use; if the document is no longer split, deletes all nodes and the head.
 */
static int
clean_up(PgtWriter *writer, HeapTuple head, bool split)
{
	PgtIds		unused = {0};

	pgt_stored_rest(writer->stored, !split, &unused);
	if (unused.count > 0)
	{
		pgt_doc_renew(writer->doc);
		pgt_delete_nodes(writer, &unused, false);
	}
	if (!split)
	{
		PgtTable   *table = pgt_doc_head_table(writer->doc);

		if (pg_class_aclcheck(RelationGetRelid(table->rel), GetUserId(), ACL_DELETE) != ACLCHECK_OK)
			aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, RelationGetRelationName(table->rel));
		pgt_delete(table, head);
	}
	return unused.count;
}

PgtOutcome
pgt_put(PgtDoc *doc, const JsonbValue *value, int64 *rows)
{
	PgtWriter	writer = {.doc = doc};
	PgtJsonOptions whole = *pgt_json_options(doc->column);
	PgtBuilder	builder = {.options = &whole,.writer = &writer};
	PgtOwnerRow row;
	PgtSteps	none = {0};
	PgtWalk		walk;
	HeapTuple	head = NULL;
	JsonbValue	root;
	bool		split = false;
	int64		overflow = 0;
	Jsonb	   *stub;
	int			removed = 0;
	bool		changed;

	*rows = 0;
	whole.leaf_size = whole.whole_leaf_size;
	if (!pgt_owner_lock(doc->column, doc->key, &row))
		return pgt_owner_unlocked(doc->column, doc->key);
	if (row.isnull && value == NULL)
		return PGT_APPLIED;
	pgt_doc_renew(doc);
	if (pgt_walk_from(doc, row.isnull ? NULL : DatumGetJsonbP(row.value), &none, 0, false, &walk) != PGT_APPLIED)
		return PGT_DAMAGED;
	if (walk.split)
	{
		if (walk.head == NULL)
			PGT_TRY(pgt_doc_head(doc, walk.document, &walk.head, &walk.generation));
		head = pgt_lock(pgt_doc_head_table(doc), walk.head, LockTupleExclusive);
		if (head == NULL || !pgt_head_owned(doc, head))
			return PGT_FOREIGN;
		/* Make the changes of earlier lock holders visible. */
		pgt_doc_renew(doc);
		writer.document = walk.document;
		writer.stored = pgt_stored_load(doc, walk.document);
	}
	if (value != NULL)
		root = *value;
	else
	{
		pgt_root_value(walk.stub, &root);
		builder.follow = walk.split;
		builder.source = walk.document;
		if (walk.split && walk.has_overflow)
			overflow = walk.overflow;
	}
	if (value != NULL || !walk.split)
	{
		split = pgt_json_special(&root);
		if (split)
			pgt_json_escape(&root);
	}
	stub = pgt_stub(&builder, &root, split, overflow, pgt_row_budget(doc, &row), &split);
	*rows = writer.written;
	if (walk.split)
		removed = clean_up(&writer, head, split);
	changed = row.isnull || !datum_image_eq(row.value, JsonbPGetDatum(stub), false, -1);
	if (changed || (pgt_json_options(doc->column)->touch && *rows > 0))
	{
		pgt_update_row(doc, stub);
		(*rows)++;
	}
	if (walk.split && split && (*rows > 0 || removed > 0))
		pgt_raise_generation(doc, head);
	return PGT_APPLIED;
}
