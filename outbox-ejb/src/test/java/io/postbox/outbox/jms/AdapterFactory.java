package io.postbox.outbox.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.resource.Referenceable;

/** A resource adapter's, as its specification has it. */
interface AdapterFactory extends ConnectionFactory, Referenceable {}
