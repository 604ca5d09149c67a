/*
 * json_tree_head.c: the head of a document, and the state that is shared by all reads of one document while the
 * expressions of one row are computed: the head and the visited nodes. So doc->'a'->>'x' and doc->'a'->>'y' look them
 * up only once.
 *
 * It is allocated in the memory context of these expressions, which is reset for each row, and is valid for one
 * snapshot.
 */
#include "json_tree.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"

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

/* Returns true if a key equals that of the operation's row. */
static bool
is_owner(PgtDoc *doc, const Datum *key)
{
	PgtEntry   *entry = (PgtEntry *) doc->column;

	for (int i = 0; i < doc->key->count; i++)
		if (!DatumGetBool(FunctionCall2Coll(&entry->key_equals[i], entry->key_collations[i], key[i], doc->key->values[i])))
			return false;
	return true;
}

/* Sets the key of a head; returns false if it belongs to another row or has no key. */
static bool
owner_of(PgtDoc *doc, HeapTuple head, Datum *key)
{
	bool		isnull = false;

	for (int i = 0; i < doc->key->count && !isnull; i++)
		key[i] = heap_getattr(head, PGT_HEAD_OWNER + i, RelationGetDescr(doc->head.rel), &isnull);
	return !isnull && is_owner(doc, key);
}

bool
pgt_head_owned(PgtDoc *doc, HeapTuple head)
{
	Datum		key[PGT_MAX_KEYS];

	return owner_of(doc, head, key);
}

/* Sets the shared head and its generation if it belongs to the document and the row; returns false otherwise. */
static bool
shared_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation)
{
	PgtShared  *known = doc->shared;

	if (known == NULL || known->head == NULL || known->document != document || !is_owner(doc, known->owner))
		return false;
	*head = known->head;
	*generation = known->generation;
	return true;
}

/* Shares a head, with its owner key, and forgets the nodes of the previous head. */
static void
share_head(PgtDoc *doc, int64 document, HeapTuple head, const Datum *owner, int64 generation)
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

PgtOutcome
pgt_doc_head(PgtDoc *doc, int64 document, HeapTuple *head, int64 *generation)
{
	PgtTable   *table;
	PgtPlace   *places = pgt_json_options(doc->column)->heads;
	ScanKeyData key;
	HeapTuple	tuple;
	Datum		owner[PGT_MAX_KEYS];
	bool		isnull;

	if (shared_head(doc, document, head, generation))
		return PGT_APPLIED;
	table = pgt_doc_head_table(doc);
	pgt_key_equals(table, &key, PGT_HEAD_ID, INT8OID, Int64GetDatum(document));
	tuple = pgt_row(table->rel, table->index, GetActiveSnapshot(), 1, &key, &places[(uint64) document % PGT_PLACES]);
	if (tuple == NULL || !owner_of(doc, tuple, owner))
		return PGT_FOREIGN;
	*head = tuple;
	*generation = DatumGetInt64(heap_getattr(tuple, PGT_HEAD_GENERATION(doc->column), RelationGetDescr(table->rel), &isnull));
	share_head(doc, document, tuple, owner, *generation);
	return PGT_APPLIED;
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
