/** The samples of docs/hibernate.md. */
package io.pgtoaster.it.hibernate.docs;
