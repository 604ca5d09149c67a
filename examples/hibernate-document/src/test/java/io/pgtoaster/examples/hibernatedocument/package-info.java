@NullMarked
package io.pgtoaster.examples.hibernatedocument;

import org.jspecify.annotations.NullMarked;
