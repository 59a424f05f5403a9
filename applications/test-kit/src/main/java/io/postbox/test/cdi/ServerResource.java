package io.postbox.test.cdi;

import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;

/** Marks objects that a server would inject at {@code @Resource} or {@code @PersistenceContext}. */
@Qualifier
@Retention(RUNTIME)
@interface ServerResource {}
