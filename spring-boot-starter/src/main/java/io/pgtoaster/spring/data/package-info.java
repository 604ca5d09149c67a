/** Spring Data JPA repository fragments for entities with blobs and documents. */
@NullMarked
package io.pgtoaster.spring.data;

import org.jspecify.annotations.NullMarked;
