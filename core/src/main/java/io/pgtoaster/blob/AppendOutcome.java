package io.pgtoaster.blob;

/** What became of an append. */
public enum AppendOutcome {
  /** The bytes are appended. */
  APPLIED,
  /** An earlier call with the same token had appended the bytes; this one changed nothing. */
  ALREADY_APPLIED,
  /** The blob's length is not the expected offset; nothing was changed. */
  CONFLICT
}
