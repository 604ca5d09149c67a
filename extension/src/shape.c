/*
 * shape.c: checks that a table of a store is still as attach created it.
 *
 * The tables of a store belong to the owner of the column's table, who may alter, drop and replace them. The rest of
 * this module reads their rows by column number and type, and scans their primary keys by position. If a table had a
 * different shape, it would use numbers as pointers. So pgt_table_open calls pgt_shape_fault before anything else uses
 * a table, and again after each change of the table or its key (column.c, forget). This file must not trust what
 * PostgreSQL's catalog says about the table. All code that runs after the check may rely on these properties:
 *
 * - It is an ordinary heap table, neither temporary nor a partition, without children, rules and generated columns.
 * - It has exactly the columns of the shape, none dropped, with their types and collations. All values of a column
 *   are stored in their rows, not as a default that ALTER TABLE .. ADD COLUMN has left in the catalog.
 * - Its primary key is a valid, immediate b-tree over exactly the columns of the shape, in the default order, with
 *   the default operator classes of their types and the collations of the columns.
 *
 * store.c handles triggers, further indexes, constraints and policies. Values may be NULL or damaged.
 */
#include "shape.h"
#include "compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "catalog/pg_am.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

void
pgt_shape_add_one(PgtShape *shape, Oid type, Oid collation)
{
	if (shape->columns == PGT_SHAPE_COLUMNS)
		elog(ERROR, "a table of a store has no more than %d columns", PGT_SHAPE_COLUMNS);
	shape->types[shape->columns] = type;
	shape->collations[shape->columns++] = collation;
}

void
pgt_shape_add(PgtShape *shape, const Oid *types, int count)
{
	for (int i = 0; i < count; i++)
		pgt_shape_add_one(shape, types[i], InvalidOid);
}

bool
pgt_is_heap(Relation rel)
{
	return rel->rd_rel->relkind == RELKIND_RELATION && rel->rd_tableam == GetHeapamTableAmRoutine();
}

static const char *
type_text(Oid type, Oid collation)
{
	const char *text = format_type_be(type);
	char	   *name = OidIsValid(collation) && collation != DEFAULT_COLLATION_OID ? get_collation_name(collation) : NULL;

	return name == NULL ? text : psprintf("%s COLLATE %s", text, quote_identifier(name));
}

/* Returns what is wrong with the table itself; NULL if nothing is. */
static const char *
table_fault(Relation rel)
{
	if (!pgt_is_heap(rel))
		return "It is not an ordinary table.";
	if (rel->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		return "It is a temporary table.";
	if (rel->rd_rel->relispartition)
		return "It is a partition.";
	/* The flag remains set after the last child is dropped. */
	if (rel->rd_rel->relhassubclass && find_inheritance_children(RelationGetRelid(rel), NoLock) != NIL)
		return "Other tables inherit from it.";
	if (rel->rd_rules != NULL)
		return "It has rules.";
	return NULL;
}

static const char *
column_fault(TupleDesc desc, const PgtShape *shape)
{
	if (desc->natts != shape->columns)
		return psprintf("It has %d columns, including dropped ones, instead of %d.", desc->natts, shape->columns);
	for (int i = 0; i < shape->columns; i++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, i);

		if (column->attisdropped)
			return psprintf("Column %d was dropped.", i + 1);
		if (column->atttypid != shape->types[i] || column->attcollation != shape->collations[i])
			return psprintf("Column \"%s\" has type %s instead of %s.", NameStr(column->attname),
							type_text(column->atttypid, column->attcollation),
							type_text(shape->types[i], shape->collations[i]));
		if (column->attgenerated != '\0')
			return psprintf("Column \"%s\" is a generated column.", NameStr(column->attname));
		/* pgt_head_extend and pgt_node_free require that values are within their row. */
		if (column->atthasmissing)
			return psprintf("Column \"%s\" was added to a table that had rows.", NameStr(column->attname));
	}
	return NULL;
}

/* Returns true if an index has the form that PRIMARY KEY (..) creates for the columns. */
static bool
is_key(Relation index, TupleDesc desc, const PgtShape *shape)
{
	Form_pg_index form = index->rd_index;
	oidvector  *classes;
	Datum		datum;
	bool		isnull;

	if (index->rd_rel->relkind != RELKIND_INDEX || index->rd_rel->relam != BTREE_AM_OID || !form->indisprimary ||
		!form->indisunique || !form->indimmediate || !form->indisvalid || !form->indisready || !form->indislive ||
		form->indnatts != shape->keys || form->indnkeyatts != shape->keys ||
		!heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, NULL) ||
		!heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL))
		return false;
	datum = SysCacheGetAttr(INDEXRELID, index->rd_indextuple, Anum_pg_index_indclass, &isnull);
	if (isnull)
		return false;
	classes = (oidvector *) DatumGetPointer(datum);
	for (int i = 0; i < shape->keys; i++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, shape->key[i] - 1);

		if (form->indkey.values[i] != shape->key[i] || index->rd_indoption[i] != 0 ||
			index->rd_indcollation[i] != column->attcollation ||
			classes->values[i] != GetDefaultOpClass(column->atttypid, BTREE_AM_OID))
			return false;
	}
	return true;
}

static const char *
key_fault(Relation rel, const PgtShape *shape, Oid *key)
{
	StringInfoData columns;
	bool		right = false;

	*key = pgt_primary_key(rel);
	if (OidIsValid(*key))
	{
		Relation	index = index_open(*key, AccessShareLock);

		right = is_key(index, RelationGetDescr(rel), shape);
		index_close(index, AccessShareLock);
	}
	if (right)
		return NULL;
	initStringInfo(&columns);
	for (int i = 0; i < shape->keys; i++)
		appendStringInfo(&columns, "%s%s", i == 0 ? "" : ", ",
						 quote_identifier(NameStr(TupleDescAttr(RelationGetDescr(rel), shape->key[i] - 1)->attname)));
	return psprintf("Its primary key is not PRIMARY KEY (%s).", columns.data);
}

const char *
pgt_shape_fault(Relation rel, const PgtShape *shape, Oid *key)
{
	const char *fault = table_fault(rel);

	*key = InvalidOid;
	if (fault == NULL)
		fault = column_fault(RelationGetDescr(rel), shape);
	return fault != NULL ? fault : key_fault(rel, shape, key);
}
