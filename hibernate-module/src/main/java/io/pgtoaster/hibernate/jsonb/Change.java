package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.jsonb.JsonEdit;
import org.jspecify.annotations.Nullable;

/**
 * A change of a document that is to be written.
 *
 * @param edit what is changed
 * @param seen what was at the path before, null if it has not been read, or does not matter
 */
record Change(JsonEdit edit, @Nullable Seen seen) {}
