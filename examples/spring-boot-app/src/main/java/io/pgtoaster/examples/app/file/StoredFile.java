package io.pgtoaster.examples.app.file;

/**
 * A file.
 *
 * @param id of its row
 * @param name that its owner gave it
 * @param media what the page may show of it: image, audio, video, or nothing
 * @param size in bytes, when it is complete
 * @param stored bytes that are there
 * @param upload URL of its upload, by which it goes on, or is deleted
 */
record StoredFile(long id, String name, String media, long size, long stored, String upload) {}
