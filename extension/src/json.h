/*
 * json.h: declarations shared by all files of the toaster keyed. docs/internals.md, "The format of a document",
 * describes the format: a stub in the owner's row, and a tree of nodes for each member that is stored out of line.
 */
#ifndef PGT_JSON_H
#define PGT_JSON_H

#include "core.h"

/* Returns the outcome of a call unless it was applied. */
#define PGT_TRY(call) \
	do { \
		PgtOutcome outcome_ = (call); \
		if (outcome_ != PGT_APPLIED) \
			return outcome_; \
	} while (0)

/* Kinds of nodes. */
#define PGT_OBJECT 'o'
#define PGT_ARRAY 'a'
#define PGT_STRING 's'
#define PGT_VALUE 'v'

/* Where an inner node was found. Readers of a document visit the same inner nodes repeatedly. */
typedef struct PgtNodePlace
{
	int64		id;				/* of the node; 0 if unused */
	PgtPlace	place;
} PgtNodePlace;

#define PGT_NODE_PLACES 2048

/* State of a column: its options, and the places where its rows were found. */
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

#endif
