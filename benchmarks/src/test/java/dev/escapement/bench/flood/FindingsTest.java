package dev.escapement.bench.flood;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.Waiting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One producer offers 3000 events within a tick, and one tick takes them; on one thread and a manual clock. */
class FindingsTest {

    private static final int OFFERS = 3000;
    private static final long PERIOD = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final InputCheck check = new InputCheck(1, PERIOD);

    private InputRing ring = new InputRing(4096, clock);
    private InputSampler sampler = new InputSampler(ring);

    private Producer offerAll(Plant plant) {
        Waiting waiting = new Waiting() {
            @Override
            public void park(long nanos) {
                clock.advance(nanos);
            }

            @Override
            public void spin() {
                clock.advance(1);
            }
        };
        Producer producer = new Producer(0, 1_000_000, OFFERS, plant.gateTo(ring), clock, waiting);
        producer.run(0);
        return producer;
    }

    private void tick() {
        check.check(sampler.sample(0, PERIOD), PERIOD);
    }

    private RingCounts counts() {
        return new RingCounts(ring.accepted(), ring.rejected(), sampler.pending(), ring.droppedWhilePaused());
    }

    private static void assertClean(Findings findings) {
        assertThat(findings).isEqualTo(new Findings(0, 0, 0, 0, 0, 0, 0));
        assertThat(findings.isClean()).isTrue();
    }

    @Test
    void shouldFindNothing() {
        Producer producer = offerAll(Plant.NONE);
        tick();
        assertClean(Findings.of(List.of(producer), check, counts()));
        assertThat(check.arrivals(0).arrived()).isEqualTo(OFFERS);
    }

    @Test
    void shouldAddUpWhereTheRingRefuses() {
        ring = new InputRing(16, clock);
        sampler = new InputSampler(ring);
        Producer producer = offerAll(Plant.NONE);
        tick();
        assertClean(Findings.of(List.of(producer), check, counts()));
        assertThat(producer.accepted()).isEqualTo(16);
        assertThat(producer.refused()).isEqualTo(OFFERS - 16);
        assertThat(check.arrivals(0).arrived()).isEqualTo(16);
    }

    @Test
    void shouldAddUpWhatIsPending() {
        Producer producer = offerAll(Plant.NONE);
        assertClean(Findings.of(List.of(producer), check, counts()));
        assertThat(counts().pending()).isEqualTo(OFFERS);
    }

    @Test
    void shouldAddUpWhatWasDroppedWhileTimeStoodStill() {
        Producer producer = offerAll(Plant.NONE);
        sampler.drainWhilePaused(PERIOD, null);
        assertClean(Findings.of(List.of(producer), check, counts()));
        assertThat(counts().dropped()).isEqualTo(OFFERS);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NONE", "MISPLACE"},
            mode = EnumSource.Mode.EXCLUDE)
    void shouldFindEveryFaultPlantedBeforeTheRing(Plant plant) {
        Producer producer = offerAll(plant);
        tick();
        Findings findings = Findings.of(List.of(producer), check, counts());
        // Three are planted. What is lost, say, was counted neither by the ring nor by the tick.
        Findings expected = switch (plant) {
            case NONE, MISPLACE -> throw new IllegalArgumentException();
            case LOSE -> new Findings(3, 0, 0, 0, 0, 0, 6);
            case DOUBLE -> new Findings(0, 3, 0, 0, 0, 0, 6);
            case REORDER -> new Findings(0, 0, 3, 0, 0, 0, 0);
            case DENY -> new Findings(0, 3, 0, 0, 0, 0, 9);
        };
        assertThat(findings).isEqualTo(expected);
        assertThat(findings.isClean()).isFalse();
    }

    @Test
    void shouldFindOtherContents() {
        Producer producer = offerAll(Plant.NONE);
        check.arrivals(0).add(0, 1, 0);
        RingCounts counts = new RingCounts(OFFERS, 0, OFFERS - 1, 0);
        assertClean(Findings.of(List.of(producer), check, counts)); // nothing can be said while some are on their way
        for (int place = 1; place < OFFERS; place++) {
            check.arrivals(0).add(0, place, place);
        }
        assertThat(Findings.of(List.of(producer), check, new RingCounts(OFFERS, 0, 0, 0)))
                .isEqualTo(new Findings(0, 0, 0, 0, 0, 1, 0));
    }

    @Test
    void shouldFindCountsThatDoNotAddUp() {
        Producer producer = offerAll(Plant.NONE);
        tick();
        assertThat(Findings.of(List.of(producer), check, new RingCounts(OFFERS + 2, 0, 0, 0))
                        .unaccounted())
                .isEqualTo(2);
        assertThat(Findings.of(List.of(producer), check, new RingCounts(OFFERS, 3, 0, 0))
                        .unaccounted())
                .isEqualTo(3);
        assertThat(Findings.of(List.of(producer), check, new RingCounts(OFFERS, 0, 4, 0))
                        .unaccounted())
                .isEqualTo(4);
        assertThat(Findings.of(List.of(producer), check, new RingCounts(OFFERS, 0, 0, 5))
                        .unaccounted())
                .isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void shouldBeBrokenByAnyOfThem(int which) {
        long[] found = new long[7];
        found[which] = 1;
        assertThat(new Findings(found[0], found[1], found[2], found[3], found[4], found[5], found[6]).isClean())
                .isFalse();
    }
}
