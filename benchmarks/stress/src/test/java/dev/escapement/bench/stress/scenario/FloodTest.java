package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tenth of a second of the real thing. How fast it goes is not asked. */
class FloodTest {

    private static final int PER_SECOND = 200_000;
    private static final long OFFERS = 20_001;

    @ParameterizedTest
    @CsvSource({"32768, false", "16, true"}) // the larger has room for all, even if no tick runs meanwhile
    void shouldAddUp(int capacity, boolean refuses) {
        Flood.Result result = new Flood(4, PER_SECOND, OFFERS, capacity, InputFault.NONE).run(offered -> {});
        assertThat(result.findings().isClean()).as(result.toString()).isTrue();
        assertThat(result.ledger().offered()).isEqualTo(OFFERS);
        assertThat(result.counts().accepted() + result.counts().rejected()).isEqualTo(OFFERS);
        assertThat(result.counts().rejected() > 0).isEqualTo(refuses);
        assertThat(result.ledger().arrived()).isEqualTo(result.counts().accepted());
        assertThat(result.ledger().mostInATick()).isBetween(1, capacity);
    }

    @Test
    void shouldTellProgressUpToTheEnd() {
        long[] last = {0};
        new Flood(3, PER_SECOND, OFFERS, 32_768, InputFault.NONE).run(offered -> last[0] = offered);
        assertThat(last[0]).isEqualTo(OFFERS);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "100, 2, 1",
        "102400, 2048, 128",
        "102500, 4096, 128",
        "1000000, 32768, 1024",
        "10000000, 262144, 16384"
    })
    void shouldHoldTwoTicksOrFarLessThanOne(int perSecond, int ample, int tooSmall) {
        assertThat(Flood.ampleCapacity(perSecond)).isEqualTo(ample);
        assertThat(Flood.tooSmallCapacity(perSecond)).isEqualTo(tooSmall);
    }
}
