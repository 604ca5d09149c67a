/*
 * json.h: what the files of the toaster keyed share. The format is in docs/internals.md, "The format of
 * a document": a stub in the owner's row, and a tree of nodes per member that is out of line.
 *
 * json_value.c knows markers, keys and positions, json_node.c heads and nodes, and json_walk.c finds the place
 * that a path names. json_read.c reads, json_build.c puts together what is read, json_leaf.c changes small values
 * where they stand (json_splice.c the leaf, json_write.c the format of jsonb); json_edit.c and what json_edit.h
 * names change everything else.
 */
#ifndef PGT_JSON_H
#define PGT_JSON_H

#include "core.h"

#include "lib/stringinfo.h"

/* Key of the header of a stub and of a marker. */
#define PGT_MARKER "$pgtoaster"
#define PGT_MARKER_LEN ((int) sizeof(PGT_MARKER) - 1)

/* Inner nodes below each other in one branch; more means that what is stored runs in a circle. */
#define PGT_MAX_LEVELS 64

/* Least bytes that a leaf is cut to */
#define PGT_LEAST_LEAF 512

/* Kinds of nodes. */
#define PGT_OBJECT 'o'
#define PGT_ARRAY 'a'
#define PGT_STRING 's'
#define PGT_VALUE 'v'

/* Columns of store_<n>_head; the key of the owner's row stands between them. */
#define PGT_HEAD_ID 1
#define PGT_HEAD_OWNER 2
#define PGT_HEAD_GENERATION(column) ((AttrNumber) ((column)->key_count + 2))

/* Columns of store_<n>_node; in a store with a leading key, that column of the row key comes behind them. */
enum
{
	PGT_NODE_DOC = 1, PGT_NODE_ID, PGT_NODE_VERSION, PGT_NODE_KIND, PGT_NODE_BYTES, PGT_NODE_VALUE, PGT_NODE_KIDS,
	PGT_NODE_STARTS, PGT_NODE_LOWS
};
#define PGT_NODE_COLUMNS PGT_NODE_LOWS
#define PGT_NODE_MOST_COLUMNS (PGT_NODE_COLUMNS + 1)

/* Where an inner node was found: readers of a document go through the same ones again and again. */
typedef struct PgtNodePlace
{
	int64		id;				/* of the node; 0: none */
	PgtPlace	place;
} PgtNodePlace;

#define PGT_NODE_PLACES 2048

/* Options of a column, and where its rows were found: its state. */
typedef struct PgtJsonOptions
{
	int32		row_budget;		/* most bytes of the owner's row */
	int32		leaf_size;		/* most bytes of a leaf that an edit writes */
	int32		whole_leaf_size;	/* the same with a whole document: the option */
	int32		string_size;	/* most bytes of a string that is stored in one piece */
	int32		fan_out;		/* most children of an inner node */
	bool		touch;			/* whether a change of a leaf also touches the owner's row */
	int			pin_count;		/* paths that stay in the row, their keys as the user has them */
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
	const char *key;			/* as split documents store it */
	int			key_len;
	bool		is_position;	/* whether it can be a position in an array, as jsonb reads it */
	int32		position;		/* negative counts from the end */
	char		kind;			/* PGT_STEP_KEY, PGT_STEP_POSITION; else what it meets tells */
} PgtStep;

/* Steps of operators that look for one of both only: -> with text, and with an integer. */
#define PGT_STEP_KEY 'k'
#define PGT_STEP_POSITION 'i'

typedef struct PgtSteps
{
	int			length;
	PgtStep    *steps;
} PgtSteps;

/* A stored node, a copy. */
typedef struct PgtNode
{
	int64		id;
	int64		version;
	char		kind;
	int32		bytes;			/* of a leaf's value, as its writer counted */
	Jsonb	   *value;			/* of a leaf, detoasted; NULL for an inner node */
	int			kid_count;		/* children of an inner node; branches that a leaf's markers name */
	int64	   *kids;
	int64	   *starts;			/* of an inner node of an array: kid_count + 1, the last is the number of elements */
	bytea	  **lows;			/* of an inner node of an object: kid_count codes, plain 4-byte varlenas or short ones */
	HeapTuple	tuple;			/* for pgt_update, pgt_lock, pgt_delete */
} PgtNode;

/*
 * A step of a walk: into a value, or one node down. There is a value, or the node is an inner one, or
 * (only in the last hop) there is nothing.
 */
