/**
 * Big JSON documents that are read and changed by path: the column, the value at a path, and the
 * interface for toasters.
 */
@NullMarked
package io.pgtoaster.jsonb;

import org.jspecify.annotations.NullMarked;
