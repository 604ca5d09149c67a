-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION pgtoaster_timeseries" to load this file. \quit

CREATE SCHEMA timeseries;
GRANT USAGE ON SCHEMA timeseries TO PUBLIC;
CREATE FUNCTION timeseries.handler(internal) RETURNS toaster.handler AS 'MODULE_PATHNAME', 'timeseries_handler' LANGUAGE C;
-- For the test that registers what is none: not written for a toaster.
CREATE FUNCTION timeseries.no_handler(internal) RETURNS toaster.handler AS 'MODULE_PATHNAME', 'timeseries_no_handler' LANGUAGE C;
