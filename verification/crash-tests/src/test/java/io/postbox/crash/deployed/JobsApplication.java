package io.postbox.crash.deployed;

import io.postbox.testkit.server.LibertyFolder;

/** The queues of jobs, and what a server has to know of them. */
public final class JobsApplication {
  private JobsApplication() {}

  /**
   * Gives them to a server, before the start.
   *
   * @param isEmbedded whether the broker is the server's own; otherwise it is Artemis
   */
  public static void addTo(LibertyFolder folder, boolean isEmbedded) {
    String queue = VersionsApplication.queue(isEmbedded);
    folder.override(
        "jobs.xml",
        "<server>\n"
            + "  <webAppSecurity overrideHttpAuthMethod=\"BASIC\"/>\n"
            + queue.formatted("JOBS", "jms/jobs", "JobsMdb")
            + queue.formatted("JOBS-CAPTURED", "jms/jobs-captured", "CapturedJobsMdb")
            + "</server>\n");
  }
}
