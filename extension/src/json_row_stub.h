/*
 * json_row_stub.h: the members of a document, from which its stub is computed. Only the two files of the stub use it.
 */
#ifndef PGT_JSON_ROW_STUB_H
#define PGT_JSON_ROW_STUB_H

#include "json_row.h"

typedef enum Pin
{
	NONE, PARTLY, WHOLE
} Pin;

/* A member that has not been moved out of the row: a value, or an object with a pinned part. */
typedef struct Member
{
	JsonbValue	key;
	Pin			pin;
	PgtPart		part;
	struct Kept *inner;
	int			rank;			/* among the candidates, in the order of keys */
} Member;

typedef struct Kept
{
	int			count;
	int			room;
	Member	   *members;
	struct Kept *parent;
	JsonbValue	key;			/* key of the object in its parent */
} Kept;

typedef struct Stub
{
	PgtBuilder *builder;
	int64		budget;
	int64		overflow;			/* id of the existing overflow branch, or 0 */
	bool		split;
	MemoryContext memory;		/* for what stays */
	MemoryContext temporary;
	Kept	   *kept;			/* the object whose members are being read */
	PgtPieces  *many;			/* receives the members of the overflow branch if there are too many */
	int64		chars;			/* length of the text of the members that stay; counted only if it could be too long */
	int64		most_chars;		/* upper bound of chars */
	int64		total;			/* size of the members that are not pinned */
	int			candidate_count;
	int			candidate_room;
	Member	  **candidates;
	/* Members of the stub itself, which are merged with those of its overflow branch. */
	JsonbValue	own;
	int			next;
} Stub;

/* Reads the members of a root and of its overflow branch (NULL for none), in the order of their keys. */
extern Kept *pgt_stub_take(Stub *stub, const JsonbValue *root, const JsonbValue *below);

#endif
