/** The entry point: {@link io.pgtoaster.PgToaster}, and the catalog of attached columns. */
@NullMarked
package io.pgtoaster;

import org.jspecify.annotations.NullMarked;
