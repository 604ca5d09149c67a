package io.pgtoaster.examples.app.film;

import io.pgtoaster.examples.app.cost.Comparison;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of an object or an array.
 *
 * @param size number of all members or elements
 * @param entries entries of this page, in order
 * @param next argument for the next page: the last key, or a position; null at the end
 * @param cost cost of reading this page
 */
record Branch(long size, List<Entry> entries, @Nullable String next, Comparison cost) {}
