package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.scenario.InputLedger.Findings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A tenth of a second of the real thing. How fast it goes is not asked. */
class FloodTest {

    private static final int PER_SECOND = 200_000;
    private static final long OFFERS = 20_001;

    private static Flood.Result flood(int capacity, InputFault fault) throws InterruptedException {
        return new Flood(4, PER_SECOND, OFFERS, capacity, fault).run(offered -> {});
    }

    private static void assertAddsUp(Flood.Result result) {
        assertThat(result.findings().isClean()).as(result.toString()).isTrue();
        assertThat(result.ledger().offered()).isEqualTo(OFFERS);
        assertThat(result.counts().accepted() + result.counts().rejected()).isEqualTo(OFFERS);
        assertThat(result.ledger().arrived()).isEqualTo(result.counts().accepted());
        assertThat(result.counts().pending()).isZero();
        assertThat(result.counts().dropped()).isZero();
        assertThat(result.ledger().ticks()).isPositive();
    }

    @Test
    void shouldBringEveryEventAcross() throws Exception {
        Flood.Result result = flood(32_768, InputFault.NONE); // has room for all, even if no tick ran meanwhile
        assertAddsUp(result);
        assertThat(result.ledger().arrived()).isEqualTo(OFFERS);
    }

    @Test
    void shouldAddUpWhereTheRingIsTooSmall() throws Exception {
        Flood.Result result = flood(16, InputFault.NONE);
        assertAddsUp(result);
        assertThat(result.ledger().mostInATick()).isBetween(1, 16);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldFindEveryInputFaultedFault(InputFault fault) throws Exception {
        Findings findings = flood(32_768, fault).findings();
        assertThat(findings.isClean()).isFalse();
        assertThat(findings.lost()).as("lost").isEqualTo(fault == InputFault.LOSE ? 20 : 0);
        assertThat(findings.doubled())
                .as("doubled")
                .isEqualTo(fault == InputFault.DOUBLE || fault == InputFault.DENY ? 20 : 0);
        assertThat(findings.reordered()).as("reordered").isEqualTo(fault == InputFault.REORDER ? 20 : 0);
    }

    @Test
    void shouldTellProgressUpToTheEnd() throws Exception {
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
