/** Builds the site from the Markdown files in {@code docs}. */
@NullMarked
package io.pgtoaster.docs;

import org.jspecify.annotations.NullMarked;
