/** The questions: their cells, how JMH runs them, and the reports. */
@NullMarked
package io.pgtoaster.benchmarks.question;

import org.jspecify.annotations.NullMarked;
