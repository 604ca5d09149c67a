/** An entity whose document is read and changed by path, and whose recording grows. */
@NullMarked
package io.pgtoaster.examples.hibernatedocument;

import org.jspecify.annotations.NullMarked;
