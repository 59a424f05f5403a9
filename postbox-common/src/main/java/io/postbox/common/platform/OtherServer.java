package io.postbox.common.platform;

/** A server of which nothing is known but the standards. */
final class OtherServer extends Platform {
  @Override
  boolean isHere() {
    return true;
  }

  @Override
  String toDo(ServerSetting setting) {
    return switch (setting) {
      case CONFIGURATION -> "what MicroProfile Config reads on this server";
      case READ_COMMITTED -> "set the data source's isolation level to READ COMMITTED";
      case LARGER_POOL -> "let the data source's pool have more connections";
      case TWO_PHASES -> "make the data source an XA data source";
      case ONE_PHASE -> "make the data source one without XA";
      case TRANSACTIONAL -> "let the data source take part in transactions";
      case RECOVERY -> "let the server recover transactions when it starts";
      case LONGER_TRANSACTIONS -> "raise the server's limit of transactions of applications";
      case LONGER_DELIVERIES -> "raise the server's time-out of transactions";
      case DURABLE_MAPPING -> "let the connection factory send persistent messages as such";
      case UNLIMITED_DELIVERIES -> "let the broker deliver a message as often as it takes";
      case QUEUE -> "define a queue with it as its JNDI name";
    };
  }

  @Override
  public String toGet(String name) {
    return "enable what Open Liberty calls %s".formatted(name);
  }
}
