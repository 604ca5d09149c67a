package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonEdit;
import org.jspecify.annotations.Nullable;

/**
 * A change of a document that has not been written yet.
 *
 * @param edit the change
 * @param seen the previous value at the path; null if it has not been read, or does not matter
 */
record Change(JsonEdit edit, @Nullable ReadValue seen) {}
