package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.FaultPlan.Site;
import dev.escapement.bench.stress.FaultPlan.Strike;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private static final int SEEDS = 50_000;

    @Test
    void shouldDrawTheSameFromTheSameSeed() {
        assertThat(FaultPlan.draw(42)).isEqualTo(FaultPlan.draw(42));
        assertThat(FaultPlan.draw(43)).isNotEqualTo(FaultPlan.draw(42));
    }

    @Test
    void shouldDrawEachFaultAtEachOfItsMoments() {
        List<Strike> all = LongStream.range(0, SEEDS)
                .boxed()
                .flatMap(seed -> FaultPlan.draw(seed).strikes().stream())
                .distinct()
                .toList();
        assertThat(all)
                .hasSize(Stream.of(Site.values())
                        .mapToInt(site -> site.lastMoment * site.acts.size())
                        .sum())
                .allMatch(strike -> strike.moment() >= 1)
                .allMatch(strike -> strike.moment() <= strike.site().lastMoment);
    }
}