typedef struct PgtHop
{
	PgtNode    *node;			/* that was reached; NULL for a step within one, or within the row */
	int			step;			/* number of steps of the path taken */
	bool		has_rel;		/* whether an inner node above has told the position in this node */
	int64		rel;
	bool		present;		/* there is a value */
	JsonbValue	value;			/* as stored: jbvBinary or a scalar */
} PgtHop;

/* The way to the place that a path names, as one snapshot shows it. */
typedef struct PgtWalk
{
	Jsonb	   *stub;			/* what the owner's row holds; NULL for SQL NULL */
	bool		split;			/* whether it is a stub: all that follows says something only then */
	int64		document;
	bool		has_overflow;
	int64		overflow;			/* branch of the members that are not in the stub */
	bool		bare;			/* whether the stub is nothing but its header: then the overflow branch is the root */
	HeapTuple	head;			/* of this row; NULL if it was not looked for */
	int64		generation;		/* of the head, if that is there */
	int			count;
	int			room;
	PgtHop	   *hops;
} PgtWalk;

/* What reads of a document share. */
typedef struct PgtShared PgtShared;

/* An operation on a row: the tables of the store are opened when they are needed. */
typedef struct PgtDoc
{
	PgtColumn  *column;
	PgtKey	   *key;
	bool		writes;
	bool		shallow;		/* of the values of leaves only the root's header is read: for counting */
	bool		partial;		/* of an array in a leaf only what lies before the end of an element is read: number upto */
	int64		upto;
	Jsonb	   *stub;			/* what the row holds, if the caller has it; NULL: it is read */
	bool		trusted;		/* whether the executor has asked for the rights already */
	const char *kinds;			/* of the steps of the path, one character for each; those beyond its end are of either kind */
	PgtShared  *shared;			/* NULL: nothing is shared */
	PgtTable	head;			/* use pgt_doc_head_table */
	PgtTable	node;			/* use pgt_doc_node_table */
	Relation	node_index;
	MemoryContext context;		/* for the scan, which outlives the calls that use it */
	IndexScanDesc scan;			/* over nodes, of one snapshot */
	TupleTableSlot *slot;
} PgtDoc;

/* json_node.c */

extern void pgt_doc_begin(PgtDoc *doc, PgtColumn *column, PgtKey *key, bool writes);
/* Closes what was opened; what it returned stays. */
extern void pgt_doc_end(PgtDoc *doc);
/* To be called when another snapshot has become the active one; pgt_walk does. */
extern void pgt_doc_snapshot_changed(PgtDoc *doc);
extern PgtTable *pgt_doc_head_table(PgtDoc *doc);
extern PgtTable *pgt_doc_node_table(PgtDoc *doc);
/* A node as the active snapshot shows it; NULL if it is missing or contradicts itself. */
extern PgtNode *pgt_doc_node(PgtDoc *doc, int64 document, int64 id);
/* The same, of a row that the caller has. */
extern PgtNode *pgt_node_of(PgtDoc *doc, HeapTuple tuple);
extern void pgt_node_free(PgtNode *node);

/* Inner nodes that were met. A tree has each once; the paths through shared ones would have no end. */
typedef struct PgtMet
{
	struct HTAB *ids;			/* NULL before the first */
	MemoryContext context;
} PgtMet;

extern void pgt_met_begin(PgtMet *met);
/* Whether a node is not an inner one, or was not met before. */
extern bool pgt_first_time(PgtMet *met, int64 id, PgtNode *node);
/* Looks for the head of a document that must belong to the operation's row; PGT_APPLIED or PGT_FOREIGN. */
extern PgtOutcome pgt_doc_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation);
/* Whether a head names the operation's row as its owner. */
extern bool pgt_head_owned(PgtDoc *doc, HeapTuple head);
/* Whether a key is that of the operation's row. */
extern bool pgt_is_owner(PgtDoc *doc, const Datum *key);

/* json_shared.c */

/* For a reader in the active snapshot, as long as that and the current memory context are what they are. */
extern void pgt_share(PgtDoc *doc);
extern bool pgt_shared_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation);
/* To be called with the key that the head has. */
extern void pgt_share_head(PgtDoc *doc, int64 document, HeapTuple head, const Datum *owner, int64 generation);
/* As pgt_doc_node: not to be freed. */
extern PgtNode *pgt_shared_node(PgtDoc *doc, int64 document, int64 id);

