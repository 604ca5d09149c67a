/*
 * compat.c: functions that the headers of a later minor release call, but that an earlier server lacks. A library
 * compiled with those headers can then be loaded into both. A server that has such a function uses its own.
 */
#include "compat.h"

#include "access/htup_details.h"
#include "fmgr.h"

/* Since 17.12, row values contain the version of their type. Earlier servers do not create such values. */
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
