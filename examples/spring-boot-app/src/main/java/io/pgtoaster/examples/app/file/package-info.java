/** Uploaded files. */
@NullMarked
package io.pgtoaster.examples.app.file;

import org.jspecify.annotations.NullMarked;
