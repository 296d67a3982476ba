package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.scenario.FaultPlan.Strike;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private static final List<String> POSSIBLE = List.of("fire", "flood", "frost");

    private static FaultPlan<String> draw(long seed) {
        return FaultPlan.draw(seed, 2, POSSIBLE, fault -> fault.equals("frost") ? 3 : 20);
    }

    @Test
    void shouldDrawTheSameFromTheSameSeed() {
        assertThat(draw(42)).isEqualTo(draw(42));
        assertThat(LongStream.range(0, 100)
                        .mapToObj(seed -> draw(seed).strikes())
                        .distinct())
                .hasSizeGreaterThan(80);
    }

    @Test
    void shouldDrawEachFaultAtEachOfItsMomentsAndAtNoOther() {
        List<Strike<String>> all = LongStream.range(0, 10_000)
                .boxed()
                .flatMap(seed -> draw(seed).strikes().stream())
                .toList();
        assertThat(all.stream().distinct()).hasSize(20 + 20 + 3);
        assertThat(all)
                .allMatch(strike -> strike.moment() >= 1)
                .allMatch(strike -> strike.moment() <= (strike.fault().equals("frost") ? 3 : 20));
    }

    @Test
    void shouldLetAboutHalfOfThemStrikeTogether() {
        long together = LongStream.range(0, 10_000)
                .mapToObj(
                        seed -> FaultPlan.draw(seed, 2, POSSIBLE, fault -> 1000).strikes())
                .filter(strikes -> strikes.get(0).moment() == strikes.get(1).moment())
                .count();
        assertThat(together).isBetween(4_800L, 5_200L);
    }
}
