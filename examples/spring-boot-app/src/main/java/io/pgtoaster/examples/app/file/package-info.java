/** Files that were uploaded. */
@NullMarked
package io.pgtoaster.examples.app.file;

import org.jspecify.annotations.NullMarked;
