package org.eclipse.microprofile.faulttolerance;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** In the place of the one that the module does not know. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Asynchronous {}
