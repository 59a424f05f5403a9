package io.postbox.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static Figures figures(double... values) {
    return new Figures(DoubleStream.of(values).boxed().toList());
  }

  @Test
  void aQuantileIsAValueThatWasMeasured() {
    Figures hundred = new Figures(IntStream.rangeClosed(1, 100).mapToObj(i -> (double) i).toList());
    assertThat(hundred.median()).isEqualTo(50);
    assertThat(hundred.quantile(0.99)).isEqualTo(99);
    assertThat(hundred.quantile(1)).isEqualTo(100);
    assertThat(figures(3, 1, 2).median()).isEqualTo(2);
    assertThat(figures(7).quantile(0.99)).isEqualTo(7);
  }

  @Test
  void aRatioIsTakenRoundByRound() {
    assertThat(figures(10, 1, 6).over(figures(20, 2, 6)).values()).containsExactly(0.5, 0.5, 1.0);
    assertThatThrownBy(() -> figures(1).over(figures(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Figures(List.of())).hasMessage("nothing was measured");
  }
}
