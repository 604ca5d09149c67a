/** The exceptions that pgtoaster throws. */
@NullMarked
package io.pgtoaster.error;

import org.jspecify.annotations.NullMarked;
