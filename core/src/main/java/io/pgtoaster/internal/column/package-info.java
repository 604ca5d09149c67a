/**
 * Columns and their toasters: lookup, access, rows and privileges. Shared by our own modules, not
 * API.
 */
@NullMarked
package io.pgtoaster.internal.column;

import org.jspecify.annotations.NullMarked;
