/** A log in a database: programs append to it and follow it, over plain JDBC. */
@NullMarked
package io.pgtoaster.examples.jdbclog;

import org.jspecify.annotations.NullMarked;
