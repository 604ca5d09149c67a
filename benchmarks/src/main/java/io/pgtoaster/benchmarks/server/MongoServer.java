package io.pgtoaster.benchmarks.server;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.pgtoaster.benchmarks.contender.Names;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** A server with MongoDB's protocol, if there is one. */
public final class MongoServer {
  /** Prefix of the databases of trials. */
  private static final String PREFIX = "pgtoaster_bench_";

  private static final String FERRET_VERSION = "ferretdbVersion";

  private MongoServer() {}

  /** Connects to the server of a target. The URL may limit how long to wait for a server. */
  public static MongoClient connect(Target target) {
    String url = target.mongodbUrl();
    if (url == null) {
      throw new IllegalStateException("no URL of a MongoDB server was given");
    }
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyToClusterSettings(c -> c.serverSelectionTimeout(10, TimeUnit.SECONDS))
            .applyConnectionString(new ConnectionString(url))
            .build());
  }

  /** Returns a name for a trial's database. */
  public static String newDatabase() {
    return PREFIX + UUID.randomUUID().toString().substring(0, 8);
  }

  /** Returns what the server is: MongoDB, or FerretDB. */
  public static String name(Target target) throws SQLException {
    return buildInfo(target).containsKey(FERRET_VERSION) ? Names.FERRETDB : Names.MONGODB;
  }

  /** Returns the version of the server. */
  public static String version(Target target) throws SQLException {
    Document info = buildInfo(target);
    return info.getString(info.containsKey(FERRET_VERSION) ? FERRET_VERSION : "version");
  }

  private static Document buildInfo(Target target) throws SQLException {
    try (MongoClient client = connect(target)) {
      return client.getDatabase("admin").runCommand(new Document("buildInfo", 1));
    } catch (MongoException e) {
      throw new SQLException("the MongoDB server does not respond: " + e.getMessage(), e);
    }
  }

  /** Drops all databases that trials left. */
  public static void drop(Target target) throws SQLException {
    try (MongoClient client = connect(target)) {
      List<String> names = client.listDatabaseNames().into(new ArrayList<>());
      names.stream()
          .filter(name -> name.startsWith(PREFIX))
          .forEach(name -> client.getDatabase(name).drop());
    } catch (MongoException e) {
      throw new SQLException("the MongoDB server does not respond: " + e.getMessage(), e);
    }
  }
}
