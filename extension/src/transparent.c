/*
 * transparent.c: SET pgtoaster.transparent = on. The hook sees every statement that is planned, after views and rules
 * were expanded, and rewrites statements that name a table with attached columns.
 */
#include "transparent.h"

#include "access/htup_details.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/planner.h"
#include "replication/walsender.h"
#include "tcop/utility.h"
#include "utils/guc.h"
#include "utils/plancache.h"
#include "utils/syscache.h"

static bool transparent = false;
static planner_hook_type planner_before = NULL;
static ProcessUtility_hook_type utility_before = NULL;
/* True during a COPY of a table, which reads rows as they are stored. With row security, COPY plans a query. */
static bool copies_table = false;

/* Returns true if a function is written in SQL, so that the planner may inline it. */
static bool
is_in_sql(RangeTblEntry *entry)
{
	Node	   *function = list_length(entry->functions) == 1 ? linitial_node(RangeTblFunction, entry->functions)->funcexpr : NULL;
	HeapTuple	tuple;
	bool		is_sql;

	if (function == NULL || !IsA(function, FuncExpr))
		return false;
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(((FuncExpr *) function)->funcid));
	is_sql = HeapTupleIsValid(tuple) && ((Form_pg_proc) GETSTRUCT(tuple))->prolang == SQLlanguageId;
	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return is_sql;
}

/* The parts of a query that matter here. */
typedef struct Concern
{
	bool		functions;		/* SQL functions */
	bool		attached;		/* tables with attached columns */
} Concern;

/* Inspects a query; as a walker, it never stops early. */
static bool
look_through(Node *node, Concern *concern)
{
	ListCell   *cell;
	Query	   *query = (Query *) node;

	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, look_through, concern);
	foreach(cell, query->rtable)
	{
		RangeTblEntry *entry = lfirst(cell);

		if (entry->rtekind == RTE_RELATION)
			concern->attached |= (entry->relkind == RELKIND_RELATION || entry->relkind == RELKIND_PARTITIONED_TABLE) &&
				pgt_any_attached(entry->relid);
		else if (entry->rtekind == RTE_FUNCTION)
			concern->functions |= is_in_sql(entry);
		else if (entry->rtekind == RTE_SUBQUERY && !query->hasSubLinks)
			(void) look_through((Node *) entry->subquery, concern);
	}
	if (query->hasSubLinks)
		return query_tree_walker(query, look_through, concern, 0);
	foreach(cell, query->cteList)
		(void) look_through(lfirst_node(CommonTableExpr, cell)->ctequery, concern);
	return false;
}

/* Inlines SQL functions that return sets, as the planner would do later, without calling a hook. */
static bool
inline_functions(Node *node, PlannerInfo *root)
{
	ListCell   *cell;

	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, inline_functions, root);
	foreach(cell, ((Query *) node)->rtable)
	{
		RangeTblEntry *entry = lfirst(cell);
		Query	   *body;

		if (entry->rtekind != RTE_FUNCTION || !is_in_sql(entry))
			continue;
		entry->functions = (List *) eval_const_expressions(NULL, (Node *) entry->functions);
		body = pgt_inline_function(root, entry);
		if (body == NULL)
			continue;
		entry->rtekind = RTE_SUBQUERY;
		entry->subquery = body;
		entry->security_barrier = false;
		entry->funcordinality = false;
	}
	return query_tree_walker((Query *) node, inline_functions, root, 0);
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/*
 * Returns true if a statement needs stored documents: a statement of the library, of pg_dump with INSERT commands (it
 * uses this cursor), or of a WAL sender.
 */
static bool
wants_stored(const char *text)
{
	if (copies_table || am_walsender)
		return true;
	while (text != NULL && (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r'))
		text++;
	return text != NULL && (begins(text, PGT_OWN_STATEMENT) || begins(text, "DECLARE _pg_dump_cursor "));
}

/* Returns the statement for the planner, and its additional dependencies: the functions that were inlined. */
static Query *
rewritten(Query *query, PlannerGlobal *depends)
{
	Concern		concern = {0};
	bool		snapshot = !ActiveSnapshotSet();

	(void) look_through((Node *) query, &concern);
	if (concern.functions)
	{
		PlannerInfo root = {.type = T_PlannerInfo,.glob = depends,.parse = query};

		(void) inline_functions((Node *) query, &root);
		(void) look_through((Node *) query, &concern);
	}
	if (!concern.attached)
		return query;
	if (snapshot)
		PushActiveSnapshot(GetTransactionSnapshot());
	query = pgt_rewrite(query);
	if (snapshot)
		PopActiveSnapshot();
	return query;
}

static PlannedStmt *
plan(Query *query, const char *text, int options, ParamListInfo parameters PGT_PLAN_PARAMETER)
{
	planner_hook_type next = planner_before != NULL ? planner_before : standard_planner;
	PlannerGlobal depends = {.type = T_PlannerGlobal};
	PlannedStmt *result;

	bool		wanted = wants_stored(text);

	/* COPY plans its own query first. Queries that functions in its policies plan are ordinary queries. */
	copies_table = false;
	if (!transparent || query->commandType == CMD_UTILITY || wanted)
		return next(query, text, options, parameters PGT_PLAN_ARGUMENT);
	result = next(rewritten(query, &depends), text, options, parameters PGT_PLAN_ARGUMENT);
	result->invalItems = list_concat(result->invalItems, depends.invalItems);
	result->dependsOnRole |= depends.dependsOnRole;
	return result;
}

static void
utility(PlannedStmt *statement, const char *text, bool read_only, ProcessUtilityContext context, ParamListInfo parameters,
		QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	ProcessUtility_hook_type next = utility_before != NULL ? utility_before : standard_ProcessUtility;
	CopyStmt   *copy = (CopyStmt *) statement->utilityStmt;

	if (!transparent || copies_table || !IsA(copy, CopyStmt) || copy->relation == NULL || copy->is_from)
	{
		next(statement, text, read_only, context, parameters, environment, destination, completion);
		return;
	}
	copies_table = true;
	PG_TRY();
	{
		next(statement, text, read_only, context, parameters, environment, destination, completion);
	}
	PG_FINALLY();
	{
		copies_table = false;
	}
	PG_END_TRY();
}

/* Plans must not be reused after a change of the setting. */
static void
changed(bool value, void *extra)
{
	if (value != transparent)
		ResetPlanCache();
}

void
pgt_transparent_init(void)
{
	pgt_attached_init();
	DefineCustomBoolVariable("pgtoaster.transparent", "Plain SQL reads and changes split documents as if they were whole.", NULL,
							 &transparent, false, PGC_USERSET, 0, NULL, changed, NULL);
	planner_before = planner_hook;
	planner_hook = plan;
	utility_before = ProcessUtility_hook;
	ProcessUtility_hook = utility;
}
