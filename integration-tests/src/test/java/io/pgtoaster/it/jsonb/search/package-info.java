/** Search in documents, and its indexes. */
package io.pgtoaster.it.jsonb.search;
