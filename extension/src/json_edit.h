/*
 * json_edit.h: what the files share that change documents: values that are changed in memory, the builder
 * of branches, the writer of nodes.
 */
#ifndef PGT_JSON_EDIT_H
#define PGT_JSON_EDIT_H

#include "json.h"

#include "utils/jsonb.h"

/* What every jsonb and every container takes, and what a container keeps per element, key and value. */
#define PGT_DATUM 4
#define PGT_CONTAINER 4
#define PGT_ENTRY_BYTES 4
/* What a row takes beside its columns, and a stub for its header or for the marker of a member that left. */
#define PGT_ROW_HEADER 24
#define PGT_MARKER_BYTES 48
/* Least bytes that a document may take in the row, however wide the other columns are. */
#define PGT_LEAST_INLINE 128

/* Numbers of branches. */
typedef struct PgtIds
{
	int			count;
	int			room;
	int64	   *ids;
} PgtIds;

extern void pgt_ids_add(PgtIds *ids, int64 id);
/* A new number of a node: grows with time, unique by random bits. */
extern int64 pgt_ids_next(void);

/*
 * Values in memory: json_tree.c. A container is jbvBinary, as it stands in its jsonb, or, where it is changed,
 * jbvArray or jbvObject with entries of either form, the members in jsonb's order.
 */

/* 'o', 'a', 's', or 'v' for other scalars. */
extern char pgt_json_kind(const JsonbValue *value);
extern int	pgt_json_count(const JsonbValue *value);
/* Turns a container into the form that can be changed; entries stay as they are. */
extern void pgt_json_open(JsonbValue *value);
/* Entry of a container in either form; key is NULL or gets a member's. */
extern void pgt_json_entry(const JsonbValue *container, int at, JsonbValue *key, JsonbValue *value);
/* Child number index of a stored container, whose data begins so far behind the entries. */
extern void pgt_json_child(const JsonbContainer *container, int index, uint32 offset, JsonbValue *value);
/* All entries, in order; a key is set for members only. */
typedef struct PgtCursor
{
	const JsonbValue *container;
	int			at;
	int			count;
	uint32		key_offset;
	uint32		offset;
} PgtCursor;

extern void pgt_json_begin(PgtCursor *cursor, const JsonbValue *container);
extern bool pgt_json_next(PgtCursor *cursor, JsonbValue *key, JsonbValue *value);
/* Position of a key in an open object; where it would be inserted, if *found is false. */
extern int	pgt_json_find(const JsonbValue *object, const char *key, int length, bool *found);
/* Changes of an open container. */
extern void pgt_json_put_member(JsonbValue *object, const char *key, int length, const JsonbValue *value);
extern void pgt_json_insert_element(JsonbValue *array, int at, const JsonbValue *value);
extern void pgt_json_delete_entry(JsonbValue *container, int at);
/* As jsonb; the memory of the value is not shared. */
extern Jsonb *pgt_json_form(const JsonbValue *value);
/* Bytes that it takes inside a container, but for the entry itself, as uncompressed jsonb: near to the truth. */
extern int64 pgt_json_bytes(const JsonbValue *value);
/* The same as a jsonb of its own. */
extern int64 pgt_json_datum_bytes(const JsonbValue *value);
/* Whether it is a marker, and of which branch. */
extern bool pgt_json_marker(const JsonbValue *value, int64 *branch);
extern void pgt_json_make_marker(JsonbValue *value, int64 branch);
/* Branches that markers in it name, in document order. */
extern void pgt_json_markers(const JsonbValue *value, PgtIds *ids);
/* Whether there is such a key anywhere in a value. */
extern bool pgt_json_special(const JsonbValue *value);
/* A value as split documents store it: with one more dollar sign in such keys. */
extern void pgt_json_escape(JsonbValue *value);
/* As Java hashes a String, and how long it is there: of a text, and of the text of a value. */
extern int32 pgt_json_text_hash(const JsonbValue *value, int64 *length);
extern int32 pgt_string_hash(const char *text, int length, int64 *units);

/* Content of a leaf. */
typedef struct PgtLeaf
{
	char		kind;
	Jsonb	   *value;
	int64		bytes;
	int			count;			/* of its entries */
	bytea	   *low;			/* code of its first key; NULL: the beginning of all, or not an object */
} PgtLeaf;

