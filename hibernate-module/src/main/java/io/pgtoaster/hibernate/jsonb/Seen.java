package io.pgtoaster.hibernate.jsonb;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What was read at a path.
 *
 * @param value not to be changed; null if nothing was there
 */
record Seen(@Nullable JsonNode value) {}
