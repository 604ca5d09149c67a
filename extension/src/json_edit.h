/*
 * json_edit.h: declarations shared by the files that change documents: values in memory, the builder of branches, the
 * writer of nodes.
 */
#ifndef PGT_JSON_EDIT_H
#define PGT_JSON_EDIT_H

#include "json.h"

#include "utils/jsonb.h"

/* Bytes of each jsonb, of each container, and of each element, key and value in a container. */
#define PGT_DATUM 4
#define PGT_CONTAINER 4
#define PGT_ENTRY_BYTES 4
/* Bytes of a row besides its columns, and of the header of a stub or the marker of a member that was moved out. */
#define PGT_ROW_HEADER 24
#define PGT_MARKER_BYTES 48
/* Minimum number of bytes that a document may use in the row, regardless of the width of the other columns. */
#define PGT_LEAST_INLINE 128

/* A growing list of ids of branches or nodes. */
typedef struct PgtIds
{
	int			count;
	int			room;
	int64	   *ids;
} PgtIds;

/* Appends an id; the list grows in the current memory context. */
extern void pgt_ids_add(PgtIds *ids, int64 id);
/* Returns a new id for a node: it increases with time and ends in random bits, so that sessions do not collide. */
extern int64 pgt_ids_next(void);

/*
 * Values in memory: json_value_container.c. A container that is not changed is jbvBinary and points into its jsonb. A container
 * that is changed is jbvArray or jbvObject. Its entries have either form; members are in the order of jsonb.
 */

/* Returns the kind of a value: 'o', 'a', 's', or 'v' for other scalars. */
extern char pgt_json_kind(const JsonbValue *value);
/* Returns the number of entries of a container. */
extern int	pgt_json_count(const JsonbValue *value);
/* Converts a container to the form that can be changed; its entries keep their form. */
extern void pgt_json_open(JsonbValue *value);
/* Returns entry number at of a container in either form. Sets key, unless it is NULL, to the key of a member. */
extern void pgt_json_entry(const JsonbValue *container, int at, JsonbValue *key, JsonbValue *value);
/* Returns child number index of a stored container, whose data begins offset bytes after the entries. */
extern void pgt_json_child(const JsonbContainer *container, int index, uint32 offset, JsonbValue *value);
/* Iterator over the entries of a container, in order. It sets the key for members only. */
typedef struct PgtCursor
{
	const JsonbValue *container;
	int			at;
	int			count;
	uint32		key_offset;
	uint32		offset;
} PgtCursor;

/* Starts an iteration. */
extern void pgt_json_begin(PgtCursor *cursor, const JsonbValue *container);
/* Moves to the next entry; returns false after the last one. */
extern bool pgt_json_next(PgtCursor *cursor, JsonbValue *key, JsonbValue *value);
/* Returns the position of a key in an open object. If *found is false, it is where the key would be inserted. */
extern int	pgt_json_find(const JsonbValue *object, const char *key, int length, bool *found);
/* Sets a member of an open object, or adds it in the order of keys. */
extern void pgt_json_put_member(JsonbValue *object, const char *key, int length, const JsonbValue *value);
/* Inserts an element into an open array. */
extern void pgt_json_insert_element(JsonbValue *array, int at, const JsonbValue *value);
/* Deletes an element or member of an open container. */
extern void pgt_json_delete_entry(JsonbValue *container, int at);
/* Returns a value as a jsonb in the current memory context; shares no memory with the value. */
extern Jsonb *pgt_json_form(const JsonbValue *value);
/* Returns the approximate size of a value inside a container, as uncompressed jsonb and without its entry. */
extern int64 pgt_json_bytes(const JsonbValue *value);
/* Returns the approximate size of a value as a jsonb. */
extern int64 pgt_json_datum_bytes(const JsonbValue *value);
/* Returns true if a value is a marker, and sets its branch. */
extern bool pgt_json_marker(const JsonbValue *value, int64 *branch);
/* Makes a value the marker of a branch. */
extern void pgt_json_make_marker(JsonbValue *value, int64 branch);
/* Appends the branches that markers in a value name, in document order. */
extern void pgt_json_markers(const JsonbValue *value, PgtIds *ids);
/* Returns true if a marker's key, or a key like it, occurs anywhere in a value. */
extern bool pgt_json_special(const JsonbValue *value);
/* Adds a dollar sign to such keys, as split documents store them. Changes the value in place. */
extern void pgt_json_escape(JsonbValue *value);
/* Returns the hash that Java computes for the text of a value, and its length there in chars. */
extern int32 pgt_json_text_hash(const JsonbValue *value, int64 *length);
/* Does the same for a text in UTF-8. */
extern int32 pgt_string_hash(const char *text, int length, int64 *units);

