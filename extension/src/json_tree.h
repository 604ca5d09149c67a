/*
 * json_tree.h: reading documents: heads and nodes in one snapshot, the place that a path names, and the values that are
 * assembled from there.
 */
#ifndef PGT_JSON_TREE_H
#define PGT_JSON_TREE_H

#include "json_value.h"

/* Maximum number of levels of inner nodes in a branch. More levels mean that stored references form a cycle. */
#define PGT_MAX_LEVELS 64

/* Columns of store_<n>_head; the key of the owner's row is between them. */
#define PGT_HEAD_ID 1
#define PGT_HEAD_OWNER 2
#define PGT_HEAD_GENERATION(column) ((AttrNumber) ((column)->key_count + 2))

/* Columns of store_<n>_node. In a store with a leading key, that column of the row key follows them. */
enum
{
	PGT_NODE_DOC = 1, PGT_NODE_ID, PGT_NODE_VERSION, PGT_NODE_KIND, PGT_NODE_BYTES, PGT_NODE_VALUE, PGT_NODE_KIDS,
	PGT_NODE_STARTS, PGT_NODE_LOWS
};
#define PGT_NODE_COLUMNS PGT_NODE_LOWS
#define PGT_NODE_MOST_COLUMNS (PGT_NODE_COLUMNS + 1)

/* A copy of a stored node. */
typedef struct PgtNode
{
	int64		id;
	int64		version;
	char		kind;
	int32		bytes;			/* size of a leaf's value as its writer counted it */
	Jsonb	   *value;			/* detoasted value of a leaf; NULL for an inner node */
	int			kid_count;		/* number of children of an inner node, or of branches that a leaf's markers name */
	int64	   *kids;
	int64	   *starts;			/* inner node of an array: kid_count + 1 starts; the last is the number of elements */
	bytea	  **lows;			/* inner node of an object: kid_count key codes, plain varlenas with 4-byte or
								 * short headers */
	HeapTuple	tuple;			/* for pgt_update, pgt_lock, pgt_delete */
} PgtNode;

/*
 * One step of a walk: into a value, or down to a node. A hop has a value, or its node is an inner node. Only the last
 * hop may have neither: then the path finds nothing.
 */
typedef struct PgtHop
{
	PgtNode    *node;			/* node that was reached; NULL for a step within a node or the row */
	int			step;			/* number of steps of the path taken so far */
	bool		has_rel;		/* whether an inner node above determined the position in this node */
	int64		rel;
	bool		present;		/* whether there is a value */
	JsonbValue	value;			/* as stored: jbvBinary or a scalar */
} PgtHop;

/* The hops from the owner's row to the place that a path names, in one snapshot. */
typedef struct PgtWalk
{
	Jsonb	   *stub;			/* content of the owner's row; NULL for SQL NULL */
	bool		split;			/* whether the document is split; the fields below are meaningful only then */
	int64		document;
	bool		has_overflow;
	int64		overflow;			/* branch of the members that are not in the stub */
	bool		bare;			/* whether the stub has only a header; then the overflow branch is the root */
	HeapTuple	head;			/* head of this row; NULL if it was not looked up */
	int64		generation;		/* generation of the head, if head is set */
	int			count;
	int			room;
	PgtHop	   *hops;
} PgtWalk;

/* State shared by the reads of one document. */
typedef struct PgtShared PgtShared;

/* An operation on one row. Tables of the store are opened when they are needed. */
typedef struct PgtDoc
{
	PgtColumn  *column;
	PgtKey	   *key;
	bool		writes;
	bool		shallow;		/* read only the root header of leaf values, for counting */
	bool		partial;		/* read an array in a leaf only up to the end of element number upto */
	int64		upto;
	Jsonb	   *stub;			/* content of the row if the caller has it; NULL: read it */
	bool		trusted;		/* whether the executor has already checked the rights */
	const char *kinds;			/* kinds of the path's steps, one character each; steps beyond its end may be of
								 * either kind */
	PgtShared  *shared;			/* NULL if nothing is shared */
	PgtTable	head;			/* use pgt_doc_head_table */
	PgtTable	node;			/* use pgt_doc_node_table */
	Relation	node_index;
	MemoryContext context;		/* for the scan, which outlives the calls that use it */
	IndexScanDesc scan;			/* over nodes, in one snapshot */
	TupleTableSlot *slot;
} PgtDoc;

