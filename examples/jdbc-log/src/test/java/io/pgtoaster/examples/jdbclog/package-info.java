@NullMarked
package io.pgtoaster.examples.jdbclog;

import org.jspecify.annotations.NullMarked;
