/**
 * Roles, grants, row security and hostile names: no role can access or block other roles' content.
 */
package io.pgtoaster.it.security;