/* json_tree_doc.c */

/*
 * Initializes an operation on one row, in the current memory context. Opens and locks nothing. The caller may set
 * stub, trusted, kinds and shallow afterwards.
 */
extern void pgt_doc_begin(PgtDoc *doc, PgtColumn *column, PgtKey *key, bool writes);
/*
 * Closes what the operation opened. Values that it returned stay valid; locks are held until the end of the
 * transaction.
 */
extern void pgt_doc_end(PgtDoc *doc);
/*
 * Ends the scan of the old snapshot. Call it when another snapshot becomes the active one; pgt_walk calls it itself.
 */
extern void pgt_doc_snapshot_changed(PgtDoc *doc);
/*
 * Returns the head table, opened on first use for reading or, if doc->writes, for SELECT and UPDATE. Raises the
 * errors of pgt_table_open. If doc->trusted, the rights are not checked.
 */
extern PgtTable *pgt_doc_head_table(PgtDoc *doc);
/* Does the same for the table of nodes; for writers, opens it also for INSERT and DELETE. */
extern PgtTable *pgt_doc_node_table(PgtDoc *doc);

/* json_tree_node.c */

/*
 * Returns a copy of a node in the active snapshot, in the current memory context. Returns NULL if it is missing or
 * inconsistent.
 */
extern PgtNode *pgt_doc_node(PgtDoc *doc, int64 document, int64 id);
/* Does the same for a row that the caller has read; the node keeps the row. */
extern PgtNode *pgt_node_of(PgtDoc *doc, HeapTuple tuple);
/* Frees a node with its row. Do not use it for nodes of pgt_shared_node. */
extern void pgt_node_free(PgtNode *node);
/* Returns the index of the child of an inner node that contains a position; -1 if no child does. */
extern int	pgt_child_at(PgtNode *node, int64 position);
/* Returns the index of the child of an inner node that contains a key; -1 if no child does. */
extern int	pgt_child_of(PgtNode *node, const char *key, int len);

/* Inner nodes visited so far. In a tree, each node occurs once. With damaged references to the same node, a walk could
 * loop forever. */
typedef struct PgtMet
{
	struct HTAB *ids;			/* NULL before the first one */
	MemoryContext context;
} PgtMet;

/* Initializes an empty set in the current memory context. */
extern void pgt_met_begin(PgtMet *met);
/* Returns true for a leaf, and for an inner node that was not visited before; remembers the inner node. */
extern bool pgt_first_time(PgtMet *met, int64 id, PgtNode *node);

/* json_tree_head.c */

/*
 * Finds the head of a document in the active snapshot. Returns PGT_APPLIED, or PGT_FOREIGN if there is no such head
 * or it belongs to another row. Locks nothing.
 */
extern PgtOutcome pgt_doc_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation);
/* Returns true if a head names the operation's row as its owner. */
extern bool pgt_head_owned(PgtDoc *doc, HeapTuple head);
/*
 * Lets the operation share what it reads with other reads of the same row. Valid while the active snapshot and the
 * current memory context stay the same.
 */
extern void pgt_share(PgtDoc *doc);
/* Does the same as pgt_doc_node, but may return a shared node. Do not free it. */
extern PgtNode *pgt_shared_node(PgtDoc *doc, int64 document, int64 id);

/* json_tree_walk.c */

/*
 * Follows the first length steps of a path. If slot is true, it also looks up the head of a stub, and if the last hop
 * is an inner node, continues down to the leaf of the next step.
 *
 * Returns PGT_APPLIED if the stored data is consistent; the last hop shows whether the path leads to a value.
 * Otherwise returns PGT_NO_ROW, PGT_DENIED (writers only), PGT_FOREIGN or PGT_DAMAGED. Locks nothing. Allocates in
 * the current memory context.
 */
