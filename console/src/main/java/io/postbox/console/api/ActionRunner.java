package io.postbox.console.api;

import io.postbox.common.Erasure;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorActions;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** A module's actions. A bean where the module is there. */
public interface ActionRunner {
  /** {@code outbox} or {@code inbox}. */
  String module();

  /** Its actions. */
  OperatorActions actions();

  /** Plans, starts and reports its erasures. */
  Erasure erasure();

  /**
   * Starts what a plan is for, or does it at once.
   *
   * @param plan the module's own
   * @param perSecond the rate of a redrive
   * @param first how many of a redrive go ahead of the others
   * @param reason why
   */
  Response start(PlanId plan, Optional<Integer> perSecond, Optional<Integer> first, String reason);

  /** What was started goes on in the background. */
  static Response inBackground(OperatorAction started) {
    return Json.object().put("action", started.id().toString()).as(202);
  }
}
