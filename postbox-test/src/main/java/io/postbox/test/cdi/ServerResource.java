package io.postbox.test.cdi;

import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;

/** What a server would inject at {@code @Resource} or {@code @PersistenceContext}. */
@Qualifier
@Retention(RUNTIME)
@interface ServerResource {}