extern PgtOutcome pgt_walk(PgtDoc *doc, PgtSteps *steps, int length, bool slot, PgtWalk *walk);
/* Does the same, starting from a document that the caller has read or locked. */
extern PgtOutcome pgt_walk_from(PgtDoc *doc, Jsonb *stub, PgtSteps *steps, int length, bool slot, PgtWalk *walk);

/* Returns the last hop of a walk. */
static inline PgtHop *
pgt_walk_last(PgtWalk *walk)
{
	return &walk->hops[walk->count - 1];
}

/* Returns true if a hop is an inner node. */
static inline bool
pgt_hop_inner(PgtHop *hop)
{
	return !hop->present && hop->node != NULL;
}

/* Returns the number of the hop that entered the leaf of the last hop; 0 for the owner's row. */
extern int	pgt_walk_leaf(PgtWalk *walk);
/*
 * Sets the nodes from the root of the branch down to the leaf and returns their number. The array needs
 * PGT_MAX_LEVELS + 1 entries.
 */
extern int	pgt_walk_chain(PgtWalk *walk, int leaf, PgtNode **chain);
/* Sets the rest of the path, starting at the leaf: stored keys, and positions within the leaf. The leaf may be 0. */
extern void pgt_walk_within(PgtWalk *walk, int leaf, PgtSteps *steps, PgtSteps *within);

/* Takes one step into a value; returns false if it finds nothing. */
extern bool pgt_step_into(PgtHop *from, bool split, PgtStep *step, JsonbValue *value);

/* json_tree_build.c */

/*
 * A value being assembled; use it for one result. The functions below return PGT_DAMAGED or PGT_TOO_LARGE on failure,
 * and allocate the result in the current memory context.
 */
typedef struct PgtBuild
{
	PgtDoc	   *doc;
	bool		split;
	int64		document;
	PgtOut		out;
	PgtMet		met;
} PgtBuild;

/* Initializes it. Arrays or objects larger than the parameter most, in bytes, cause PGT_TOO_LARGE. */
extern void pgt_build_begin(PgtBuild *build, PgtDoc *doc, bool split, int64 document, Size most);
/* Assembles a stored value with everything that its markers name, and with the user's keys. */
extern PgtOutcome pgt_build_value(PgtBuild *build, JsonbValue *value, Jsonb **result);
/* Does the same for a branch, starting at its root. */
extern PgtOutcome pgt_build_node(PgtBuild *build, PgtNode *node, Jsonb **result);
/* Assembles a whole document whose root is an object. */
extern PgtOutcome pgt_build_document(PgtBuild *build, Jsonb *stub, bool has_overflow, int64 overflow, Jsonb **result);
/* Assembles the elements in [from, to) of an array: of an inner node, or of a container. */
extern PgtOutcome pgt_build_slice(PgtBuild *build, PgtNode *inner, JsonbContainer *array, int64 from, int64 to, Jsonb **result);

/* json_tree_read.c */

/*
 * Reads the value at a path. This function and the next two require a started operation. The outcomes are those of
 * PgtJsonVtable (pgtoaster.h).
 */
extern PgtOutcome pgt_doc_get(PgtDoc *doc, PgtPath *path, Size most, Jsonb **result);
/* Reads the elements in [from, to) of an array, as an array. */
extern PgtOutcome pgt_doc_slice(PgtDoc *doc, PgtPath *path, int64 from, int64 to, Jsonb **result);
/* Reads the type of a value and, if size is true, the number of its elements or members. */
extern PgtOutcome pgt_doc_describe(PgtDoc *doc, PgtPath *path, bool size, const char **type, int64 *count);

/* The operations of PgtJsonVtable (pgtoaster.h) that read. */

/* Reads the value at a path. Locks nothing. */
extern PgtOutcome pgt_keyed_get(PgtColumn *column, PgtKey *key, PgtPath *path, Size most, Jsonb **result);
/* Reads the type and size of the value at a path. Locks nothing. */
extern PgtOutcome pgt_keyed_describe(PgtColumn *column, PgtKey *key, PgtPath *path, bool size, const char **type, int64 *count);
/* Reads elements of the array at a path. Locks nothing. */
extern PgtOutcome pgt_keyed_slice(PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result);

#endif
