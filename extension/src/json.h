/*
 * json.h: declarations shared by the files of the toaster keyed.
 *
 * docs/internals.md, "The format of a document", describes the format: a stub in the owner's row, and a tree of nodes
 * for each member that is stored out of line.
 *
 * json_value.c handles markers, keys and positions, json_tree_node.c heads and nodes; json_tree_walk.c finds the place that a
 * path names. json_tree_read.c reads, json_tree_build.c assembles what is read. json_edit_leaf.c changes small values in place:
 * json_value_splice.c changes the leaf, json_value_write.c writes jsonb. json_edit_slot.c and the files listed in json_edit.h make all
 * other changes.
 */
#ifndef PGT_JSON_H
#define PGT_JSON_H

#include "core.h"

#include "lib/stringinfo.h"

/* Key of the header of a stub and of a marker. */
#define PGT_MARKER "$pgtoaster"
#define PGT_MARKER_LEN ((int) sizeof(PGT_MARKER) - 1)

/* Maximum number of levels of inner nodes in a branch. More levels mean that stored references form a cycle. */
#define PGT_MAX_LEVELS 64

/* Lower limit of the leaf size for edits, in bytes. */
#define PGT_LEAST_LEAF 512

/* Kinds of nodes. */
#define PGT_OBJECT 'o'
#define PGT_ARRAY 'a'
#define PGT_STRING 's'
#define PGT_VALUE 'v'

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

/* Where an inner node was found. Readers of a document visit the same inner nodes again and again. */
typedef struct PgtNodePlace
{
	int64		id;				/* of the node; 0 if unused */
	PgtPlace	place;
} PgtNodePlace;

#define PGT_NODE_PLACES 2048

/* State of a column: its options, and where its rows were found. */
typedef struct PgtJsonOptions
{
	int32		row_budget;		/* maximum size in bytes of the owner's row */
	int32		leaf_size;		/* maximum size in bytes of a leaf that an edit writes */
	int32		whole_leaf_size;	/* the same when a whole document is written: the value of the option */
	int32		string_size;	/* maximum size in bytes of a string that is stored in one piece */
	int32		fan_out;		/* maximum number of children of an inner node */
	bool		touch;			/* whether a change of a leaf also updates the owner's row */
	int			pin_count;		/* paths that stay in the row, with keys as the user writes them */
	PgtPath    *pins;
	PgtPlace	heads[PGT_PLACES];
	PgtNodePlace nodes[PGT_NODE_PLACES];
} PgtJsonOptions;

#define pgt_json_options(column) ((PgtJsonOptions *) (column)->state)

/* One step of a path. */
typedef struct PgtStep
{
	const char *raw;			/* as given */
	int			raw_len;
	const char *key;			/* as stored in split documents */
	int			key_len;
	bool		is_position;	/* whether it can be a position in an array, by the rules of jsonb */
	int32		position;		/* negative positions count from the end */
	char		kind;			/* PGT_STEP_KEY or PGT_STEP_POSITION; otherwise the value it is applied to decides */
} PgtStep;

/* Steps of operators that accept only one kind: -> with text, and -> with an integer. */
#define PGT_STEP_KEY 'k'
#define PGT_STEP_POSITION 'i'

typedef struct PgtSteps
{
	int			length;
	PgtStep    *steps;
} PgtSteps;

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
 * hop may have neither: then the path leads nowhere.
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

/* json_tree_node.c */

/*
 * Initializes an operation on one row, in the current memory context. Opens and locks nothing. The caller may set
 * stub, trusted, kinds and shallow afterwards.
 */
extern void pgt_doc_begin(PgtDoc *doc, PgtColumn *column, PgtKey *key, bool writes);
/*
 * Closes what the operation opened. Values that it returned stay valid; locks stay until the end of the transaction.
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
/*
 * Returns a copy of a node in the active snapshot, in the current memory context. Returns NULL if it is missing or
 * inconsistent.
 */
extern PgtNode *pgt_doc_node(PgtDoc *doc, int64 document, int64 id);
/* Does the same for a row that the caller has read; the node keeps the row. */
extern PgtNode *pgt_node_of(PgtDoc *doc, HeapTuple tuple);
/* Frees a node with its row. Do not use it for nodes of pgt_shared_node. */
extern void pgt_node_free(PgtNode *node);

