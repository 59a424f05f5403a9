package io.postbox.crash.deployed;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Where {@link Till} answers. */
@ApplicationPath("/api")
public class TillApplication extends Application {}
