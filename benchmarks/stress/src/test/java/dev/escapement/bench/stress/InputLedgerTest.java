package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.time.ManualClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Breaks one promise in each test, and checks what the ledger counts. The tick has a length of 100 ns and is due at 1000. */
class InputLedgerTest {

    private static final long PERIOD = 100;
    private static final long FIRST_DUE = 1000;

    private final ManualClock clock = new ManualClock(FIRST_DUE);
    private final InputRing ring = new InputRing(64, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final InputLedger ledger = new InputLedger(2, promise -> false);

    /** Runs the tick. Returns the violations of {@link Promise#INPUT_ONCE}, {@link Promise#INPUT_ORDER} and {@link Promise#INPUT_SUMS}. */
    private List<Long> tickAndFind() {
        ledger.arrive(sampler.sample(FIRST_DUE - PERIOD, FIRST_DUE));
        return List.of(ledger.once(), ledger.order(), ledger.sums(ring.accepted(), ring.rejected(), sampler.pending()));
    }

    private void offer(int producer, int times) {
        for (int i = 0; i < times; i++) {
            ledger.producer(producer).offer(FIRST_DUE - times + i, ring);
        }
    }

    @Test
    void shouldFindNothingWhereAllArrivesOrIsRefused() {
        offer(0, 40);
        offer(1, 40); // the ring has room for 64, so it refuses 16
        assertThat(tickAndFind()).isEqualTo(List.of(0L, 0L, 0L));
        assertThat(ledger.arrived()).isEqualTo(64).isEqualTo(ledger.accepted());
    }

    @Test
    void shouldIgnoreTheOrderOfJoinsInAPause() {
        RemoteSources sources = new RemoteSources(ring);
        sources.join();
        sources.join();
        sampler.drainWhilePaused(FIRST_DUE, true, null);
        InputFrame joined = sampler.sample(FIRST_DUE - PERIOD, FIRST_DUE);
        assertThat(joined.size()).isEqualTo(2);
        ledger.arrive(joined);
        assertThat(ledger.order()).isZero();
    }

    @Test
    void shouldFindEventsOfOtherProducersAndContents() {
        ring.offer(990, InputKind.APPLICATION, 2, 0, InputLedger.Producer.y(990, 0));
        ring.offer(991, InputKind.APPLICATION, 0, 0, InputLedger.Producer.y(992, 0));
        ring.offer(992, InputKind.KEY_DOWN, 1, 0, 0); // the ledger ignores keys, but the ring counts them
        // Two altered events, and three events in the ring that no producer has offered.
        assertThat(tickAndFind().get(2)).isEqualTo(2 + 3 + 3 - 3);
    }

    @Test
    void shouldFindEventsOutOfTimeOrSequenceOrder() {
        RecordedInput input = new RecordedInput();
        input.begin(PERIOD);
        long[][] sequencesAndTimes = {{0, 951}, {2, 950}, {1, 950}, {3, 950}, {4, 952}};
        for (int i = 0; i < sequencesAndTimes.length; i++) {
            long timeNanos = sequencesAndTimes[i][1];
            float y = InputLedger.Producer.y(timeNanos, i);
            input.add(0, sequencesAndTimes[i][0], timeNanos, InputKind.APPLICATION, 0, i, y, 50, false);
        }
        ledger.arrive(input.frame());
        assertThat(ledger.order()).isEqualTo(2);
    }
}
