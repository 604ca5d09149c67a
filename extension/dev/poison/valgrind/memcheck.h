/*
 * Replaces valgrind's header of this name for a server built with USE_VALGRIND. Memory contexts then report memory
 * that must not be accessed to the address sanitizer, if it is loaded, instead of to valgrind. The sanitizer detects
 * when a module that is built with it accesses memory after the end of a palloc allocation, or freed memory, although
 * the server itself is built without the sanitizer.
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

/* Returns one of the sanitizer's functions by its name. */
static inline PgtMark
pgt_marker(const char *name)
{
	PgtMark		found = (PgtMark) dlsym(RTLD_DEFAULT, name);

	return found != NULL ? found : pgt_mark_nothing;
}

/*
 * The sanitizer's byte for eight bytes of memory, on x86-64: 0 if all may be accessed, the number of accessible bytes
 * at the beginning, or negative. Most pieces of memory are short; their bytes are set here, because a call for each
 * took a fifth of a server's time.
 */
#define PGT_SHADOW(address) ((volatile signed char *) (((size_t) (address) >> 3) + 0x7fff8000))
#define PGT_FORBIDDEN ((signed char) 0xf7)
#ifdef __x86_64__
#define PGT_SHORT 512
#else
#define PGT_SHORT 0
#endif

/*
 * Marks the full groups of eight bytes of a short piece here. Returns the byte for the rest, or NULL if the sanitizer
 * must be called.
 */
static inline volatile signed char *
pgt_mark_short(PgtMark mark, const volatile void *address, size_t size, signed char value)
{
	volatile signed char *shadow = PGT_SHADOW(address);

	if (mark == pgt_mark_nothing || size > PGT_SHORT || ((size_t) address & 7) != 0)
		return NULL;
	for (size_t i = 0; i < size >> 3; i++)
		*shadow++ = value;
	return shadow;
}

static inline void
pgt_forbid(const volatile void *address, size_t size)
{
	static PgtMark mark = NULL;
	volatile signed char *last;
	signed char rest = size & 7;

	if (mark == NULL)
		mark = pgt_marker("__asan_poison_memory_region");
	last = pgt_mark_short(mark, address, size, PGT_FORBIDDEN);
	if (last == NULL)
		mark(address, size);
	else if (rest != 0 && *last > 0 && *last <= rest)
		*last = PGT_FORBIDDEN;
}

static inline void
pgt_permit(const volatile void *address, size_t size)
{
	static PgtMark mark = NULL;
	volatile signed char *last;
	signed char rest = size & 7;

	if (mark == NULL)
		mark = pgt_marker("__asan_unpoison_memory_region");
	last = pgt_mark_short(mark, address, size, 0);
	if (last == NULL)
		mark(address, size);
	else if (rest != 0 && *last != 0 && *last < rest)
		*last = rest;
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
