package dev.escapement.bench.flood;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tenth of a second of the real thing. How fast it goes is not asked. */
class FloodTest {

    private static final int PER_SECOND = 200_000;
    private static final long OFFERS = 20_001;

    private static FloodResult flood(int capacity, Plant plant) throws InterruptedException {
        return new Flood(4, PER_SECOND, OFFERS, capacity, plant).run(offered -> {});
    }

    private static void assertAddsUp(FloodResult result) {
        assertThat(result.findings().isClean()).as(result.toString()).isTrue();
        assertThat(result.offered()).isEqualTo(OFFERS);
        assertThat(result.counts().accepted() + result.counts().rejected()).isEqualTo(OFFERS);
        assertThat(result.arrived()).isEqualTo(result.counts().accepted());
        assertThat(result.counts().pending()).isZero();
        assertThat(result.counts().dropped()).isZero();
        assertThat(result.ticks()).isPositive();
    }

    @Test
    void shouldBringEveryEventAcross() throws Exception {
        FloodResult result = flood(32_768, Plant.NONE); // has room for all, even if no tick ran meanwhile
        assertAddsUp(result);
        assertThat(result.arrived()).isEqualTo(OFFERS);
    }

    @Test
    void shouldAddUpWhereTheRingIsTooSmall() throws Exception {
        FloodResult result = flood(16, Plant.NONE);
        assertAddsUp(result);
        assertThat(result.mostInATick()).isBetween(1, 16);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldFindEveryPlantedFault(Plant plant) throws Exception {
        Findings findings = flood(32_768, plant).findings();
        assertThat(findings.isClean()).isFalse();
        assertThat(findings.lost()).as("lost").isEqualTo(plant == Plant.LOSE ? 20 : 0);
        assertThat(findings.doubled()).as("doubled").isEqualTo(plant == Plant.DOUBLE || plant == Plant.DENY ? 20 : 0);
        assertThat(findings.reordered()).as("reordered").isEqualTo(plant == Plant.REORDER ? 20 : 0);
    }

    @Test
    void shouldTellProgressUpToTheEnd() throws Exception {
        long[] last = {0};
        new Flood(3, PER_SECOND, OFFERS, 32_768, Plant.NONE).run(offered -> last[0] = offered);
        assertThat(last[0]).isEqualTo(OFFERS);
    }
}
