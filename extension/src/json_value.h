/*
 * json_value.h: values of documents in memory: stored jsonb, containers that are changed, markers, keys and steps of
 * paths. Nothing here depends on tables.
 */
#ifndef PGT_JSON_VALUE_H
#define PGT_JSON_VALUE_H

#include "json.h"

#include "lib/stringinfo.h"
#include "utils/jsonb.h"

/* Key of the header of a stub and of a marker. */
#define PGT_MARKER "$pgtoaster"
#define PGT_MARKER_LEN ((int) sizeof(PGT_MARKER) - 1)

/* Bytes of each jsonb, of each container, and of each element, key and value in a container. */
#define PGT_DATUM 4
#define PGT_CONTAINER 4
#define PGT_ENTRY_BYTES 4
/* Bytes of the header of a stub. A value of up to twice this size stays in the row. */
#define PGT_MARKER_BYTES 48
/* Bytes of the marker that replaces a value, without its entry. */
#define PGT_MARKED_BYTES (PGT_MARKER_BYTES - 2 * PGT_DATUM)

/* json_value.c */

/* Returns true if a value is a stored array. */
extern bool pgt_is_array(JsonbValue *value);
/* Returns true if a value is a stored object. */
extern bool pgt_is_object(JsonbValue *value);
/* Sets the root of a jsonb as a value, which points into the jsonb. */
extern void pgt_root_value(Jsonb *jsonb, JsonbValue *value);
/* Returns the pg_column_size that a value would have as a jsonb. */
extern int64 pgt_value_size(JsonbValue *value);
/* Returns a value as a jsonb in the current memory context; copies containers only once. */
extern Jsonb *pgt_value_jsonb(JsonbValue *value);

/* json_value_step.c */

/* One step of a path. */
typedef struct PgtStep
{
	const char *raw;			/* as given */
	int			raw_len;
	const char *key;			/* as stored in split documents */
	int			key_len;
	bool		is_position;	/* whether it can be a position in an array, by the rules of jsonb */
	int32		position;		/* negative positions count from the end */
	char		kind;			/* PGT_STEP_KEY or PGT_STEP_POSITION; otherwise the value that it is applied to decides */
} PgtStep;

/* Steps of operators that accept only one kind: -> with text, and -> with an integer. */
#define PGT_STEP_KEY 'k'
#define PGT_STEP_POSITION 'i'

typedef struct PgtSteps
{
	int			length;
	PgtStep    *steps;
} PgtSteps;

/* Converts a path to steps, in the current memory context. */
extern void pgt_steps(PgtSteps *steps, PgtPath *path);
/*
 * Returns the code of a stored key, palloc'd: 4 bytes of length, then at most 512 bytes of UTF-8. Codes sort as jsonb
 * sorts keys.
 */
extern bytea *pgt_key_code(const char *key, int len);

/* Markers, and keys that look like a marker's: json_value_marker.c */

/* A growing list of ids of branches or nodes. */
typedef struct PgtIds
{
	int			count;
	int			room;
	int64	   *ids;
} PgtIds;

/* Appends an id; the list grows in the current memory context. */
extern void pgt_ids_add(PgtIds *ids, int64 id);
/* Returns true if a key looks like a marker's key. Such keys are stored with one more dollar sign. */
extern bool pgt_key_like_marker(const char *key, int len);
/* Returns the key as it is stored: the same pointer, or a palloc'd copy with one more dollar sign. */
extern const char *pgt_key_escape(const char *key, int len, int *stored_len);
/* Returns true if the bytes contain $pgtoaster. */
extern bool pgt_has_marker_text(const void *data, Size size);
/*
 * Returns true if a value of a document without a header is a marker or, if within is true, contains one: the header
 * was removed while triggers were disabled.
 */
extern bool pgt_lost_header(JsonbValue *value, bool within);
/*
 * Returns true if a value of a split document has a marker's key, and sets its branch. Sets damaged if it only looks
 * like a marker.
 */
extern bool pgt_marked(JsonbValue *value, int64 *branch, bool *damaged);
/* Returns the number in a marker or header: 1 to 18 digits; -1, which names no branch, for anything else. */
extern int64 pgt_branch_number(JsonbValue *value);
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

/*
 * Containers: json_value_container.c. A container that is not changed is jbvBinary and points into its jsonb. A
 * container that is changed is jbvArray or jbvObject. Its entries have either form; members are in the order of jsonb.
 */

/* Returns the kind of a value: 'o', 'a', 's', or 'v' for other scalars. */
extern char pgt_json_kind(const JsonbValue *value);
/* Returns the number of entries of a container. */
extern int	pgt_json_count(const JsonbValue *value);
/* Converts a container to the form that can be changed; its entries keep their form. */
extern void pgt_json_open(JsonbValue *value);
/* Returns entry number at of a container of either form. Sets key, unless it is NULL, to the key of a member. */
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
/*
 * Returns the position of a key in an open object. If *found is false, it is the position at which the key would be
 * inserted.
 */
extern int	pgt_json_find(const JsonbValue *object, const char *key, int length, bool *found);
/* Sets a member of an open object, or adds it in the order of keys. */
extern void pgt_json_put_member(JsonbValue *object, const char *key, int length, const JsonbValue *value);
/* Inserts an element into an open array. */
extern void pgt_json_insert_element(JsonbValue *array, int at, const JsonbValue *value);
/* Deletes an element or member of an open container. */
extern void pgt_json_delete_entry(JsonbValue *container, int at);

/* json_value_form.c */

/* Returns a value as a jsonb in the current memory context; shares no memory with the value. */
extern Jsonb *pgt_json_form(const JsonbValue *value);

/* Sizes and hashes, as the library computes them: json_value_measure.c */

/* Returns the approximate size of a value inside a container, as uncompressed jsonb and without its entry. */
extern int64 pgt_json_bytes(const JsonbValue *value);
/* Returns the approximate size of a value as a jsonb. */
extern int64 pgt_json_datum_bytes(const JsonbValue *value);
/* Returns the hash that Java computes for the text of a value, and the text's length in Java chars. */
extern int32 pgt_json_text_hash(const JsonbValue *value, int64 *length);
/* Does the same for a text in UTF-8. */
extern int32 pgt_string_hash(const char *text, int length, int64 *units);

/* json_value_write.c */

/* The limits of jsonb_util.c; the server cannot process larger containers. */
#define PGT_MAX_ELEMS ((int64) Min(MaxAllocSize / sizeof(JsonbValue), JB_CMASK))
#define PGT_MAX_PAIRS ((int64) Min(MaxAllocSize / sizeof(JsonbPair), JB_CMASK))

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
 * Writes the next entry of a container. Its data, with padding, has just been written, starting at offset from. The
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

#endif
