/*
 * json_branch_stored.c: finds the nodes of a stored document by their content, so that a document that is rebuilt
 * reuses them. It needs about 80 bytes per node. Contents are compared by SHA-256, cut to 16 bytes.
 */
#include "json_branch.h"

#include "catalog/pg_type.h"
#include "common/cryptohash.h"
#include "common/sha2.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#define DIGEST_BYTES 16

/* Nodes with the same content: a chain in the order of their ids, which is usually that of the document. */
typedef struct Content
{
	char		digest[DIGEST_BYTES];
	int			first;
	int			last;
} Content;

typedef struct Known
{
	int64		id;
	int			next;
	bool		taken;
} Known;

struct PgtStored
{
	HTAB	   *contents;
	int			count;
	int			room;
	Known	   *nodes;
};

static void
digest(char kind, const void *data, Size size, char *result)
{
	pg_cryptohash_ctx *hash = pg_cryptohash_create(PG_SHA256);
	uint8		whole[PG_SHA256_DIGEST_LENGTH];

	if (pg_cryptohash_init(hash) < 0 || pg_cryptohash_update(hash, (const uint8 *) &kind, 1) < 0 ||
		pg_cryptohash_update(hash, data, size) < 0 || pg_cryptohash_final(hash, whole, sizeof(whole)) < 0)
		elog(ERROR, "could not compute SHA-256: %s", pg_cryptohash_error(hash));
	pg_cryptohash_free(hash);
	memcpy(result, whole, DIGEST_BYTES);
}

/* Lower case kinds are for leaves, upper case kinds for inner nodes. */
static void
leaf_digest(char kind, const Jsonb *value, char *result)
{
	digest(kind, VARDATA(value), VARSIZE(value) - VARHDRSZ, result);
}

/* Children are passed as pairs: the id, and for arrays the number of elements. */
static void
inner_digest(char kind, const int64 *pairs, int count, char *result)
{
	digest(pg_toupper((unsigned char) kind), pairs, sizeof(int64) * 2 * (Size) count, result);
}

static void
add(PgtStored *stored, const char *digest, int64 id)
{
	bool		found;
	Content    *content = hash_search(stored->contents, digest, HASH_ENTER, &found);
	int			number = stored->count++;

	if (number == stored->room)
	{
		stored->room *= 2;
		stored->nodes = repalloc_huge(stored->nodes, sizeof(Known) * (Size) stored->room);
	}
	stored->nodes[number].id = id;
	stored->nodes[number].next = -1;
	stored->nodes[number].taken = false;
	if (found && content->first >= 0)
		stored->nodes[content->last].next = number;
	else
		content->first = number;
	content->last = number;
}

PgtStored *
pgt_stored_load(PgtDoc *doc, int64 document)
{
	PgtTable   *table = pgt_doc_node_table(doc);
	PgtStored  *stored = palloc0(sizeof(PgtStored));
	MemoryContext memory = AllocSetContextCreate(CurrentMemoryContext, "pgtoaster stored node", ALLOCSET_DEFAULT_SIZES);
	HASHCTL		control = {0};
	ScanKeyData key;
	Relation	index;
	SysScanDesc scan;
	HeapTuple	tuple;

	control.keysize = DIGEST_BYTES;
	control.entrysize = sizeof(Content);
	control.hcxt = CurrentMemoryContext;
	stored->contents = hash_create("pgtoaster stored nodes", 256, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	stored->room = 64;
	stored->nodes = palloc(sizeof(Known) * stored->room);
	pgt_key_equals(table, &key, PGT_NODE_DOC, INT8OID, Int64GetDatum(document));
	scan = pgt_scan_ordered(table, &index, GetActiveSnapshot(), 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext_ordered(scan, ForwardScanDirection)))
	{
		MemoryContext caller = MemoryContextSwitchTo(memory);
		PgtNode    *node = pgt_node_of(doc, heap_copytuple(tuple));
		char		known[DIGEST_BYTES];

		CHECK_FOR_INTERRUPTS();
		if (node == NULL)
			pgt_raise(PGT_DAMAGED, doc->column, doc->key, "json_shrink()");
		/*
		 * With a transaction snapshot, locking raises 40001 if the snapshot does not show the newest version of this
		 * node.
		 */
		if (IsolationUsesXactSnapshot())
			(void) pgt_lock(table, node->tuple, LockTupleShare);
		if (node->value != NULL)
			leaf_digest(node->kind, node->value, known);
		else
		{
			int64	   *pairs = palloc0(sizeof(int64) * 2 * (Size) Max(node->kid_count, 1));

			for (int i = 0; i < node->kid_count; i++)
			{
				pairs[2 * i] = node->kids[i];
				pairs[2 * i + 1] = node->starts == NULL ? 0 : node->starts[i + 1] - node->starts[i];
			}
			inner_digest(node->kind, pairs, node->kid_count, known);
		}
		MemoryContextSwitchTo(caller);
		add(stored, known, node->id);
		MemoryContextReset(memory);
	}
	systable_endscan_ordered(scan);
	index_close(index, AccessShareLock);
	MemoryContextDelete(memory);
	return stored;
}

static int64
take(PgtStored *stored, const char *digest)
{
	Content    *content = hash_search(stored->contents, digest, HASH_FIND, NULL);
	Known	   *node;

	if (content == NULL || content->first < 0)
		return -1;
	node = &stored->nodes[content->first];
	node->taken = true;
	content->first = node->next;
	return node->id;
}

int64
pgt_stored_leaf(PgtStored *stored, const PgtLeaf *leaf)
{
	char		wanted[DIGEST_BYTES];

	leaf_digest(leaf->kind, leaf->value, wanted);
	return take(stored, wanted);
}

int64
pgt_stored_inner(PgtStored *stored, char kind, const PgtChild *children, int count)
{
	char		wanted[DIGEST_BYTES];
	int64	   *pairs = palloc0(sizeof(int64) * 2 * (Size) count);

	for (int i = 0; i < count; i++)
	{
		pairs[2 * i] = children[i].id;
		pairs[2 * i + 1] = kind == PGT_ARRAY ? children[i].count : 0;
	}
	inner_digest(kind, pairs, count, wanted);
	pfree(pairs);
	return take(stored, wanted);
}

void
pgt_stored_rest(PgtStored *stored, bool all, PgtIds *ids)
{
	for (int i = 0; i < stored->count; i++)
		if (all || !stored->nodes[i].taken)
			pgt_ids_add(ids, stored->nodes[i].id);
}
