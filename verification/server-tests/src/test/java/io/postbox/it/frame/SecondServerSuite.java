package io.postbox.it.frame;

import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The classes that share one server of Arquillian's, by the first letter of their package: e-k. It
 * needs one thread to deploy, and so another server's classes run at the same time.
 */
@Suite(failIfNoTests = false)
@SelectPackages("io.postbox.it")
@IncludeClassNamePatterns("io\\.postbox\\.it\\.[e-k].*IT")
@ExcludeTags(OwnServers.TAG)
class SecondServerSuite {}
