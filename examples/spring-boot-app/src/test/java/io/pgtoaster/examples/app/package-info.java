/** The page, driven by a browser, and what it stands on, over HTTP. */
@NullMarked
package io.pgtoaster.examples.app;

import org.jspecify.annotations.NullMarked;
