/*
 * rewrite_var.c: finds the Vars that are documents, and creates the calls over them, with the origin, the document
 * and the row's key.
 */
#include "rewrite.h"

#include "access/sysattr.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

static RangeTblEntry *
entry_of(PgtLevel *level, Var *var)
{
	for (Index up = var->varlevelsup; up > 0 && level != NULL; up--)
		level = level->up;
	if (level == NULL || var->varno < 1 || var->varno > list_length(level->query->rtable))
		return NULL;
	return list_nth_node(RangeTblEntry, level->query->rtable, var->varno - 1);
}

static PgtLevel *
level_of(PgtLevel *level, Var *var)
{
	for (Index up = var->varlevelsup; up > 0; up--)
		level = level->up;
	return level;
}

/*
 * Returns true if a Var belongs to a stored row of a table, not to the row that an INSERT proposes, which has the
 * given value.
 */
static bool
is_stored(PgtLevel *level, Var *var, Oid *relid)
{
	RangeTblEntry *entry = entry_of(level, var);
	OnConflictExpr *conflict;

	if (entry == NULL || entry->rtekind != RTE_RELATION ||
		(entry->relkind != RELKIND_RELATION && entry->relkind != RELKIND_PARTITIONED_TABLE))
		return false;
	conflict = level_of(level, var)->conflict;
	*relid = entry->relid;
	return conflict == NULL || conflict->exclRelIndex != var->varno;
}

PgtColumn *
pgt_column_of(const PgtAttached *attached)
{
	Oid			owner = attached->owner;
	PgtColumn  *column = pgt_column(owner, get_attname(owner, attached->owner_attnum, false));

	return column->routine == &pgt_keyed ? column : NULL;
}

const PgtAttached *
pgt_document_var(PgtLevel *level, Node *node, Oid *relid)
{
	Var		   *var = (Var *) node;
	const PgtAttached *attached;

	if (!IsA(node, Var) || var->varattno <= 0 || var->vartype != JSONBOID || !is_stored(level, var, relid))
		return NULL;
	attached = pgt_attached(*relid, var->varattno);
	return attached != NULL && pgt_column_of(attached) != NULL ? attached : NULL;
}

/* Returns true if the rows of a table are changed or locked; they may be newer than the statement. */
static bool
is_changed(Query *query, int table)
{
	return table == query->resultRelation || get_parse_rowmark(query, table) != NULL;
}

/* Returns flags for the snapshots in which the document of a Var is to be read. */
static uint16
snapshots(PgtRewrite *rewrite, Var *var)
{
	PgtLevel   *level = level_of(rewrite->level, var);
	uint16		in_row = var->varattno > 0 ? PGT_ORIGIN_IN_ROW : 0;

	if (level->edits && var->varno == level->query->resultRelation)
		return PGT_ORIGIN_LOCKED | in_row;
	if (!is_changed(level->query, var->varno))
		return 0;
	if (pgt_is_old(var))
		return PGT_ORIGIN_OLD;
	return level->written ? PGT_ORIGIN_NEWEST : PGT_ORIGIN_RECHECKED | in_row;
}

/* Returns the origin of the document of a Var, as a constant. */
static Node *
origin(PgtRewrite *rewrite, Var *var, Oid owner, AttrNumber attnum)
{
	PgtOrigin	origin = {.relid = owner,.attnum = attnum,.flags = snapshots(rewrite, var)};

	return (Node *) makeConst(pgt_origin_type(), -1, InvalidOid, sizeof(int64), pgt_origin_datum(origin), false, true);
}

static Var *
system_column(Var *var, AttrNumber attnum, Oid type)
{
	Var		   *column = copyObject(var);

	column->varattno = attnum;
	column->vartype = type;
	column->vartypmod = -1;
	column->varcollid = InvalidOid;
	if (column->varnosyn != 0)
		column->varattnosyn = attnum;
	return column;
}

/* Returns the key of the row of a Var and, if requested, the row's position, as Vars of the same row. */
static List *
key_of(PgtRewrite *rewrite, Var *var, Oid relid, PgtColumn *column)
{
	List	   *key = NIL;

	for (int i = 0; i < column->key_count; i++)
	{
		Var		   *part = copyObject(var);
		AttrNumber	attnum = ((PgtEntry *) column)->key_attnums[i];

		if (relid != column->relid)
			attnum = get_attnum(relid, get_attname(column->relid, attnum, false));
		part->varattno = attnum;
		get_atttypetypmodcoll(relid, attnum, &part->vartype, &part->vartypmod, &part->varcollid);
		if (part->varnosyn != 0)
			part->varattnosyn = attnum;
		key = lappend(key, part);
	}
	if ((snapshots(rewrite, var) & PGT_ORIGIN_IN_ROW) != 0)
		key = list_concat(key, list_make2(system_column(var, TableOidAttributeNumber, OIDOID),
										  system_column(var, SelfItemPointerAttributeNumber, TIDOID)));
	return key;
}

Node *
pgt_call(PgtRewrite *rewrite, const char *name, Oid result, Node *document, Var *var, List *arguments)
{
	Oid			relid = entry_of(rewrite->level, var)->relid;
	const PgtAttached *attached = pgt_attached(relid, var->varattno);
	PgtColumn  *column = pgt_column_of(attached);
	Oid			types[8];
	int			count = 0;
	List	   *all;
	FuncExpr   *call;
	ListCell   *cell;

	types[count++] = pgt_origin_type();
	types[count++] = JSONBOID;
	foreach(cell, arguments)
		types[count++] = exprType(lfirst(cell));
	types[count++] = ANYOID;
	all = list_concat(list_make2(origin(rewrite, var, attached->owner, attached->owner_attnum), document), arguments);
	all = list_concat(all, key_of(rewrite, var, relid, column));
	call = makeFuncExpr(pgt_function("toaster", name, count, types), result, all, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	if (result == TEXTOID)
		call->funccollid = DEFAULT_COLLATION_OID;
	call->location = var->location;
	return (Node *) call;
}

bool
pgt_is_derived(PgtLevel *level, Var *var, Oid type)
{
	RangeTblEntry *entry = entry_of(level, var);

	return var->vartype == type && var->varattno > 0 && entry != NULL &&
		(entry->rtekind == RTE_SUBQUERY || entry->rtekind == RTE_CTE || entry->rtekind == RTE_JOIN);
}

bool
pgt_is_grouped(PgtLevel *level, Node *node)
{
	Node	   *same = node;

	if (IsA(node, Var) && ((Var *) node)->varlevelsup > 0)
	{
		level = level_of(level, (Var *) node);
		same = copyObject(node);
		((Var *) same)->varlevelsup = 0;
	}
	return level->grouped != NIL && list_member(level->grouped, same);
}

Node *
pgt_whole_row(PgtRewrite *rewrite, Var *var)
{
	Oid			relid;
	Node	   *row;
	Oid			types[2];
	int			count;
	const PgtAttached *columns;

	if (var->varattno != 0 || !is_stored(rewrite->level, var, &relid))
		return NULL;
	row = (Node *) copyObject(var);
	types[0] = pgt_origin_type();
	types[1] = ANYELEMENTOID;
	columns = pgt_attached_columns(relid, &count);
	for (int i = 0; i < count; i++)
	{
		PgtAttached attached = columns[i];

		if (pgt_column_of(&attached) != NULL)
			row = (Node *) makeFuncExpr(pgt_function("toaster", "document_row", 2, types), var->vartype,
										list_make2(origin(rewrite, var, attached.owner, attached.owner_attnum), row),
										InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
		columns = pgt_attached_columns(relid, &count);
	}
	return row;
}
