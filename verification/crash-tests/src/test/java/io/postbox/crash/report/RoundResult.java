package io.postbox.crash.report;

import java.time.Duration;

/**
 * A round that is over.
 *
 * @param fault by which it is counted
 * @param how an exact account of the fault
 * @param inDoubt how many transactions were prepared and not decided while they were down
 * @param untilReady from the last start until orders were taken again
 * @param untilRest from then on until all had gone all the way
 */
public record RoundResult(
    int number, String fault, String how, int inDoubt, Duration untilReady, Duration untilRest) {}
