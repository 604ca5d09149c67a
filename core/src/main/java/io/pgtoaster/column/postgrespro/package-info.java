/** What the toasters of Postgres Pro's server need of it: finding them, attaching, guards. */
@NullMarked
package io.pgtoaster.column.postgrespro;

import org.jspecify.annotations.NullMarked;
