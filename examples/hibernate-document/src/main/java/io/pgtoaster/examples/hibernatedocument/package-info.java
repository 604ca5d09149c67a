/** An entity with a document, read and changed by path, and with a growing recording. */
@NullMarked
package io.pgtoaster.examples.hibernatedocument;

import org.jspecify.annotations.NullMarked;
