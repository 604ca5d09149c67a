/** What blob toasters promise, each contract an interface of tests. */
package io.pgtoaster.it.blob.contract;
