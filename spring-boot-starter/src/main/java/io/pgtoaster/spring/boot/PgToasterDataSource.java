package io.pgtoaster.spring.boot;

import javax.sql.DataSource;

/**
 * The data source that pgtoaster works on: the only or primary one, or that which {@code
 * pgtoaster.datasource} names. As thread-safe as that.
 *
 * @param dataSource gives connections to PostgreSQL
 */
public record PgToasterDataSource(DataSource dataSource) {}