/* Inner nodes visited so far. In a tree each occurs once; damaged references to the same node could loop forever. */
typedef struct PgtMet
{
	struct HTAB *ids;			/* NULL before the first one */
	MemoryContext context;
} PgtMet;

/* Initializes an empty set in the current memory context. */
extern void pgt_met_begin(PgtMet *met);
/* Returns true for a leaf, and for an inner node that was not visited before; remembers the inner node. */
extern bool pgt_first_time(PgtMet *met, int64 id, PgtNode *node);
/*
 * Finds the head of a document in the active snapshot. Returns PGT_APPLIED, or PGT_FOREIGN if there is no such head
 * or it belongs to another row. Locks nothing.
 */
extern PgtOutcome pgt_doc_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation);
/* Returns true if a head names the operation's row as its owner. */
extern bool pgt_head_owned(PgtDoc *doc, HeapTuple head);
/* Returns true if a key equals that of the operation's row. */
extern bool pgt_is_owner(PgtDoc *doc, const Datum *key);

/* json_tree_head.c */

/*
 * Lets the operation share what it reads with other reads of the same row. Valid while the active snapshot and the
 * current memory context stay the same.
 */
extern void pgt_share(PgtDoc *doc);
/* Sets the shared head and its generation if it belongs to the document and the row; returns false otherwise. */
extern bool pgt_shared_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation);
/*
 * Shares a head, with its owner key, and forgets the nodes of the previous head. Does nothing if nothing is shared.
 */
extern void pgt_share_head(PgtDoc *doc, int64 document, HeapTuple head, const Datum *owner, int64 generation);
/* Does the same as pgt_doc_node, but may return a shared node. Do not free it. */
extern PgtNode *pgt_shared_node(PgtDoc *doc, int64 document, int64 id);

/* json_tree_walk.c */

/*
 * Follows the first length steps of a path. With slot, it also looks up the head of a stub, and if the last hop is an
 * inner node, continues down to the leaf of the next step.
 *
 * Returns PGT_APPLIED if the stored data is consistent; the last hop shows whether the path leads to a value.
 * Otherwise returns PGT_NO_ROW, PGT_DENIED (writers only), PGT_FOREIGN or PGT_DAMAGED. Locks nothing. Allocates in
 * the current memory context.
 */
extern PgtOutcome pgt_walk(PgtDoc *doc, PgtSteps *steps, int length, bool slot, PgtWalk *walk);
/* Does the same from a document that the caller has read or locked. */
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
/* Sets the rest of the path from the leaf on: stored keys, and positions within the leaf. The leaf may be 0. */
extern void pgt_walk_within(PgtWalk *walk, int leaf, PgtSteps *steps, PgtSteps *within);

/* Takes one step into a value; returns false if it leads nowhere. */
extern bool pgt_step_into(PgtHop *from, bool split, PgtStep *step, JsonbValue *value);

/* json_value.c */

/* Converts a path to steps, in the current memory context. */
extern void pgt_steps(PgtSteps *steps, PgtPath *path);
/* Returns true if a value is a stored array. */
extern bool pgt_is_array(JsonbValue *value);
/* Returns true if a value is a stored object. */
extern bool pgt_is_object(JsonbValue *value);
/* Sets the root of a jsonb as a value, which points into the jsonb. */
extern void pgt_root_value(Jsonb *jsonb, JsonbValue *value);

/* Returns the index of the child of an inner node that contains a position; -1 if no child does. */
extern int	pgt_child_at(PgtNode *node, int64 position);
/* Returns the index of the child of an inner node that contains a key; -1 if no child does. */
extern int	pgt_child_of(PgtNode *node, const char *key, int len);

/* Returns true if a key looks like a marker's key. Such keys are stored with one more dollar sign. */
extern bool pgt_key_like_marker(const char *key, int len);
/* Returns the key as it is stored: the same pointer, or a palloc'd copy with one more dollar sign. */
extern const char *pgt_key_escape(const char *key, int len, int *stored_len);
/*
 * Returns the code of a stored key, palloc'd: 4 bytes of length, then at most 512 bytes of UTF-8. Codes sort as jsonb
 * sorts keys.
 */
