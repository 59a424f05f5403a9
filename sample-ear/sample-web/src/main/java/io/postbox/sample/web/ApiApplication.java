package io.postbox.sample.web;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Everything dynamic is under {@code /api}; the page at {@code /} is plain files. */
@ApplicationPath("/api")
public class ApiApplication extends Application {}
