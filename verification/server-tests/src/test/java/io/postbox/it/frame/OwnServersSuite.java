package io.postbox.it.frame;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The classes with {@link OwnServers}. */
@Suite(failIfNoTests = false)
@SelectPackages("io.postbox.it")
@IncludeClassNamePatterns(".*IT")
@IncludeTags(OwnServers.TAG)
class OwnServersSuite {}
