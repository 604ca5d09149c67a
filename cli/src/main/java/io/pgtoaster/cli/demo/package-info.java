/** The demonstration: measuring pgtoaster beside stock ways, and showing what came out. */
@NullMarked
package io.pgtoaster.cli.demo;

import org.jspecify.annotations.NullMarked;