/* json_walk.c */

/*
 * Follows the first so many steps. With slot, goes on from there to the leaf in which the next step is, if
 * it stands before an inner node then, and always looks for the head of a stub. PGT_APPLIED says only that what
 * is stored made sense: whether the path leads anywhere is seen by the last hop. PGT_NO_ROW, PGT_FOREIGN, PGT_DAMAGED.
 */
extern PgtOutcome pgt_walk(PgtDoc *doc, PgtSteps *steps, int length, bool slot, PgtWalk *walk);
/* The same from a document that was read, or locked, before. */
extern PgtOutcome pgt_walk_from(PgtDoc *doc, Jsonb *stub, PgtSteps *steps, int length, bool slot, PgtWalk *walk);

static inline PgtHop *
pgt_walk_last(PgtWalk *walk)
{
	return &walk->hops[walk->count - 1];
}

/* Whether a hop is an inner node. */
static inline bool
pgt_hop_inner(PgtHop *hop)
{
	return !hop->present && hop->node != NULL;
}

/* Number of the hop at which the leaf that holds the last hop was entered; 0 for the owner's row. */
extern int	pgt_walk_leaf(PgtWalk *walk);
/* The nodes from the root of the branch down to the leaf; returns how many, into an array of PGT_MAX_LEVELS + 1. */
extern int	pgt_walk_chain(PgtWalk *walk, int leaf, PgtNode **chain);
/* The whole path from the leaf on, as keys (key = as stored) and positions in it; leaf may be 0. */
extern void pgt_walk_within(PgtWalk *walk, int leaf, PgtSteps *steps, PgtSteps *within);

/* One step into a value; false if there is nothing. */
extern bool pgt_step_into(PgtHop *from, bool split, PgtStep *step, JsonbValue *value);

/* json_value.c */

extern void pgt_steps(PgtSteps *steps, PgtPath *path);
extern bool pgt_is_array(JsonbValue *value);
extern bool pgt_is_object(JsonbValue *value);
/* The root of a jsonb as a value. */
extern void pgt_root_value(Jsonb *jsonb, JsonbValue *value);

/* The child of an inner node that holds a position, or a key by its code; -1 if none does. */
extern int	pgt_child_at(PgtNode *node, int64 position);
extern int	pgt_child_of(PgtNode *node, const char *key, int len);

/* Keys: one that looks like a marker's is stored with one more dollar sign. */
extern bool pgt_key_like_marker(const char *key, int len);
/* Returns key, or a palloc'd one. */
extern const char *pgt_key_escape(const char *key, int len, int *stored_len);
/* Code of a stored key: 4 bytes of length, the first 512 bytes; sorts as jsonb sorts keys. */
extern bytea *pgt_key_code(const char *key, int len);
/* Compares codes as bytea. */
extern int	pgt_code_compare(bytea *a, bytea *b);
/* Whether bytes contain $pgtoaster. */
extern bool pgt_has_marker_text(const void *data, Size size);

/* Whether a value of a document without header is a marker, or has one: with triggers off the header was taken away. */
extern bool pgt_lost_header(JsonbValue *value, bool within);
/* Whether a value of a split document is a marker, and of what; damaged is set if it only looks like one. */
extern bool pgt_marked(JsonbValue *value, int64 *branch, bool *damaged);

/* A number as markers and headers have it; -1, which names nothing, for anything else. */
extern int64 pgt_branch_number(JsonbValue *value);

/* What pg_column_size says of a value as a jsonb of its own. */
extern int64 pgt_value_size(JsonbValue *value);
/* A value as a jsonb of its own: one copy of a container. */
extern Jsonb *pgt_value_jsonb(JsonbValue *value);

/* json_write.c */

/* As in jsonb_util.c: more could not be taken apart again. */
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
	bool		rooted;			/* whether the root has been begun */
	Size		limit;			/* most bytes: the root can tell the length of no more */
} PgtOut;

/* A container being written. */
typedef struct PgtFrame
{
	int			entries;		/* where its entries are */
	int			most;			/* so many have room there */
	int			count;			/* entries written */
	uint32		length;			/* of its data so far */
} PgtFrame;