/* Content of a leaf. */
typedef struct PgtLeaf
{
	char		kind;
	Jsonb	   *value;
	int64		bytes;
	int			count;			/* number of its entries */
	bytea	   *low;			/* code of its first key; NULL for the first leaf of an object, or if the leaf is
								 * not of an object */
} PgtLeaf;

/* A child of an inner node. */
typedef struct PgtChild
{
	int64		id;
	int64		count;			/* for arrays: number of elements below it */
	bytea	   *low;			/* for objects: code of the smallest key that may be below it; NULL for the first
								 * child */
} PgtChild;

/* Writing nodes: json_branch_writer.c */

typedef struct PgtStored PgtStored;

typedef struct PgtWriter
{
	PgtDoc	   *doc;
	int64		document;		/* 0 if the document has no head yet */
	PgtStored  *stored;			/* stored nodes that can be reused; NULL if there are none */
	int64		written;		/* number of rows written */
} PgtWriter;

/*
 * Returns the id of the document. If it has no head yet, inserts one, which needs the INSERT privilege on the head
 * table.
 */
extern int64 pgt_writer_document(PgtWriter *writer);
/* Returns the id of a node with this content: a stored node that is reused, or a new one. */
extern int64 pgt_write_leaf(PgtWriter *writer, const PgtLeaf *leaf);
/* Does the same for an inner node. */
extern int64 pgt_write_inner(PgtWriter *writer, char kind, const PgtChild *children, int count);
/* Replaces the content of a node, which the caller has locked, and increments its version. */
extern void pgt_replace_leaf(PgtWriter *writer, const PgtNode *node, const PgtLeaf *leaf);
/* Does the same for an inner node. */
extern void pgt_replace_inner(PgtWriter *writer, const PgtNode *node, const PgtChild *children, int count);
/*
 * Deletes nodes and, with below, all nodes below them. The active snapshot must show their newest versions, and the
 * caller must hold the locks.
 */
extern void pgt_delete_nodes(PgtWriter *writer, const PgtIds *ids, bool below);
/* Increments the generation of a locked head; raises an error if somebody changed it without the lock. */
extern void pgt_raise_generation(PgtDoc *doc, HeapTuple head);
/* Replaces the active snapshot by a new one, which shows what was committed and done since. */
extern void pgt_doc_renew(PgtDoc *doc);

/* Reusing the stored nodes of a document: json_branch_stored.c */

/*
 * Reads the digests of all nodes of a document, in the active snapshot. At REPEATABLE READ and above it locks each
 * node (FOR SHARE) and raises 40001 if the snapshot is outdated. Raises an error if a node is damaged.
 */
extern PgtStored *pgt_stored_load(PgtDoc *doc, int64 document);
/* Returns a node with this content that was not taken yet, and takes it; -1 if there is none. */
extern int64 pgt_stored_leaf(PgtStored *stored, const PgtLeaf *leaf);
/* Does the same for an inner node. */
extern int64 pgt_stored_inner(PgtStored *stored, char kind, const PgtChild *children, int count);
/* Lists the nodes that were not taken, or all nodes. */
extern void pgt_stored_rest(PgtStored *stored, bool all, PgtIds *ids);

/* Building branches: json_branch_store.c, json_branch_levels.c */

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
	bool		follow;			/* whether branches that markers name are read and built again, too */
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

/*
 * Converts a value to the form in which split documents store it; writes nodes for large values. With whole, the
 * value stays in one piece. Raises an error if a branch that it follows is damaged.
 */
extern void pgt_store_value(PgtBuilder *builder, const JsonbValue *value, bool whole, PgtPart *part);
/* Moves a value that was built to a new branch, and replaces it by the marker. */
extern void pgt_store_branch(PgtBuilder *builder, PgtPart *part);
/* Returns the kind of a value; for a marker, the kind of its branch. */
extern char pgt_store_kind(PgtBuilder *builder, const JsonbValue *value);
/* Calls the taker for all entries of a container; for a marker, for those of its branch. */
extern void pgt_store_each(PgtBuilder *builder, const JsonbValue *value, PgtTaker taker, void *arg);
/* Starts an array or object that becomes a branch, entry by entry and in order. */
extern PgtPieces *pgt_store_begin(PgtBuilder *builder, char kind);
/* Adds an entry, which is copied; key is NULL for elements. */
extern void pgt_store_add(PgtPieces *pieces, const JsonbValue *key, PgtPart *entry);
/* Ends it, and sets the part: one value if it was not cut, otherwise the marker of its branch. */
extern void pgt_store_end(PgtPieces *pieces, PgtPart *part);
/* Cuts a container into leaves; returns a list of PgtLeaf. */
extern List *pgt_store_leaves(PgtBuilder *builder, const JsonbValue *container);
/* Starts building the levels of inner nodes above children that come in order. */
extern PgtLevels *pgt_levels_begin(PgtBuilder *builder, char kind);
/* Adds a child. */
extern void pgt_levels_add(PgtLevels *levels, const PgtChild *child);
/* Ends the levels; returns the children of the top and their number, few enough for one inner node. */
extern PgtChild *pgt_levels_top(PgtLevels *levels, int *count);
/* Writes a leaf and adds it. */
extern void pgt_levels_leaf(PgtLevels *levels, const PgtLeaf *leaf);
/* Writes the root of the branch and sets the part to its marker. */
extern void pgt_levels_root(PgtLevels *levels, PgtPart *part);

