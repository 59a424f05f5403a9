package io.postbox.console.http;

/** Ends a request with a {@link Problem}. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  /** The answer. */
  public Problem problem() {
    return problem;
  }
}
