/** Protects the page. */
@NullMarked
package io.pgtoaster.examples.app.web;

import org.jspecify.annotations.NullMarked;
