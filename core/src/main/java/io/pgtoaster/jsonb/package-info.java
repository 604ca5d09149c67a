/**
 * Big JSON documents that are read and changed by path: the column handle, its paths, and the seam
 * for toasters.
 */
@NullMarked
package io.pgtoaster.jsonb;

import org.jspecify.annotations.NullMarked;
