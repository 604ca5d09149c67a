/**
 * pgtoaster for Hibernate: attributes of entities that append, and that read and write a document
 * by path. {@link io.pgtoaster.hibernate.blob.AppendableBlob} and {@link
 * io.pgtoaster.hibernate.jsonb.KeyedJson} are what entities use; what stands here registers them.
 */
@NullMarked
package io.pgtoaster.hibernate;

import org.jspecify.annotations.NullMarked;
