package io.postbox.outbox.jms;

/**
 * The texts of exceptions, word for word, that were provoked in Open Liberty 26.0.0.3: with its own
 * messaging, and with an Artemis 2.56.0 broker through a 2.44.0 resource adapter.
 */
final class SeenTexts {
  private static final String ARTEMIS = "org.apache.activemq.artemis.api.core.";

  /** A queue with address-full-policy FAIL; at the send, beneath a JMSException. */
  static final String ARTEMIS_FULL =
      ARTEMIS
          + "ActiveMQAddressFullException: [errorType=ADDRESS_FULL message=AMQ219058: Address \"LIMITED\" is full. Message encode size = 2216B]";

  /** A queue that the user may not send to; at the commit, beneath XAException. */
  static final String ARTEMIS_NOT_ALLOWED =
      ARTEMIS
          + "ActiveMQSecurityException: [errorType=SECURITY_EXCEPTION message=AMQ229032: User: postbox does not have permission='SEND' on address READ-ONLY]";

  /** A string property of 1,000,000 characters; at the commit, beneath XAException. */
  static final String ARTEMIS_PROPERTY_TOO_LARGE =
      ARTEMIS
          + "ActiveMQIOErrorException: [errorType=IO_ERROR message=AMQ149005: Message of 2000226 bytes is bigger than the max record size of 501760 bytes. You should try to move large application properties to the message body.]";

  /** The same _AMQ_DUPL_ID in a second transaction; at the commit, beneath XAException. */
  static final String ARTEMIS_DUPLICATE =
      ARTEMIS
          + "ActiveMQDuplicateIdException: [errorType=DUPLICATE_ID_REJECTED message=Duplicate message detected - message will not be routed. Message information:CoreMessage[messageID=2539, durable=true, userID=4ed87feb-e558-11f1-adaa-02fc00000001, priority=4, timestamp=Sat Nov 21 03:04:46 UTC 2026, expiration=0, durable=true, address=PLAIN, size=271, properties=TypedProperties[__AMQ_CID=4ecd5c55-e558-11f1-adaa-02fc00000001, _AMQ_DUPL_ID=abc, _AMQ_ROUTING_TYPE=1]]@1153987171]";

  /** Broker killed between send and commit; beneath RollbackException and XAException. */
  static final String ARTEMIS_KILLED =
      ARTEMIS
          + "ActiveMQNotConnectedException: [errorType=NOT_CONNECTED message=AMQ219010: Connection is destroyed]";

  /** Broker stopped by SIGSTOP between send and commit; beneath RollbackException. */
  static final String ARTEMIS_FROZEN =
      ARTEMIS
          + "ActiveMQConnectionTimedOutException: [errorType=CONNECTION_TIMEDOUT message=AMQ219014: Timed out after waiting 10000 ms for response when sending packet 52]";

  /** An address that there is not; the InvalidDestinationException has no cause. */
  static final String ARTEMIS_NO_ADDRESS =
      "Destination NOWHERE does not exist, autoCreateAddresses=false , autoCreateQueues=false";

  /** maxMessageDepth reached; beneath JMSException CWSIA0067E. */
  static final String LIBERTY_FULL =
      "com.ibm.ws.sib.processor.exceptions.SIMPLimitExceededException: CWSIK0025E: The destination LIMITED on messaging engine defaultME is not available because the high limit for the number of messages for this destination has already been reached.";

  /** No such queue in the engine; beneath InvalidDestinationException CWSIA0063E. */
  static final String LIBERTY_NO_QUEUE =
      "com.ibm.ws.sib.processor.exceptions.SIMPNotPossibleInCurrentConfigurationException: CWSIK0015E: The destination NOWHERE was not found on messaging engine defaultME.";

  /** sendAllowed="false"; beneath InvalidDestinationException CWSIA0063E. */
  static final String LIBERTY_SEND_DISALLOWED =
      "com.ibm.ws.sib.processor.exceptions.SIMPNotPossibleInCurrentConfigurationException: CWSIK0017E: The destination with name READ-ONLY on messaging engine defaultME is send disallowed.";

  /** A user without the role; beneath JMSSecurityException CWSIA0069E. */
  static final String LIBERTY_NOT_ALLOWED =
      "com.ibm.wsspi.sib.core.exception.SINotAuthorizedException: CWWKM3010W: The user u is not authorized to perform action SEND on destination READ-ONLY.";

  /** Nobody listens at remoteServerAddress; beneath JMSException CWSIA0241E. */
  static final String LIBERTY_NO_ENGINE =
      "com.ibm.websphere.sib.exception.SIResourceException: CWSIT0127E: Unable to contact the specified target messaging engines. See the linked exception for further details. Client connections were attempted to: [localhost:9:BootstrapBasicMessaging]";

  private SeenTexts() {}
}
