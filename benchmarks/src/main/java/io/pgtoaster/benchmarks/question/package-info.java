/** The questions, a JMH class each, with the cells that are valid and the charts that answer. */
@NullMarked
package io.pgtoaster.benchmarks.question;

import org.jspecify.annotations.NullMarked;
