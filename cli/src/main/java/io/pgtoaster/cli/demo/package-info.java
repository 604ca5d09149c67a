/** The demonstration: compares pgtoaster with PostgreSQL's stock types and prints the results. */
@NullMarked
package io.pgtoaster.cli.demo;

import org.jspecify.annotations.NullMarked;
