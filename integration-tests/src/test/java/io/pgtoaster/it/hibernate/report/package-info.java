/** The same document of 4 MB as the attribute of an entity, mapped in several ways. */
package io.pgtoaster.it.hibernate.report;
