/** Makes the site of the Markdown in {@code docs}. */
@NullMarked
package io.pgtoaster.docs;

import org.jspecify.annotations.NullMarked;
