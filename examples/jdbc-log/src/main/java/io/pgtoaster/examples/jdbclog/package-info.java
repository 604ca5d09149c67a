/** A log in a database, appended by programs and followed by others, over plain JDBC. */
@NullMarked
package io.pgtoaster.examples.jdbclog;

import org.jspecify.annotations.NullMarked;
