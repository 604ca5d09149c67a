@NullMarked
package io.pgtoaster.embedded;

import org.jspecify.annotations.NullMarked;