/* Applying an edit to one stored value: json_edit_change.c */

typedef struct PgtChange
{
	PgtEditKind kind;
	JsonbValue	value;			/* set, insert; append: an array of the new elements */
	bool		flag;			/* set: create a missing value; insert: insert after the position */
	Datum		delta;			/* increment */
	Datum		sum;			/* out: the sum after an increment */
	PgtIds		dropped;		/* out: branches that markers named before the change and no longer name */
} PgtChange;

/*
 * Applies a change to a value in place; within is the path in the value. Returns PGT_APPLIED, or PGT_MISSING,
 * PGT_WRONG_TYPE or PGT_NO_POSITION if nothing was changed. PGT_DAMAGED if a stored node is missing.
 */
extern PgtOutcome pgt_change(PgtDoc *doc, int64 document, JsonbValue *root, PgtSteps *within, PgtChange *change);
/* Returns true if an edit adds missing values. */
extern bool pgt_change_adds(const PgtChange *change);

/* Writing changed leaves back into a branch, with the nodes above: json_branch_fit.c */

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
} PgtFit;

/* Plans the write; sets structural. Writes and locks nothing. */
extern void pgt_fit(PgtFit *fit, PgtDoc *doc, int64 document, PgtNode **chain, int length, JsonbValue *content);
/* Writes the content. The nodes that it changes must be locked; it locks a neighbour that it merges with. */
extern void pgt_fit_write(PgtFit *fit);

/* Edits: json_edit_slot.c */

/*
 * Locks the head of a document: exclusively if alone, else FOR KEY SHARE. Returns NULL if it is not as it was walked:
 * its generation or owner has changed. Raises 40001 at REPEATABLE READ and above.
 */
extern HeapTuple pgt_lock_head(PgtDoc *doc, PgtWalk *walk, bool alone);
/* Locks a node FOR NO KEY UPDATE and returns its newest version; NULL if it was deleted. Raises 40001 as above. */
extern PgtNode *pgt_lock_node(PgtDoc *doc, PgtNode *seen);
/*
 * Changes one slot: a member or an element. Looks at the current content and takes the locks. Raises 40001 if other
 * writers kept changing the place.
 */
extern PgtOutcome pgt_edit_slot(PgtDoc *doc, PgtPath *path, PgtChange *change);
/* Returns the number of bytes that a document may use in a row. */
extern int64 pgt_row_budget(PgtDoc *doc, PgtOwnerRow *row);
/* Updates the owner's row, which must be locked. Raises an error if a trigger or policy prevents the update. */
extern void pgt_update_row(PgtDoc *doc, Jsonb *value);

/*
 * Stores a whole document or, if value is NULL, the current one again: json_row_put.c. Locks the owner's row, then the
 * head exclusively. rows is the number of nodes and rows written.
 */
extern PgtOutcome pgt_put(PgtDoc *doc, const JsonbValue *value, int64 *rows);

/* Concatenation, and edits of the root: json_edit_any.c */

/* Appends a value as the operator || does. May edit several slots; raises an error if a later one is refused. */
extern PgtOutcome pgt_edit_append(PgtDoc *doc, PgtPath *path, Jsonb *value);
/* Adds to a number, or to the root. */
extern PgtOutcome pgt_edit_increment(PgtDoc *doc, PgtPath *path, PgtChange *change);

/* Whole documents: json_row_stub.c */

/* Returns the number of bytes that members named by keep_inline use in a document, with their keys. */
extern int64 pgt_pinned_bytes(const PgtJsonOptions *options, const JsonbValue *document);
/*
 * Returns the content of the row for a document: the document, or a stub whose members are out of line. The root must
 * be as split documents store it. With a builder that follows markers it may be a stub; overflow is its overflow
 * branch, or 0. Sets *is_split.
 */
extern Jsonb *pgt_stub(PgtBuilder *builder, const JsonbValue *root, bool split, int64 overflow, int64 budget, bool *is_split);

#endif
