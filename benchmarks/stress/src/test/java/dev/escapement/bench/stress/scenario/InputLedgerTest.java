package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.ManualClock;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Ticks that break one promise each. They are 100 ns long; the first is due at 1000. */
class InputLedgerTest {

    private static final long PERIOD = 100;
    private static final long FIRST_DUE = 1000;

    private final InputLedger ledger = new InputLedger(2, PERIOD);
    private final RecordedInput input = new RecordedInput();
    private long sequence;
    private long place;

    /** An event of producer 0, the next one. */
    private void add(long timeNanos, long offsetNanos, boolean late) {
        add(sequence, timeNanos, offsetNanos, late);
        sequence++;
    }

    private void add(long itsSequence, long timeNanos, long offsetNanos, boolean late) {
        input.add(
                itsSequence,
                timeNanos,
                InputKind.APPLICATION,
                NumberedProducer.code(0, place),
                NumberedProducer.x(place),
                NumberedProducer.x(place),
                offsetNanos,
                late);
        place++;
    }

    private void endTick(long dueNanos) {
        ledger.arrive(input.frame(), dueNanos);
        input.begin(PERIOD);
    }

    private InputLedger.Findings found() {
        return ledger.findings(new InputLedger.RingCounts(0, 0, 0, 0));
    }

    private void assertFound(long disordered, long misplaced) {
        assertThat(found().disordered()).as("disordered").isEqualTo(disordered);
        assertThat(found().misplaced()).as("misplaced").isEqualTo(misplaced);
    }

    {
        input.begin(PERIOD);
    }

    @Test
    void shouldFindNothing() {
        add(-50, 0, false); // before the first tick, which is none too late for
        add(900, 0, false);
        add(901, 1, false);
        add(901, 1, false);
        add(1000, 100, false);
        endTick(FIRST_DUE);
        add(700, 0, true);
        add(1000, 0, true);
        add(1001, 1, false);
        endTick(FIRST_DUE + PERIOD);
        add(1101, 0, false); // time stood still from 1100 to 1200: two ticks were given up
        add(1300, 0, false);
        add(1399, 99, false);
        endTick(FIRST_DUE + 4 * PERIOD);
        assertFound(0, 0);
        assertThat(ledger.late()).isEqualTo(2);
        assertThat(ledger.mostInATick()).isEqualTo(5);
        assertThat(ledger.ticks()).isEqualTo(3);
        assertThat(ledger.arrivals(0).arrived).isEqualTo(11);
        assertThat(ledger.arrivals(0).lost).isZero();
        assertThat(ledger.arrivals(1).arrived).isZero();
    }

    @Test
    void shouldFindEventsAgainstTheOrderOfTime() {
        add(951, 51, false);
        add(950, 50, false);
        endTick(FIRST_DUE);
        assertFound(1, 0);
    }

    @Test
    void shouldFindTiesAgainstTheOrderOfTheirSequence() {
        add(2, 950, 50, false);
        add(1, 950, 50, false);
        add(1, 950, 50, false);
        endTick(FIRST_DUE);
        assertFound(2, 0);
    }

    @Test
    void shouldFindWrongOffsets() {
        add(950, 49, false);
        add(951, 52, false);
        endTick(FIRST_DUE);
        add(999, 1, true);
        endTick(FIRST_DUE + PERIOD);
        assertFound(0, 3);
    }

    @Test
    void shouldFindWhatIsEarly() {
        add(1001, 101, false);
        endTick(FIRST_DUE);
        assertFound(0, 1);
    }

    @Test
    void shouldFindWhatIsWronglyCalledLateOrNot() {
        add(890, 0, true);
        endTick(FIRST_DUE);
        add(1000, 0, false);
        add(1001, 1, true);
        endTick(FIRST_DUE + PERIOD);
        assertFound(0, 3);
        assertThat(ledger.late()).isEqualTo(1);
    }

    @Test
    void shouldFindTicksOfAnotherLength() {
        input.begin(PERIOD + 1);
        endTick(FIRST_DUE);
        assertFound(0, 1);
    }

    @Test
    void shouldFindEventsOfNobody() {
        input.add(0, 950, InputKind.APPLICATION, NumberedProducer.code(2, 0), 0, 0, 50, false);
        endTick(FIRST_DUE);
        assertThat(found().altered()).isEqualTo(1);
    }

    @Test
    void shouldTellProducersApart() {
        input.add(0, 950, InputKind.APPLICATION, NumberedProducer.code(1, 0), 0, 0, 50, false);
        add(1, 951, 51, false);
        endTick(FIRST_DUE);
        assertThat(ledger.arrivals(0).arrived).isEqualTo(1);
        assertThat(ledger.arrivals(1).arrived).isEqualTo(1);
        assertThat(ledger.arrivals(0).doubled).isZero();
    }

    /** It runs within the ticks that it checks. */
    @Test
    void shouldAllocateNothing() {
        ManualClock clock = new ManualClock(0);
        InputRing ring = new InputRing(64, clock);
        InputSampler sampler = new InputSampler(ring);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int tick = 0; tick < 100; tick++) {
                long fromNanos = clock.nanoTime();
                clock.advance(PERIOD);
                for (int i = 0; i < 50; i++) {
                    ring.offer(fromNanos + i, InputKind.APPLICATION, NumberedProducer.code(1, i), i, i);
                }
                ledger.arrive(sampler.sample(fromNanos, clock.nanoTime()), clock.nanoTime());
            }
            bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(bytes).isZero();
        assertThat(ledger.ticks()).isEqualTo(2000);
        assertThat(ledger.arrivals(1).doubled).isPositive();
    }
}
