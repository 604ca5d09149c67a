/** What JSON toasters promise, each contract an interface of tests. */
package io.pgtoaster.it.jsonb.contract;
