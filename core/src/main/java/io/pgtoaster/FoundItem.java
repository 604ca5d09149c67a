package io.pgtoaster;

/** Components as the methods of {@link GcItem}. */
record FoundItem(int store, String kind, long id, long bytes, String description)
    implements GcItem {}
