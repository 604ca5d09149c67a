/*
 * rewrite.h: what rewrite.c and rewrite_edit.c share.
 */
#ifndef PGT_REWRITE_H
#define PGT_REWRITE_H

#include "transparent.h"

/* A query within those around it, while a part of it is rewritten. */
typedef struct PgtLevel
{
	struct PgtLevel *up;
	Query	   *query;
	OnConflictExpr *conflict;
	bool		written;		/* what is read is behind the change of its row: RETURNING and the like */
	bool		edits;			/* what is read of the changed table becomes what is written */
	List	   *grouped;		/* expressions that rows are grouped by, while what is above the grouping is rewritten */
} PgtLevel;

typedef struct PgtRewrite
{
	PgtLevel   *level;			/* that expressions belong to */
} PgtRewrite;

/* rewrite.c */

/* The attached column of documents that a node is a Var of; NULL if it is none. */
extern const PgtAttached *pgt_document_var(PgtLevel *level, Node *node, Oid *relid);
/* Whether a Var is of a view, a subquery or a join, which may turn out to be something else of this type. */
extern bool pgt_is_derived(PgtLevel *level, Var *var, Oid type);
/* An expression with calls in place of what reads documents. */
extern Node *pgt_rewrite_node(Node *node, PgtRewrite *rewrite);
/* A call toaster.name(origin, document, arguments.., key..) for a document of the row that a Var is of. */
extern Node *pgt_call(PgtRewrite *rewrite, const char *name, Oid result, Node *document, Var *var, List *arguments);
/* Whether what is read by a call of the whole, below a path, is never moved out of line, or is the header. */
extern bool pgt_path_stays_in_row(FuncExpr *reading, Node *path);

/* rewrite_names.c */

/* A function by its name; an error if it is not there. */
extern Oid	pgt_function(const char *schema, const char *name, int count, const Oid *types);
/* A function of the catalog, whose owner need not be a superuser and could have replaced it: checks what it returns. */
extern Oid	pgt_catalog_function(const char *name, Oid result, int count, const Oid *types);
extern Oid	pgt_origin_type(void);
/* Whether a function is one of the catalog's: it takes a document as the row holds it. */
extern bool pgt_is_library(Oid function);
extern Node *pgt_text_const(const char *text);
/* A step of a path as text. */
extern Node *pgt_text_step(Node *step);

/* rewrite_call.c */

/*
 * A call in place of a function whose first argument is one of the hook's; NULL if there is none. Arguments may change to ones that
 * give the function what it needs.
 */
extern Node *pgt_absorb(Oid function, List *arguments);

/* rewrite_bytes.c */

/* A call in place of a function over the content of a blob; NULL if it is none of those that need a part of it. */
extern Node *pgt_read_bytes(PgtRewrite *rewrite, Oid function, List *arguments);

/* rewrite_edit.c */

extern Query *pgt_rewrite_query(Query *query, PgtLevel *up);

#endif
