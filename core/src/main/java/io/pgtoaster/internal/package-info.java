/** Connections, transactions and error translation: public to the other packages, not API. */
@NullMarked
package io.pgtoaster.internal;

import org.jspecify.annotations.NullMarked;
