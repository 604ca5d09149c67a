/** PostgreSQL servers started from a jar. */
@NullMarked
package io.pgtoaster.embedded;

import org.jspecify.annotations.NullMarked;
