/**
 * pgtoaster for Hibernate: entity attributes that append, and that read and write a document by
 * path. Entities use {@link io.pgtoaster.hibernate.blob.AppendableBlob} and {@link
 * io.pgtoaster.hibernate.jsonb.KeyedJson}. The classes in this package register them.
 */
@NullMarked
package io.pgtoaster.hibernate;

import org.jspecify.annotations.NullMarked;
