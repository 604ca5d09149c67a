/** Tests of the page in a browser, and of its requests over HTTP. */
@NullMarked
package io.pgtoaster.examples.app;

import org.jspecify.annotations.NullMarked;