/* Functions return PGT_TOO_LARGE if that is so. */
extern void pgt_out_begin(PgtOut *out);
extern Jsonb *pgt_out_end(PgtOut *out);
extern PgtOutcome pgt_out_reserve(PgtOut *out, Size size);
extern PgtOutcome pgt_out_append(PgtOut *out, const void *data, Size size);
/* To be called before the data of a number or container. */
extern PgtOutcome pgt_out_pad(PgtOut *out);
/* Begins a container: JB_FARRAY, JB_FOBJECT or JB_FARRAY | JB_FSCALAR, so many elements or pairs. */
extern PgtOutcome pgt_out_open(PgtOut *out, PgtFrame *frame, uint32 flags, int64 count);
/* The next entry: of an object all keys, then all values. Its data, padding included, was written from there on. */
extern PgtOutcome pgt_out_entry(PgtOut *out, PgtFrame *frame, uint32 type, int from);

/* Number n of a container's entries, which begins at an offset; advances the offset. */
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

/* json_splice.c */

/*
 * A jsonb with the value at a path replaced, or a member added to the object that its last step is in. The
 * path's containers must be there. PGT_MISSING if not; also if the value is missing and the last step is in an array.
 */
extern PgtOutcome pgt_splice(Jsonb *jsonb, PgtSteps *path, Jsonb *value, Jsonb **result);

/* json_build.c */

/* A value being put together; one is good for one result. Functions return PGT_DAMAGED or PGT_TOO_LARGE on failure. */
typedef struct PgtBuild
{
	PgtDoc	   *doc;
	bool		split;
	int64		document;
	PgtOut		out;
	PgtMet		met;
} PgtBuild;

/* Of an array or object are made most bytes: then PGT_TOO_LARGE. */
extern void pgt_build_begin(PgtBuild *build, PgtDoc *doc, bool split, int64 document, Size most);
/* A stored value, with everything that its markers name; keys as the user has them. */
extern PgtOutcome pgt_build_value(PgtBuild *build, JsonbValue *value, Jsonb **result);
/* The same of a branch, from its root on. */
extern PgtOutcome pgt_build_node(PgtBuild *build, PgtNode *node, Jsonb **result);
/* A whole document whose root is an object. */
extern PgtOutcome pgt_build_document(PgtBuild *build, Jsonb *stub, bool has_overflow, int64 overflow, Jsonb **result);
/* Elements from up to, not including, to, of an array: of an inner node, or of a container. */
extern PgtOutcome pgt_build_slice(PgtBuild *build, PgtNode *inner, JsonbContainer *array, int64 from, int64 to, Jsonb **result);

/* json_read.c, json_leaf.c */

/* For callers that have begun the operation themselves. */
extern PgtOutcome pgt_doc_get(PgtDoc *doc, PgtPath *path, Size most, Jsonb **result);
extern PgtOutcome pgt_doc_slice(PgtDoc *doc, PgtPath *path, int64 from, int64 to, Jsonb **result);
extern PgtOutcome pgt_doc_describe(PgtDoc *doc, PgtPath *path, bool size, const char **type, int64 *count);

extern PgtOutcome pgt_keyed_get(PgtColumn *column, PgtKey *key, PgtPath *path, Size most, Jsonb **result);
extern PgtOutcome pgt_keyed_describe(PgtColumn *column, PgtKey *key, PgtPath *path, bool size, const char **type, int64 *count);
extern PgtOutcome pgt_keyed_slice(PgtColumn *column, PgtKey *key, PgtPath *path, int64 from, int64 to, Jsonb **result);
extern PgtOutcome pgt_keyed_set(PgtColumn *column, PgtKey *key, PgtPath *path, Jsonb *value, bool create);
extern PgtOutcome pgt_keyed_increment(PgtColumn *column, PgtKey *key, PgtPath *path, Datum delta, Datum *sum);

/* json_edit.c */

typedef enum PgtEditKind
{
	PGT_SET, PGT_INSERT, PGT_APPEND, PGT_REMOVE, PGT_INCREMENT
} PgtEditKind;

typedef struct PgtEdit
{
	PgtEditKind kind;
	PgtPath    *path;
	Jsonb	   *value;			/* set, insert, append */
	bool		flag;			/* set: create what is missing; insert: behind */
	Datum		delta;			/* increment: numeric */
	Datum		sum;			/* out: increment */
} PgtEdit;

/* Any edit, in the general way. */
extern PgtOutcome pgt_json_edit(PgtColumn *column, PgtKey *key, PgtEdit *edit);
extern PgtOutcome pgt_keyed_shrink(PgtColumn *column, PgtKey *key, int64 *rows);

#endif