/* A child of an inner node. */
typedef struct PgtChild
{
	int64		id;
	int64		count;			/* of elements below it, for arrays */
	bytea	   *low;			/* code of the first key that may be below it, for objects; NULL: the beginning */
} PgtChild;

/* Writing nodes: json_writer.c */

typedef struct PgtStored PgtStored;

typedef struct PgtWriter
{
	PgtDoc	   *doc;
	int64		document;		/* 0: it has no head yet */
	PgtStored  *stored;			/* nodes that are used again; NULL: none */
	int64		written;		/* rows */
} PgtWriter;

/* The number of the document; makes its head if it has none. */
extern int64 pgt_writer_document(PgtWriter *writer);
/* A new node, or one that is stored with that content. */
extern int64 pgt_write_leaf(PgtWriter *writer, const PgtLeaf *leaf);
extern int64 pgt_write_inner(PgtWriter *writer, char kind, const PgtChild *children, int count);
/* The same in the place of a node, which the caller has locked. */
extern void pgt_replace_leaf(PgtWriter *writer, const PgtNode *node, const PgtLeaf *leaf);
extern void pgt_replace_inner(PgtWriter *writer, const PgtNode *node, const PgtChild *children, int count);
/* Removes nodes, and with below all that they name; the active snapshot must show them as they are now. */
extern void pgt_delete_nodes(PgtWriter *writer, const PgtIds *ids, bool below);
/* Replaces the head, as it was locked, by one of the next generation. */
extern void pgt_raise_generation(PgtDoc *doc, HeapTuple head);
/* Takes a younger snapshot, which sees what was committed and done since. */
extern void pgt_doc_renew(PgtDoc *doc);

/* What is stored of a document, for using it again: json_stored.c */

extern PgtStored *pgt_stored_load(PgtDoc *doc, int64 document);
/* A node of this content that was not taken yet, and takes it; -1 if there is none. */
extern int64 pgt_stored_leaf(PgtStored *stored, const PgtLeaf *leaf);
extern int64 pgt_stored_inner(PgtStored *stored, char kind, const PgtChild *children, int count);
/* Nodes that were not taken, or all. */
extern void pgt_stored_rest(PgtStored *stored, bool all, PgtIds *ids);

/* Building branches: json_store.c, json_levels.c */

typedef struct PgtLevels PgtLevels;
typedef struct PgtPieces PgtPieces;

/* What is left of a hash, well mixed, by a period: where the library ends a leaf or an inner node. */
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
	bool		follow;			/* whether branches that markers name are read and built anew, too */
	int64		source;			/* the document that they are in */
	bool		escapes;		/* out, if it follows markers: whether there were keys with an escape */
} PgtBuilder;

/* A value in the form in which it is stored. */
typedef struct PgtPart
{
	JsonbValue	value;
	int64		size;			/* bytes inside a container, but for the entry itself */
	bool		marker;			/* whether it is nothing but a marker */
} PgtPart;

/* Takes entries of a container in order; key is NULL for elements. What it is given lives until it returns. */
typedef void (*PgtTaker) (void *arg, const JsonbValue *key, const JsonbValue *value);

/* Builds a value, as split documents store it; whole: it stays in one piece. */
extern void pgt_store_value(PgtBuilder *builder, const JsonbValue *value, bool whole, PgtPart *part);
/* Gives a value that was built a branch of its own. */
extern void pgt_store_branch(PgtBuilder *builder, PgtPart *part);
/* Kind of a value, of a marker the one of its branch. */
extern char pgt_store_kind(PgtBuilder *builder, const JsonbValue *value);
/* All entries of a container; of a marker those of its branch. */
extern void pgt_store_each(PgtBuilder *builder, const JsonbValue *value, PgtTaker taker, void *arg);
/* An array or object that becomes a branch entry by entry, in order. */
extern PgtPieces *pgt_store_begin(PgtBuilder *builder, char kind);
extern void pgt_store_add(PgtPieces *pieces, const JsonbValue *key, PgtPart *entry);
extern void pgt_store_end(PgtPieces *pieces, PgtPart *part);
/* Cuts a container into leaves; returns a list of PgtLeaf. */
extern List *pgt_store_leaves(PgtBuilder *builder, const JsonbValue *container);
/* The nodes above leaves: few enough for one inner node. */
extern PgtLevels *pgt_levels_begin(PgtBuilder *builder, char kind);
extern void pgt_levels_add(PgtLevels *levels, const PgtChild *child);
extern PgtChild *pgt_levels_top(PgtLevels *levels, int *count);
/* The same with a leaf, which is written; the marker of the branch. */
extern void pgt_levels_leaf(PgtLevels *levels, const PgtLeaf *leaf);
extern void pgt_levels_root(PgtLevels *levels, PgtPart *part);

