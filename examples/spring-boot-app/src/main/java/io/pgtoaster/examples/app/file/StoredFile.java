package io.pgtoaster.examples.app.file;

/**
 * A file.
 *
 * @param id key of its row
 * @param name name given by its owner
 * @param media how the page may display it: image, audio, video, or empty
 * @param size size of the complete file in bytes
 * @param stored bytes stored so far
 * @param upload URL of its upload, to resume or delete it
 */
record StoredFile(long id, String name, String media, long size, long stored, String upload) {}
