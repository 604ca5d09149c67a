/*
 * json_branch.h: writes documents: nodes, the branches that are built from values, and changed leaves that are written
 * back into their branch.
 */
#ifndef PGT_JSON_BRANCH_H
#define PGT_JSON_BRANCH_H

#include "json_tree.h"

/* Content of a leaf. */
typedef struct PgtLeaf
{
	char		kind;
	Jsonb	   *value;
	int64		bytes;
	int			count;			/* number of its entries */
	bytea	   *low;			/* code of its first key; NULL for the first leaf of an object, and for leaves of
								 * other values */
} PgtLeaf;

/* A child of an inner node. */
typedef struct PgtChild
{
	int64		id;
	int64		count;			/* for arrays: number of elements below it */
	bytea	   *low;			/* for objects: code of the smallest key that may be below it; NULL for the first
								 * child */
} PgtChild;

/* Locking and writing heads and nodes: json_branch_writer.c */

typedef struct PgtStored PgtStored;

typedef struct PgtWriter
{
	PgtDoc	   *doc;
	int64		document;		/* 0 if the document has no head yet */
	PgtStored  *stored;			/* stored nodes that can be reused, or NULL */
	int64		written;		/* number of rows written */
} PgtWriter;

/* Replaces the active snapshot with a new one, which shows all changes committed or made since. */
extern void pgt_doc_renew(PgtDoc *doc);
/*
 * Locks the head of a document: exclusively if alone, else FOR KEY SHARE. Returns NULL if its generation or owner has
 * changed since the walk. Raises 40001 at REPEATABLE READ and above.
 */
extern HeapTuple pgt_lock_head(PgtDoc *doc, PgtWalk *walk, bool alone);
/* Locks a node FOR NO KEY UPDATE and returns its newest version; NULL if it was deleted. Raises 40001 as above. */
extern PgtNode *pgt_lock_node(PgtDoc *doc, PgtNode *seen);
/*
 * Returns the id of the document. If it has no head yet, inserts one, which needs the INSERT privilege on the head
 * table.
 */
extern int64 pgt_writer_document(PgtWriter *writer);
/* Increments the generation of a locked head; raises an error if somebody changed it without the lock. */
extern void pgt_raise_generation(PgtDoc *doc, HeapTuple head);
/* Returns the id of a node with this content: a stored node that is reused, or a new one. */
extern int64 pgt_write_leaf(PgtWriter *writer, const PgtLeaf *leaf);
/* Does the same for an inner node. */
extern int64 pgt_write_inner(PgtWriter *writer, char kind, const PgtChild *children, int count);
/* Replaces the content of a node, which the caller has locked, and increments its version. */
extern void pgt_replace_leaf(PgtWriter *writer, const PgtNode *node, const PgtLeaf *leaf);
/* Does the same for an inner node. */
extern void pgt_replace_inner(PgtWriter *writer, const PgtNode *node, const PgtChild *children, int count);
/*
 * Deletes nodes and, if below is true, all nodes below them. The active snapshot must show their newest versions, and
 * the caller must hold the locks.
 */
extern void pgt_delete_nodes(PgtWriter *writer, const PgtIds *ids, bool below);

/* Reusing the stored nodes of a document: json_branch_stored.c */

/*
 * Reads the digests of all nodes of a document, in the active snapshot. At REPEATABLE READ and above it locks each
 * node (FOR SHARE) and raises 40001 if the snapshot is outdated. Raises an error if a node is damaged.
 */
extern PgtStored *pgt_stored_load(PgtDoc *doc, int64 document);
/* Returns a node with this content that was not taken yet, and takes it; -1 if no such node is left. */
extern int64 pgt_stored_leaf(PgtStored *stored, const PgtLeaf *leaf);
/* Does the same for an inner node. */
extern int64 pgt_stored_inner(PgtStored *stored, char kind, const PgtChild *children, int count);
/* Lists the nodes that were not taken, or all nodes. */
extern void pgt_stored_rest(PgtStored *stored, bool all, PgtIds *ids);

/* Building branches: json_branch_levels.c, json_branch_source.c, json_branch_store.c */

typedef struct PgtLevels PgtLevels;
typedef struct PgtPieces PgtPieces;

/*
 * Returns a mixed hash modulo the period. The library uses the same function to choose where a leaf or inner node
 * ends.
 */
static inline int32
pgt_hash_modulo(uint32 hash, int32 period)
{
	int32		rest;

	hash *= 0x9E3779B9;
	rest = (int32) (hash ^ (hash >> 15)) % period;
	return rest < 0 ? rest + period : rest;
}