/* What an edit makes of one stored value: json_change.c */

typedef struct PgtChange
{
	PgtEditKind kind;
	JsonbValue	value;			/* set, insert; append: an array of what comes behind */
	bool		flag;			/* set: create what is missing; insert: behind */
	Datum		delta;			/* increment */
	Datum		sum;			/* out: increment */
	PgtIds		dropped;		/* out: branches that markers named before, and not after */
} PgtChange;

/*
 * Applies a change to a value in place; within is the path in it. PGT_APPLIED; or PGT_MISSING, PGT_WRONG_TYPE or
 * PGT_NO_POSITION, and nothing was changed.
 */
extern PgtOutcome pgt_change(PgtDoc *doc, int64 document, JsonbValue *root, PgtSteps *within, PgtChange *change);
/* Whether an edit adds what is missing. */
extern bool pgt_change_adds(const PgtChange *change);

/* The root of a branch and all below it, where leaves change: json_branch.c */

/* How changed content goes back into a branch. */
typedef struct PgtFit
{
	PgtDoc	   *doc;
	int64		document;
	PgtNode   **chain;			/* from the root of the branch down to the leaf */
	int			depth;			/* of the leaf in it */
	JsonbValue *content;
	int64		bytes;
	bool		structural;		/* whether nodes above the leaf change: then the whole chain is to be locked */
} PgtFit;

extern void pgt_fit(PgtFit *fit, PgtDoc *doc, int64 document, PgtNode **chain, int length, JsonbValue *content);
/* Writes; all that it names must be locked. */
extern void pgt_fit_write(PgtFit *fit);

/* Edits: json_edit.c */

/* Locks the head of a document, shared or alone; NULL if it is not as it was walked. */
extern HeapTuple pgt_lock_head(PgtDoc *doc, PgtWalk *walk, bool alone);
/* Locks a node and returns it as it is then; NULL if it is gone. */
extern PgtNode *pgt_lock_node(PgtDoc *doc, PgtNode *seen);
/* Changes one slot: a member or an element. Sees what is there now. */
extern PgtOutcome pgt_edit_slot(PgtDoc *doc, PgtPath *path, PgtChange *change);
/* Bytes that a document may take in a row. */
extern int64 pgt_row_budget(PgtDoc *doc, PgtOwnerRow *row);
/* Changes what stands in the owner's row, which must be locked. */
extern void pgt_update_row(PgtDoc *doc, Jsonb *value);

/* Stores a whole document, or the one that is there anew (value is NULL): json_put.c. rows: nodes and rows written. */
extern PgtOutcome pgt_put(PgtDoc *doc, const JsonbValue *value, int64 *rows);

/* Concatenation, and edits of the root: json_append.c */

extern PgtOutcome pgt_edit_append(PgtDoc *doc, PgtPath *path, Jsonb *value);
extern PgtOutcome pgt_edit_increment(PgtDoc *doc, PgtPath *path, PgtChange *change);

/* Whole documents: json_stub.c */

/*
 * What a row is to hold of a document: itself, or a stub whose members are out of line. The root is as split documents
 * store it; with a builder that follows markers it may be a stub, whose header is told by overflow.
 */
/* Bytes that members named by keep_inline take in a document, with their keys. */
extern int64 pgt_pinned_bytes(const PgtJsonOptions *options, const JsonbValue *document);
extern Jsonb *pgt_stub(PgtBuilder *builder, const JsonbValue *root, bool split, int64 overflow, int64 budget, bool *is_split);

#endif
