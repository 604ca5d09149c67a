/* json_tree_doc.c: an operation on one row, with the tables of its store, which are opened when they are needed. */
#include "json_tree.h"

#include "catalog/pg_type.h"

void
pgt_doc_begin(PgtDoc *doc, PgtColumn *column, PgtKey *key, bool writes)
{
	memset(doc, 0, sizeof(PgtDoc));
	doc->column = column;
	doc->key = key;
	doc->writes = writes;
	doc->context = CurrentMemoryContext;
}

void
pgt_doc_snapshot_changed(PgtDoc *doc)
{
	if (doc->scan == NULL)
		return;
	index_endscan(doc->scan);
	doc->scan = NULL;
}

void
pgt_doc_end(PgtDoc *doc)
{
	pgt_doc_snapshot_changed(doc);
	if (doc->slot != NULL)
		ExecDropSingleTupleTableSlot(doc->slot);
	if (doc->node_index != NULL)
		index_close(doc->node_index, NoLock);
	if (doc->node.rel != NULL)
		pgt_table_close(&doc->node);
	if (doc->head.rel != NULL)
		pgt_table_close(&doc->head);
}

/* Returns true if the store repeats a column of the row key in its tables. */
static bool
has_lead(PgtColumn *column)
{
	return pgt_option_text(column, "leading_key") != NULL;
}

/* Sets the shape of the head table that create_document_tables creates (document/tables.sql). */
static void
head_shape(PgtColumn *column, const char *part, Relation rel, PgtShape *shape)
{
	static const Oid id[] = {INT8OID};
	static const Oid others[] = {INT8OID, TIMESTAMPTZOID, XID8OID, OIDOID};
	PgtEntry   *entry = (PgtEntry *) column;

	pgt_shape_add(shape, id, lengthof(id));
	for (int i = 0; i < column->key_count; i++)
		pgt_shape_add_one(shape, column->key_types[i], entry->column_collations[i]);
	pgt_shape_add(shape, others, lengthof(others));
	shape->key[shape->keys++] = PGT_HEAD_ID;
	if (has_lead(column))
	{
		Oid			key = pgt_primary_key(rel);
		AttrNumber	lead = PGT_HEAD_OWNER;

		/* Any column of the row key may be the leading key. */
		if (OidIsValid(key))
		{
			Relation	index = index_open(key, AccessShareLock);

			if (index->rd_index->indnatts == 2 && index->rd_index->indkey.values[1] > PGT_HEAD_OWNER &&
				index->rd_index->indkey.values[1] < PGT_HEAD_GENERATION(column))
				lead = index->rd_index->indkey.values[1];
			index_close(index, AccessShareLock);
		}
		shape->key[shape->keys++] = lead;
	}
}

/*
 * Sets the shape of a table of nodes. The name of the column that repeats a column of the row key shows which one it
 * is.
 */
static void
node_shape(PgtColumn *column, const char *part, Relation rel, PgtShape *shape)
{
	static const Oid types[PGT_NODE_COLUMNS] = {
		INT8OID, INT8OID, INT8OID, CHAROID, INT4OID, JSONBOID, INT8ARRAYOID, INT8ARRAYOID, BYTEAARRAYOID
	};
	TupleDesc	desc = RelationGetDescr(rel);
	PgtEntry   *entry = (PgtEntry *) column;

	pgt_shape_add(shape, types, PGT_NODE_COLUMNS);
	shape->key[shape->keys++] = PGT_NODE_DOC;
	shape->key[shape->keys++] = PGT_NODE_ID;
	if (has_lead(column))
	{
		shape->lead = 1;
		if (desc->natts == PGT_NODE_MOST_COLUMNS)
			(void) sscanf(NameStr(TupleDescAttr(desc, PGT_NODE_COLUMNS)->attname), "owner_%d", &shape->lead);
		if (shape->lead < 1 || shape->lead > column->key_count)
			shape->lead = 1;
		pgt_shape_add_one(shape, column->key_types[shape->lead - 1], entry->column_collations[shape->lead - 1]);
		shape->key[shape->keys++] = PGT_NODE_MOST_COLUMNS;
	}
}

PgtTable *
pgt_doc_head_table(PgtDoc *doc)
{
	if (doc->head.rel == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(doc->context);

		pgt_table_open(&doc->head, doc->column, "head",
					   doc->trusted ? ACL_NO_RIGHTS : doc->writes ? ACL_SELECT | ACL_UPDATE : ACL_SELECT, head_shape);
		MemoryContextSwitchTo(caller);
	}
	return &doc->head;
}

PgtTable *
pgt_doc_node_table(PgtDoc *doc)
{
	if (doc->node.rel == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(doc->context);

		pgt_table_open(&doc->node, doc->column, "node",
					   doc->trusted ? ACL_NO_RIGHTS : doc->writes ? ACL_SELECT | ACL_INSERT | ACL_UPDATE | ACL_DELETE : ACL_SELECT,
					   node_shape);
		MemoryContextSwitchTo(caller);
	}
	return &doc->node;
}
