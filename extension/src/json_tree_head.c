/*
 * json_tree_head.c: state that the reads of one document share while the expressions of one row are computed: the head,
 * and the nodes that walks have visited. So doc->'a'->>'x', doc->'a'->>'y' looks them up once.
 *
 * It is allocated in the memory context of these expressions, which is reset for each row, and is valid for one
 * snapshot.
 */
#include "json.h"

#include "utils/snapmgr.h"

#define SHARED_NODES 16

typedef struct SharedNode
{
	PgtNode    *node;
	int64		upto;			/* last element that the value may contain; -1 if it is complete */
} SharedNode;

struct PgtShared
{
	MemoryContext context;
	MemoryContextCallback gone;
	Snapshot	snapshot;
	CommandId	command;
	PgtColumn  *column;
	int32		store;
	int64		document;
	HeapTuple	head;			/* NULL if none was looked up */
	Datum		owner[PGT_MAX_KEYS];
	int64		generation;
	int			count;
	SharedNode	nodes[SHARED_NODES];
};

/* State of the row whose expressions are being computed, if they have read a document. */
static PgtShared *shared = NULL;

static void
forget(void *arg)
{
	if (shared == arg)
		shared = NULL;
}

void
pgt_share(PgtDoc *doc)
{
	Snapshot	snapshot = GetActiveSnapshot();

	if (shared == NULL || shared->context != CurrentMemoryContext)
	{
		shared = palloc0(sizeof(PgtShared));
		shared->context = CurrentMemoryContext;
		shared->gone.func = forget;
		shared->gone.arg = shared;
		MemoryContextRegisterResetCallback(CurrentMemoryContext, &shared->gone);
	}
	if (shared->snapshot != snapshot || shared->command != snapshot->curcid || shared->column != doc->column ||
		shared->store != doc->column->store)
	{
		shared->snapshot = snapshot;
		shared->command = snapshot->curcid;
		shared->column = doc->column;
		shared->store = doc->column->store;
		shared->head = NULL;
	}
	doc->shared = shared;
}

bool
pgt_shared_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation)
{
	PgtShared  *known = doc->shared;

	if (known == NULL || known->head == NULL || known->document != document || !pgt_is_owner(doc, known->owner))
		return false;
	*head = known->head;
	*generation = known->generation;
	return true;
}

void
pgt_share_head(PgtDoc *doc, int64 document, HeapTuple head, const Datum *owner, int64 generation)
{
	PgtShared  *known = doc->shared;

	if (known == NULL)
		return;
	known->document = document;
	known->head = head;
	memcpy(known->owner, owner, sizeof(Datum) * doc->key->count);
	known->generation = generation;
	known->count = 0;
}

PgtNode *
pgt_shared_node(PgtDoc *doc, int64 document, int64 id)
{
	PgtShared  *known = doc->shared;
	PgtNode    *node;
	int			at = 0;

	if (known == NULL || known->head == NULL || known->document != document || doc->shallow)
		return pgt_doc_node(doc, document, id);
	while (at < known->count && known->nodes[at].node->id != id)
		at++;
	if (at < known->count && (known->nodes[at].upto < 0 || (doc->partial && doc->upto <= known->nodes[at].upto)))
		return known->nodes[at].node;
	node = pgt_doc_node(doc, document, id);
	if (node != NULL && at < SHARED_NODES)
	{
		known->nodes[at].node = node;
		known->nodes[at].upto = doc->partial ? doc->upto : -1;
		known->count = Max(known->count, at + 1);
	}
	return node;
}
