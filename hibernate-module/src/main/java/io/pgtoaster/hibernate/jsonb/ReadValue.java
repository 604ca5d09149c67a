package io.pgtoaster.hibernate.jsonb;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The value that was read at a path.
 *
 * @param value the value, which must not be changed; null if there was nothing at the path
 */
record ReadValue(@Nullable JsonNode value) {}
