/** Chat memory of Spring AI in documents. */
@NullMarked
package io.pgtoaster.springai;

import org.jspecify.annotations.NullMarked;
