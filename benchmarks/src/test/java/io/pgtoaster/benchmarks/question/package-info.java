@NullMarked
package io.pgtoaster.benchmarks.question;

import org.jspecify.annotations.NullMarked;