extern bytea *pgt_key_code(const char *key, int len);
/* Compares two codes as bytea. */
extern int	pgt_code_compare(bytea *a, bytea *b);
/* Returns true if the bytes contain $pgtoaster. */
extern bool pgt_has_marker_text(const void *data, Size size);

/*
 * Returns true if a value of a document without a header is a marker or, with within, contains one: somebody removed
 * the header while triggers were off.
 */
extern bool pgt_lost_header(JsonbValue *value, bool within);
/*
 * Returns true if a value of a split document has a marker's key, and sets its branch. Sets damaged if it only looks
 * like a marker.
 */
extern bool pgt_marked(JsonbValue *value, int64 *branch, bool *damaged);

/* Returns the number in a marker or header; -1, which names no branch, for anything else. */
extern int64 pgt_branch_number(JsonbValue *value);

/* Returns the pg_column_size that a value would have as a jsonb. */
extern int64 pgt_value_size(JsonbValue *value);
/* Returns a value as a jsonb in the current memory context; copies a container once. */
extern Jsonb *pgt_value_jsonb(JsonbValue *value);

/* json_value_write.c */

/* The limits of jsonb_util.c: the server could not take apart a larger container. */
#define PGT_MAX_ELEMS ((int64) Min(MaxAllocSize / sizeof(JsonbValue), JB_CMASK))
#define PGT_MAX_PAIRS ((int64) Min(MaxAllocSize / sizeof(JsonbPair), JB_CMASK))

#define PGT_TRY(call) \
	do { \
		PgtOutcome outcome_ = (call); \
		if (outcome_ != PGT_APPLIED) \
			return outcome_; \
	} while (0)

/* A jsonb being written. */
typedef struct PgtOut
{
	StringInfoData text;
	bool		rooted;			/* whether the root has been started */
	Size		limit;			/* maximum size in bytes; the root cannot store a larger length */
} PgtOut;

/* A container being written. */
typedef struct PgtFrame
{
	int			entries;		/* offset of its entries */
	int			most;			/* number of entries that have room there */
	int			count;			/* entries written */
	uint32		length;			/* length of its data so far */
} PgtFrame;

/* The functions below that return an outcome return PGT_TOO_LARGE if the result would be too large for a jsonb. */
/* Starts a jsonb in the current memory context. */
extern void pgt_out_begin(PgtOut *out);
/* Ends a jsonb and returns it, without a copy. */
extern Jsonb *pgt_out_end(PgtOut *out);
/* Makes room for size more bytes. */
extern PgtOutcome pgt_out_reserve(PgtOut *out, Size size);
/* Appends bytes. */
extern PgtOutcome pgt_out_append(PgtOut *out, const void *data, Size size);
/* Appends padding to a multiple of 4. Call it before the data of a number or container. */
extern PgtOutcome pgt_out_pad(PgtOut *out);
/*
 * Starts a container: JB_FARRAY, JB_FOBJECT or JB_FARRAY | JB_FSCALAR, with count elements or pairs. Returns
 * PGT_DAMAGED for a negative count.
 */
extern PgtOutcome pgt_out_open(PgtOut *out, PgtFrame *frame, uint32 flags, int64 count);
/*
 * Writes the next entry of a container, whose data, with padding, has just been written from offset from on. The
 * entries of an object are all its keys, then all its values. Returns PGT_DAMAGED if the container has more entries
 * than announced.
 */
extern PgtOutcome pgt_out_entry(PgtOut *out, PgtFrame *frame, uint32 type, int from);

/* Sets type and data of entry n of a container, which begins at an offset; advances the offset. */
static inline void
pgt_entry_at(const JsonbContainer *container, const char *base, int n, uint32 *offset, uint32 *type, const char **data,
		 uint32 *len)
{
	JEntry		entry = container->children[n];
	uint32		from = *offset;

	JBE_ADVANCE_OFFSET(*offset, entry);
	*type = entry & JENTRY_TYPEMASK;
	if (*type == JENTRY_ISCONTAINER || *type == JENTRY_ISNUMERIC)
		from = INTALIGN(from);
	*data = base + from;
	*len = *offset > from ? *offset - from : 0;
}

/* json_value_splice.c */

/*
 * Returns in *result a copy of a jsonb in which the value at a path is replaced, or a member is added to the object
 * of the last step. Returns PGT_MISSING if a container of the path is missing, or the value is missing and its parent
 * is an array.
 */
