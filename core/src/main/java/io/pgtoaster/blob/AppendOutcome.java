package io.pgtoaster.blob;

/** The outcome of an append. */
public enum AppendOutcome {
  /** The bytes were appended. */
  APPLIED,
  /** An earlier call with the same token appended the bytes; this call changed nothing. */
  ALREADY_APPLIED,
  /** The blob's length is not the expected offset; nothing was changed. */
  CONFLICT
}
