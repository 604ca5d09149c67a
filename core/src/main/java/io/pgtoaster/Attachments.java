package io.pgtoaster;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.ColumnLookup.Attached;
import io.pgtoaster.internal.column.ColumnLookup.Place;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.ColumnAttach;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Attaches and detaches columns, and changes their options. */
record Attachments(
    Installed database, Toasters<BlobToaster> blobs, Toasters<JsonToaster> documents) {

  Attachment attach(ColumnName column, ToasterOptions options) {
    return change(column, (connection, place) -> add(connection, place, options));
  }

  private Attachment add(Connection connection, Place place, ToasterOptions options)
      throws SQLException {
    String name = options.toaster();
    @Nullable Toaster<?, ?> toaster = find(name);
    if (toaster == null) {
      TreeSet<String> known = new TreeSet<>(blobs.names());
      known.addAll(documents.names());
      throw new UnsupportedCapabilityException(
          "there is no toaster \"%s\" on the class path, only %s".formatted(name, known));
    }
    int store = toaster.attach(connection, place.table(), place.name().column(), options.toMap());
    return new Attachment(place.name(), name, store, true);
  }

  Attachment attachIfAbsent(ColumnName column, ToasterOptions options) {
    return change(
        column,
        (connection, place) -> {
          Optional<Attached> attached = attached(connection, place);
          if (attached.isEmpty()) {
            // Another session may be attaching it: lock the table and look again.
            ColumnAttach.lock(connection, place.table());
            attached = attached(connection, place);
          }
          if (attached.isEmpty()) {
            return add(connection, place, options);
          }
          String toaster = options.toaster();
          requireToaster(attached.get(), toaster);
          int store =
              ColumnAttach.attachIfAbsent(
                  connection, place.table(), place.name().column(), toaster, options.toMap());
          return new Attachment(place.name(), toaster, store, false);
        });
  }

  /** Changes options of a column that is attached to their toaster. */
  void setOptions(ColumnName column, ToasterOptions changes) {
    this.<Boolean>change(
        column,
        (connection, place) -> {
          Attached attached =
              attached(connection, place)
                  .orElseThrow(
                      () -> new CatalogException("the column is not attached; attach it first"));
          requireToaster(attached, changes.toaster());
          ColumnAttach.setOptions(
              connection, place.table(), place.name().column(), changes.toMap());
          return true;
        });
  }

  private static void requireToaster(Attached attached, String toaster) {
    if (!attached.toaster().equals(toaster)) {
      throw new CatalogException(
          "the column is attached to the toaster %s, not to %s; detach it first"
              .formatted(attached.toaster(), toaster));
    }
  }

  void detach(ColumnName column, DetachOptions options) {
    this.<Boolean>change(
        column,
        (connection, place) -> {
          remove(connection, place, attached(connection, place), options);
          return true;
        });
  }

  boolean detachIfAttached(ColumnName column, DetachOptions options) {
    return this.<Boolean>change(
        column,
        (connection, place) -> {
          Optional<Attached> attached = attached(connection, place);
          if (attached.isPresent()) {
            remove(connection, place, attached, options);
          }
          return attached.isPresent();
        });
  }

  private void remove(
      Connection connection, Place place, Optional<Attached> attached, DetachOptions options)
      throws SQLException {
    @Nullable Toaster<?, ?> toaster = find(attached.map(Attached::toaster).orElse(""));
    if (toaster == null) {
      // Without the toaster's own code, only the catalog's function can detach the column.
      ColumnAttach.detach(connection, place.table(), place.name().column(), options.dropContent());
    } else {
      toaster.detach(connection, place.table(), place.name().column(), options.dropContent());
    }
  }

  /** Returns the blob or JSON toaster of that name, or null if it is not on the class path. */
  @Nullable Toaster<?, ?> find(String name) {
    return blobs
        .find(name)
        .<Toaster<?, ?>>map(Function.identity())
        .or(() -> documents.find(name))
        .orElse(null);
  }

  private static Optional<Attached> attached(Connection connection, Place place)
      throws SQLException {
    return ColumnLookup.attached(connection, place.table(), place.name().column());
  }

  /** Work on a column whose table was found. */
  private interface Work<T> {
    T apply(Connection connection, Place place) throws SQLException;
  }

  private <T> T change(ColumnName column, Work<T> work) {
    ColumnName[] name = {column};
    try {
      return database.<T>change(
          true,
          connection -> {
            Place place = ColumnLookup.locate(connection, column);
            name[0] = place.name();
            return work.apply(connection, place);
          });
    } catch (PgToasterException e) {
      throw SqlErrors.at(e, name[0].toString());
    }
  }
}