extern PgtOutcome pgt_splice(Jsonb *jsonb, PgtSteps *path, Jsonb *value, Jsonb **result);

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

/* Initializes it. An array or object of more than most bytes is PGT_TOO_LARGE. */
extern void pgt_build_begin(PgtBuild *build, PgtDoc *doc, bool split, int64 document, Size most);
/* Assembles a stored value with everything that its markers name, and with the user's keys. */
extern PgtOutcome pgt_build_value(PgtBuild *build, JsonbValue *value, Jsonb **result);
/* Does the same for a branch, from its root on. */
extern PgtOutcome pgt_build_node(PgtBuild *build, PgtNode *node, Jsonb **result);
/* Assembles a whole document whose root is an object. */
extern PgtOutcome pgt_build_document(PgtBuild *build, Jsonb *stub, bool has_overflow, int64 overflow, Jsonb **result);
/* Assembles the elements in [from, to) of an array: of an inner node, or of a container. */
extern PgtOutcome pgt_build_slice(PgtBuild *build, PgtNode *inner, JsonbContainer *array, int64 from, int64 to, Jsonb **result);

/* json_tree_read.c, json_edit_leaf.c */

/*
 * Reads the value at a path. For callers that have begun the operation, as the next two. Outcomes are as in
 * PgtJsonVtable (pgtoaster.h).
 */
extern PgtOutcome pgt_doc_get(PgtDoc *doc, PgtPath *path, Size most, Jsonb **result);
/* Reads the elements in [from, to) of an array, as an array. */
extern PgtOutcome pgt_doc_slice(PgtDoc *doc, PgtPath *path, int64 from, int64 to, Jsonb **result);
/* Reads the type of a value and, if size is true, the number of its elements or members. */
extern PgtOutcome pgt_doc_describe(PgtDoc *doc, PgtPath *path, bool size, const char **type, int64 *count);

/* The operations of PgtJsonVtable (pgtoaster.h). */

/* Reads the value at a path. Locks nothing. */
extern PgtOutcome pgt_keyed_get(PgtColumn *column, PgtKey *key, PgtPath *path, Size most, Jsonb **result);
/* Reads the type and size of the value at a path. Locks nothing. */
extern PgtOutcome pgt_keyed_describe(PgtColumn *column, PgtKey *key, PgtPath *path, bool size, const char **type, int64 *count);
/* Reads elements of the array at a path. Locks nothing. */
extern PgtOutcome pgt_keyed_slice(PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result);
/* Sets the value at a path: in place if possible, otherwise with pgt_json_edit. json_edit_leaf.c describes the locks. */
extern PgtOutcome pgt_keyed_set(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool create);
/*
 * Adds to the number at a path; sets *sum to the result. Works and locks like pgt_keyed_set. Raises an error if delta
 * is not finite.
 */
extern PgtOutcome pgt_keyed_increment(PgtColumn *column, PgtKey *key, PgtPath *path, Datum delta, Datum *sum);

/* json_edit_slot.c */

typedef enum PgtEditKind
{
	PGT_SET, PGT_INSERT, PGT_APPEND, PGT_REMOVE, PGT_INCREMENT
} PgtEditKind;

typedef struct PgtEdit
{
	PgtEditKind kind;
	PgtPath    *path;
	Jsonb	   *value;			/* set, insert, append */
	bool		flag;			/* set: create a missing value; insert: insert after the position */
	Datum		delta;			/* increment: numeric */
	Datum		sum;			/* out, increment: the new number */
} PgtEdit;

/*
 * Makes any edit in the general way. Locks in the order owner's row, head, nodes, until the end of the transaction.
 * Returns PGT_ELSEWHERE if the database encoding is not UTF-8. Raises 40001 if other writers kept changing the place.
 */
extern PgtOutcome pgt_json_edit(PgtColumn *column, PgtKey *key, PgtEdit *edit);
/*
 * Stores the document again in its best form, with the owner's row and the head locked exclusively until the end of
 * the transaction. rows is the number of rows written. Returns PGT_ELSEWHERE if the database encoding is not UTF-8.
 */
extern PgtOutcome pgt_keyed_shrink(PgtColumn *column, PgtKey *key, int64 *rows);

#endif
