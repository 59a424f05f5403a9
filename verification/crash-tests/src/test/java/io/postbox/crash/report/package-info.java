/** Tells a person how a run goes: lines on the console, and a page with a time line and charts. */
@NullMarked
package io.postbox.crash.report;

import org.jspecify.annotations.NullMarked;
