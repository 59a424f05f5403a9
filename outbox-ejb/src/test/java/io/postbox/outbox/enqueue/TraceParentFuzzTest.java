package io.postbox.outbox.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.postbox.common.testing.Draws;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Beside the grammar of the recommendation, and what OpenTelemetry makes of it. */
class TraceParentFuzzTest {
  private static final String IDS = "-(?!0{32})[\\da-f]{32}-(?!0{16})[\\da-f]{16}-[\\da-f]{2}";
  private static final Pattern VERSION_00 = Pattern.compile("00" + IDS);
  private static final Pattern LATER =
      Pattern.compile("(?!00|ff)[\\da-f]{2}" + IDS + "(-[^\\n\\r\\x{85}\\x{2028}\\x{2029}]*)?");

  @FuzzTest
  void aHeaderIsTakenIfItIsOneAndPassedOnAsOne(byte[] input) {
    Draws draws = new Draws(input);
    String header = header(draws);
    Optional<TraceParent> parsed = TraceParent.parse(header);

    boolean known = VERSION_00.matcher(header).matches();
    assertThat(parsed.isPresent()).as(header).isEqualTo(known || LATER.matcher(header).matches());
    parsed.ifPresent(it -> isPassedOn(header, known, it));

    String state = draws.oneOf(draws.text(20), draws.about(512), draws.changed("a=1,b@c=x y"));
    assertThat(TraceParent.isState(state))
        .isEqualTo(state.matches("[ -~]{1,512}") && !state.matches(" *"));
  }

  @Test
  void alsoTheSameHeadersEachTime() {
    Draws.check(4_000, this::aHeaderIsTakenIfItIsOneAndPassedOnAsOne);
  }

  private static void isPassedOn(String header, boolean known, TraceParent parsed) {
    String passed = parsed.toString();
    assertThat(passed).matches(VERSION_00);
    assertThat(TraceParent.parse(passed)).contains(parsed);
    if (known) {
      assertThat(passed).isEqualTo(header);
    }
    SpanContext before = inOpenTelemetry(header);
    SpanContext after = inOpenTelemetry(passed);
    assertThat(after.isValid()).isTrue();
    assertThat(after.getTraceId()).isEqualTo(before.getTraceId());
    assertThat(after.getSpanId()).isEqualTo(before.getSpanId());
    assertThat(after.isSampled()).isEqualTo(before.isSampled());
  }

  private static SpanContext inOpenTelemetry(String header) {
    Context context =
        W3CTraceContextPropagator.getInstance()
            .extract(
                Context.root(),
                header,
                new TextMapGetter<>() {
                  @Override
                  public Iterable<String> keys(String carrier) {
                    return List.of("traceparent");
                  }

                  @Override
                  public @Nullable String get(@Nullable String carrier, String key) {
                    return key.equals("traceparent") ? carrier : null;
                  }
                });
    return Span.fromContext(context).getSpanContext();
  }

  private static String header(Draws draws) {
    String hex = (draws.uuid() + draws.uuid()).replace("-", "");
    String header =
        String.format(
            Locale.ROOT,
            "%s-%s-%s-%02x%s",
            draws.oneOf("00", "01", "cc", "fe", "ff", "0"),
            draws.oneOf(hex.substring(0, 32), "0".repeat(32), "0".repeat(31) + "1"),
            draws.oneOf(hex.substring(32, 48), "0".repeat(16), "0".repeat(15) + "1"),
            draws.below(256),
            draws.oneOf("", "", "-", "-more", draws.text(3), "-" + draws.text(5)));
    return draws.below(8) == 0 ? draws.text(60) : draws.flag() ? header : draws.changed(header);
  }
}
