package io.postbox.console.http;

import io.postbox.common.PlanRefusedException;

/** The problems behind plans that are refused. */
final class Refusals {
  private Refusals() {}

  /** Says why. */
  static Problem of(PlanRefusedException.Why why) {
    String detail =
        switch (why) {
          case UNKNOWN -> "This service has no such plan on record, for this action";
          case FOREIGN -> "Another person made the plan";
          case EXPIRED -> "The plan is older than an hour";
          case USED -> "The plan was carried out already, or was begun and broke off";
        };
    return Problem.conflict(
        "plan-refused",
        "The plan was refused",
        detail + "; nothing was changed.",
        "Make another plan: it shows the present messages.");
  }
}
