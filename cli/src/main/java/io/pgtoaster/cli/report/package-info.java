/** The demonstration's result as one self-contained page. */
@NullMarked
package io.pgtoaster.cli.report;

import org.jspecify.annotations.NullMarked;
