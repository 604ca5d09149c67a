/** What cells measure: one trial each, all run by one JMH class. The reports list the cells. */
@NullMarked
package io.pgtoaster.benchmarks.question;

import org.jspecify.annotations.NullMarked;
