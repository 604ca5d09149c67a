/*
 * compat.c: what the headers of a later minor release call, and a server of an earlier one does not have. A library
 * built by those headers loads into both: where the server has the function, that is the one that is called.
 */
#include "compat.h"

#include "access/htup_details.h"
#include "fmgr.h"

/* Since 17.12 row values tell the version of their type. Earlier servers make none that do. */
#ifdef VersionedDatumOffsetNumber

#define PGT_WHERE_MISSING __attribute__((weak, visibility("default")))

PGT_WHERE_MISSING void
heap_datum_check(HeapTupleHeader tup, TupleDesc tupleDesc)
{
}

PGT_WHERE_MISSING HeapTupleHeader
DatumGetHeapTupleHeader(Datum t)
{
	return (HeapTupleHeader) PG_DETOAST_DATUM(t);
}

#endif