typedef struct PgtBuilder
{
	const PgtJsonOptions *options;
	PgtWriter  *writer;
	bool		follow;			/* whether the branches that markers name are also read and rebuilt */
	int64		source;			/* the document that contains these branches */
	bool		escapes;		/* out, if it follows markers: whether there were escaped keys */
} PgtBuilder;

/* A value as it is stored. */
typedef struct PgtPart
{
	JsonbValue	value;
	int64		size;			/* bytes inside a container, without the entry itself */
	bool		marker;			/* whether it is only a marker */
} PgtPart;

/*
 * Callback that receives the entries of a container in order. key is NULL for elements. Both live until it returns.
 */
typedef void (*PgtTaker) (void *arg, const JsonbValue *key, const JsonbValue *value);

/* Returns the kind of a value; for a marker, the kind of its branch. */
extern char pgt_store_kind(PgtBuilder *builder, const JsonbValue *value);
/* Calls the taker for all entries of a container; for a marker, for those of its branch. */
extern void pgt_store_each(PgtBuilder *builder, const JsonbValue *value, PgtTaker taker, void *arg);
/* Returns a node of the source; raises an error if it is damaged. */
extern PgtNode *pgt_source_node(PgtBuilder *builder, int64 id);
/* Appends the text of a branch of pieces of a string. */
extern void pgt_source_text(PgtBuilder *builder, int64 branch, StringInfo text);
/* Raises the error for an inconsistent source. */
extern void pgt_source_damaged(PgtBuilder *builder);
/*
 * Converts a value to the form in which split documents store it; writes nodes for large values. If whole is true, the
 * value stays in one piece. Raises an error if a branch that it follows is damaged.
 */
extern void pgt_store_value(PgtBuilder *builder, const JsonbValue *value, bool whole, PgtPart *part);
/* Moves a built value to a new branch, and replaces it with the marker. */
extern void pgt_store_branch(PgtBuilder *builder, PgtPart *part);
/* Starts an array or object that becomes a branch. Its entries must be added in order. */
extern PgtPieces *pgt_store_begin(PgtBuilder *builder, char kind);
/* Adds an entry, which is copied; key is NULL for elements. */
extern void pgt_store_add(PgtPieces *pieces, const JsonbValue *key, PgtPart *entry);
/* Ends it, and sets the part: one value if it was not cut, otherwise the marker of its branch. */
extern void pgt_store_end(PgtPieces *pieces, PgtPart *part);
/* Cuts a container into leaves; returns a list of PgtLeaf. */
extern List *pgt_store_leaves(PgtBuilder *builder, const JsonbValue *container);
/* Starts building the levels of inner nodes above children that are added in order. */
extern PgtLevels *pgt_levels_begin(PgtBuilder *builder, char kind);
/* Adds a child. */
extern void pgt_levels_add(PgtLevels *levels, const PgtChild *child);
/* Ends the levels; returns the children of the top and their number, few enough for one inner node. */
extern PgtChild *pgt_levels_top(PgtLevels *levels, int *count);
/* Writes a leaf and adds it. */
extern void pgt_levels_leaf(PgtLevels *levels, const PgtLeaf *leaf);
/* Writes the root of the branch and sets the part to its marker. */
extern void pgt_levels_root(PgtLevels *levels, PgtPart *part);

/* Writing changed leaves back into a branch, and updating the nodes above: json_branch_fit.c */

/* How changed content is written back into a branch. */
typedef struct PgtFit
{
	PgtDoc	   *doc;
	int64		document;
	PgtNode   **chain;			/* nodes from the root of the branch down to the leaf */
	int			depth;			/* index of the leaf in chain */
	JsonbValue *content;
	int64		bytes;
	bool		structural;		/* whether nodes above the leaf change; then the whole chain must be locked */
	/* Set by a caller that also removes elements from another leaf, the first one below the root of the branch. */
	PgtNode    *front;
	JsonbValue *front_content;
	int			front_removed;	/* number of elements */
} PgtFit;

/* Plans the write; sets structural. Writes and locks nothing. */
extern void pgt_fit(PgtFit *fit, PgtDoc *doc, int64 document, PgtNode **chain, int length, JsonbValue *content);
/* Writes the content. The nodes that it changes must be locked; it locks a neighbour that it merges with. */
extern void pgt_fit_write(PgtFit *fit);

#endif
