package io.postbox.it.http;

import jakarta.ejb.Stateless;

/** Makes the module with the settings an EJB module, without which the server does not open it. */
@Stateless
public class Clerk {}
