/*
 * In place of valgrind's header of this name, for a server built with USE_VALGRIND: what memory contexts would tell valgrind of
 * memory that is not to be touched they tell the sanitizer for addresses, if that is loaded. A module that is built with it is
 * caught when it reads or writes behind an allocation of palloc, or what was freed, though the server itself is built without.
 */
#ifndef PGT_MEMCHECK_H
#define PGT_MEMCHECK_H

#include <dlfcn.h>
#include <stddef.h>

typedef void (*PgtMark) (const volatile void *address, size_t size);

static inline void
pgt_mark_nothing(const volatile void *address, size_t size)
{
}

/* One of the sanitizer's functions, by name. */
static inline PgtMark
pgt_marker(const char *name)
{
	PgtMark		found = (PgtMark) dlsym(RTLD_DEFAULT, name);

	return found != NULL ? found : pgt_mark_nothing;
}

#ifdef __x86_64__
/* The sanitizer's byte for eight bytes of memory: 0 if all may be touched, the number of those at the beginning that may, or negative. */
#define PGT_SHADOW(address) ((volatile signed char *) (((size_t) (address) >> 3) + 0x7fff8000))
#define PGT_SHORT 512
#define PGT_FORBIDDEN ((signed char) 0xf7)
#endif

static inline void
pgt_forbid(const volatile void *address, size_t size)
{
	static PgtMark mark = NULL;

	if (mark == NULL)
		mark = pgt_marker("__asan_poison_memory_region");
#ifdef PGT_SHADOW
	if (mark != pgt_mark_nothing && size <= PGT_SHORT && ((size_t) address & 7) == 0)
	{
		volatile signed char *shadow = PGT_SHADOW(address);
		volatile signed char *end = shadow + (size >> 3);
		signed char rest = size & 7;

		while (shadow < end)
			*shadow++ = PGT_FORBIDDEN;
		if (rest != 0 && *end > 0 && *end <= rest)
			*end = PGT_FORBIDDEN;
		return;
	}
#endif
	mark(address, size);
}

static inline void
pgt_permit(const volatile void *address, size_t size)
{
	static PgtMark mark = NULL;

	if (mark == NULL)
		mark = pgt_marker("__asan_unpoison_memory_region");
#ifdef PGT_SHADOW
	if (mark != pgt_mark_nothing && size <= PGT_SHORT && ((size_t) address & 7) == 0)
	{
		volatile signed char *shadow = PGT_SHADOW(address);
		volatile signed char *end = shadow + (size >> 3);
		signed char rest = size & 7;

		while (shadow < end)
			*shadow++ = 0;
		if (rest != 0 && *end != 0 && *end < rest)
			*end = rest;
		return;
	}
#endif
	mark(address, size);
}

#define VALGRIND_MAKE_MEM_NOACCESS(address, size) pgt_forbid(address, size)
#define VALGRIND_MAKE_MEM_DEFINED(address, size) pgt_permit(address, size)
#define VALGRIND_MAKE_MEM_UNDEFINED(address, size) pgt_permit(address, size)
#define VALGRIND_CHECK_MEM_IS_DEFINED(address, size) ((void) 0)
#define VALGRIND_CREATE_MEMPOOL(context, redzones, zeroed) ((void) 0)
#define VALGRIND_DESTROY_MEMPOOL(context) ((void) 0)
#define VALGRIND_MEMPOOL_ALLOC(context, address, size) pgt_permit(address, size)
#define VALGRIND_MEMPOOL_FREE(context, address) ((void) 0)
#define VALGRIND_MEMPOOL_CHANGE(context, before, after, size) pgt_permit(after, size)
#define VALGRIND_COUNT_ERRORS 0
#define VALGRIND_PRINTF(...) ((void) 0)

#endif
