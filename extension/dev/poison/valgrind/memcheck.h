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

static inline void
pgt_forbid(const volatile void *address, size_t size)
{
	static PgtMark mark = NULL;

	if (mark == NULL)
		mark = pgt_marker("__asan_poison_memory_region");
	mark(address, size);
}

static inline void
pgt_permit(const volatile void *address, size_t size)
{
	static PgtMark mark = NULL;

	if (mark == NULL)
		mark = pgt_marker("__asan_unpoison_memory_region");
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
