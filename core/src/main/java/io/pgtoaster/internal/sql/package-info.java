/** Names in SQL, and work on a connection: shared by our own modules, not API. */
@NullMarked
package io.pgtoaster.internal.sql;

import org.jspecify.annotations.NullMarked;
