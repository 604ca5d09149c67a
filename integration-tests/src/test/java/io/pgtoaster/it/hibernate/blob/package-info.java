/** Tests of blobs as attributes of entities. */
package io.pgtoaster.it.hibernate.blob;
