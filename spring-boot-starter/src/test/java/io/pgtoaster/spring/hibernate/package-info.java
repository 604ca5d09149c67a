/** Entities and their columns. */
package io.pgtoaster.spring.hibernate;
