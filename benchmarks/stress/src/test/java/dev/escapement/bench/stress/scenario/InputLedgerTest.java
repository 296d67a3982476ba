package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.scenario.InputLedger.Findings;
import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ticks that break one promise each: of events offered through a ring, and of ticks of 100 ns that are made up, the first due at 1000. */
class InputLedgerTest {

    private static final long PERIOD = 100;
    private static final long FIRST_DUE = 1000;

    private final ManualClock clock = new ManualClock(FIRST_DUE);
    private final InputRing ring = new InputRing(64, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final RecordedInput input = new RecordedInput();
    private InputLedger ledger = new InputLedger(2, PERIOD, () -> InputFault.NONE);
    private long place;

    {
        input.begin(PERIOD);
    }

    private Findings tickAndFind() {
        ledger.arrive(sampler.sample(FIRST_DUE - PERIOD, FIRST_DUE), FIRST_DUE);
        return ledger.findings(
                new RingCounts(ring.accepted(), ring.rejected(), sampler.pending(), ring.droppedWhilePaused()));
    }

    private void offer(int producer, int times) {
        for (int i = 0; i < times; i++) {
            ledger.producer(producer).offer(FIRST_DUE - times + i, ring);
        }
    }

    @Test
    void shouldFindNothingWhereAllArrivesOrIsRefused() {
        offer(0, 40);
        offer(1, 40); // the ring has room for 64
        assertThat(tickAndFind().isClean()).isTrue();
        assertThat(ledger.offered()).isEqualTo(80);
        assertThat(ledger.arrived()).isEqualTo(64).isEqualTo(ledger.accepted());
    }

    @ParameterizedTest
    @CsvSource({
        "LOSE,      1, 0,  0,  0, 0",
        "DOUBLE,    0, 1,  0,  0, 0",
        "REORDER,   0, 0, 10,  0, 0",
        "DENY,      0, 2,  0,  0, 6",
        "MISPLACE,  0, 0,  0, 20, 0"
    })
    void shouldFindEachPlantedFault(
            InputFault fault, long lost, long doubled, long reordered, long misplaced, long unaccounted) {
        ledger = new InputLedger(1, PERIOD, () -> fault);
        offer(0, 20);
        assertThat(tickAndFind()).isEqualTo(new Findings(lost, doubled, reordered, 0, misplaced, 0, unaccounted));
    }

    @Test
    void shouldFindWhatTheRingHasAndTheTickDidNotGet() {
        offer(0, 3);
        Findings found = ledger.findings(new RingCounts(3, 0, 0, 0));
        assertThat(found.unaccounted()).isEqualTo(3);
        assertThat(ledger.findings(new RingCounts(3, 0, 3, 0)).isClean()).isTrue();
    }

    @Test
    void shouldFindEventsOfOtherProducersAndContents() {
        ring.offer(990, InputKind.APPLICATION, 2, 0, NumberedProducer.y(990, 0));
        ring.offer(991, InputKind.APPLICATION, 0, 0, NumberedProducer.y(992, 0));
        ring.offer(992, InputKind.KEY_DOWN, 1, 0, 0); // not its business
        assertThat(tickAndFind().altered()).isEqualTo(2);
    }

    /** An event of producer 0, the next one. */
    private void add(long sequence, long timeNanos, long offsetNanos, boolean late) {
        input.add(
                sequence,
                timeNanos,
                InputKind.APPLICATION,
                0,
                (float) place,
                NumberedProducer.y(timeNanos, place),
                offsetNanos,
                late);
        place++;
    }

    private void endTick(long dueNanos) {
        ledger.arrive(input.frame(), dueNanos);
        input.begin(PERIOD);
    }

    private void assertFound(long disordered, long misplaced) {
        Findings found = ledger.findings(new RingCounts(0, 0, 0, 0));
        assertThat(found.disordered()).as("disordered").isEqualTo(disordered);
        assertThat(found.misplaced()).as("misplaced").isEqualTo(misplaced);
    }

    @Test
    void shouldFindNothingInTicksThatAreRight() {
        add(0, -50, 0, false); // before the first tick, which is none too late for
        add(1, 901, 1, false);
        add(2, 901, 1, false);
        add(3, 1000, 100, false);
        endTick(FIRST_DUE);
        add(4, 700, 0, true);
        add(5, 1000, 0, true);
        add(6, 1001, 1, false);
        endTick(FIRST_DUE + PERIOD);
        add(7, 1101, 0, false); // time stood still from 1100 to 1200: two ticks were given up
        add(8, 1399, 99, false);
        endTick(FIRST_DUE + 4 * PERIOD);
        assertFound(0, 0);
        assertThat(ledger.late()).isEqualTo(2);
        assertThat(ledger.mostInATick()).isEqualTo(4);
        assertThat(ledger.ticks()).isEqualTo(3);
    }

    @Test
    void shouldFindWhatIsAgainstTheOrderOfTimeOrOfTheirSequence() {
        add(0, 951, 51, false);
        add(2, 950, 50, false);
        add(1, 950, 50, false);
        endTick(FIRST_DUE);
        assertFound(2, 0);
    }

    @Test
    void shouldFindWrongOffsetsAndWhatIsEarlyOrWronglyCalledLateOrNot() {
        add(0, 890, 0, true);
        add(1, 950, 49, false);
        add(2, 1001, 101, false);
        endTick(FIRST_DUE);
        add(3, 999, 1, true);
        add(4, 1000, 0, false);
        add(5, 1001, 1, true);
        endTick(FIRST_DUE + PERIOD);
        input.begin(PERIOD + 1);
        endTick(FIRST_DUE + 2 * PERIOD);
        assertFound(0, 7);
    }
}
