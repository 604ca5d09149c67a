/** Values by path, read into texts and streams. */
@NullMarked
package io.pgtoaster.jsonb.keyed.read;

import org.jspecify.annotations.NullMarked;
