/** The door: {@link io.pgtoaster.PgToaster}, and the catalog of attached columns. */
@NullMarked
package io.pgtoaster;

import org.jspecify.annotations.NullMarked;
