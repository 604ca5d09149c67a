/**
 * Shared code for pgtoaster's own modules and for jars that provide a toaster, in addition to the
 * API. This package has SQL names, {@code json} has JSON in the form of {@code jsonb}, and {@code
 * io.pgtoaster.column} has stored columns and rows. It may change with any release. Apart from
 * these packages, such jars may use only the API.
 */
@NullMarked
package io.pgtoaster.spi;

import org.jspecify.annotations.NullMarked;
