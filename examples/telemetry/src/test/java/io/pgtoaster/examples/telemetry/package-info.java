@NullMarked
package io.pgtoaster.examples.telemetry;

import org.jspecify.annotations.NullMarked;
