/*
 * compat.c: functions that headers of a later minor release call and that an earlier server does not have. A library
 * that was compiled with those headers can be loaded into both. A server that has the function uses its own.
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
