/** A column of a table as toasters see it: names, row key, options. */
@NullMarked
package io.pgtoaster.column;

import org.jspecify.annotations.NullMarked;
