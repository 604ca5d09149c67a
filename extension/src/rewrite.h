/* rewrite.h: declarations shared by the files that rewrite queries. */
#ifndef PGT_REWRITE_H
#define PGT_REWRITE_H

#include "transparent.h"

/* A query and the queries around it, while part of it is rewritten. */
typedef struct PgtLevel
{
	struct PgtLevel *up;
	Query	   *query;
	OnConflictExpr *conflict;
	bool		written;		/* whether rows are read after their change: RETURNING and the like */
	bool		edits;			/* whether the statement writes values that depend on reads of the changed table */
	List	   *grouped;		/* grouping expressions, while the expressions above the grouping are rewritten */
} PgtLevel;

typedef struct PgtRewrite
{
	PgtLevel   *level;			/* the level that expressions belong to */
	Query	   *(*subquery) (Query *query, PgtLevel *up);	/* rewrites a query in an expression */
} PgtRewrite;

/* rewrite_var.c */

/* Returns the column of documents that is attached; NULL if another toaster serves it. */
extern PgtColumn *pgt_column_of(const PgtAttached *attached);
/*
 * Returns the attached column of documents that a node is a Var of, and sets relid to its table; NULL if it is not
 * such a Var.
 */
extern const PgtAttached *pgt_document_var(PgtLevel *level, Node *node, Oid *relid);
/*
 * Returns true if a Var of this type belongs to a view, a subquery or a join. The planner may replace it with
 * something else.
 */
extern bool pgt_is_derived(PgtLevel *level, Var *var, Oid type);
/* Returns a call toaster.name(origin, document, arguments.., key..) for a document of the row of a Var. */
extern Node *pgt_call(PgtRewrite *rewrite, const char *name, Oid result, Node *document, Var *var, List *arguments);
/*
 * Returns true if a node is a grouping expression: as a whole, it is NULL in grouping sets that do not contain it.
 * In PostgreSQL 18 and later, such expressions are Vars of the grouping itself.
 */
extern bool pgt_is_grouped(PgtLevel *level, Node *node);
/* Returns a row of a table with whole documents; NULL if the Var is not such a row. */
extern Node *pgt_whole_row(PgtRewrite *rewrite, Var *var);

/* rewrite.c */

/* Returns an expression in which everything that reads documents is replaced by calls. */
extern Node *pgt_rewrite_node(Node *node, PgtRewrite *rewrite);
/*
 * Returns true if the path below a call that reads the whole document is never moved out of line, or is the header.
 * Raises the errors of pgt_column.
 */
extern bool pgt_path_stays_in_row(FuncExpr *reading, Node *path);

/* rewrite_names.c */

/* Returns the type toaster.origin; raises an error if it is not that of the extension. */
extern Oid	pgt_origin_type(void);
/* Returns true if a function is in the catalog's schema. These functions take documents as they are stored. */
extern bool pgt_is_library(Oid function);
/* Returns a text constant. */
extern Node *pgt_text_const(const char *text);
/* Converts a step of a path to text. */
extern Node *pgt_text_step(Node *step);

/* rewrite_call.c */

/* Returns a node if it is a call of the hook that reads a value, at a path or the whole; otherwise NULL. */
extern FuncExpr *pgt_reading_call(Node *node, bool *whole);
/* Returns a call name(origin, document, what.., key..) that replaces a reading call. */
extern Node *pgt_call_in_place(FuncExpr *reading, bool whole, const char *name, Oid result, bool set, List *what);
/*
 * Returns a call in place of a function whose first argument is a call of the hook; NULL if there is no such call.
 * May replace arguments in the list with calls that read only what the function needs.
 */
extern Node *pgt_absorb(Oid function, List *arguments);

/* rewrite_index.c */

struct SupportRequestIndexCondition;
/* Returns a condition on the key of the table, for a call that replaces @>, @? or @@; NIL if no index can help. */
extern List *pgt_index_condition(struct SupportRequestIndexCondition *request);
/* Returns a call in place of @>, <@, @? or @@ over a column of a view, a subquery or a join; NULL for other functions. */
extern Node *pgt_search_derived(PgtRewrite *rewrite, Oid function, List *arguments);

/* rewrite_bytes.c */

/* Returns a call in place of a function that needs only a part of the content of a blob; NULL for other functions. */
extern Node *pgt_read_bytes(PgtRewrite *rewrite, Oid function, List *arguments);

#endif
