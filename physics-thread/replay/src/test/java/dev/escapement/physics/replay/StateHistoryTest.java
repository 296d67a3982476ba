package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickHistory;
import dev.escapement.physics.TickHistory.Past;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is kept of a run, and how much room that takes. */
class StateHistoryTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BODIES = 100;

    private final PushedMasses masses = new PushedMasses(BODIES);
    private final RecordedInput input = new RecordedInput();
    private long number;

    /** Steps as a loop does. */
    private void step(StateHistory history, int ticks) {
        for (int i = 0; i < ticks; i++) {
            number++;
            input.begin(10_000_000);
            Tick tick = new Tick(RATE, number, 10_000_000 * number, 0, input.frame(), false);
            masses.step(tick);
            history.stepped(tick, List.of(), false);
            history.published(number, false);
        }
    }

    /** Ticks in which nothing moves. */
    private void rest(StateHistory history, int ticks) {
        for (int i = 0; i < ticks; i++) {
            number++;
            input.begin(10_000_000);
            history.stepped(new Tick(RATE, number, 0, 0, input.frame(), false), List.of(), false);
            history.published(number, false);
        }
    }

    private StateHistory begun(StateHistory history) {
        history.begin(masses, RATE);
        history.start(0);
        return history;
    }

    private static long firstKept(StateHistory history, long last) {
        long first = last;
        while (first > 0 && isKept(history, first - 1)) {
            first--;
        }
        return first;
    }

    private static boolean isKept(StateHistory history, long tick) {
        try {
            history.past(tick);
            return true;
        } catch (IllegalArgumentException notKept) {
            return false;
        }
    }

    @Test
    void shouldKeepAsManyTicksAsAskedForAndFewMore() {
        StateHistory history = begun(StateHistory.of(Duration.ofMillis(800)).every(3));
        for (int i = 0; i < 40; i++) {
            step(history, 17);
            assertThat(firstKept(history, number))
                    .isBetween(Math.max(0, number - 80 - 80 / 8 - 3), Math.max(0, number - 80));
        }
    }

    @Test
    void shouldRefuseToKeepNoTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StateHistory.of(Duration.ZERO))
                .withMessage("a history keeps some time, but is to keep PT0S");
    }

    @Test
    void shouldNeverTakeMoreThanItsBytesAndKeepWhatFits() {
        long maxBytes = 1 << 20;
        StateHistory history = begun(StateHistory.ofTicks(1_000_000).maxBytes(maxBytes));
        int stateBytes = 8 + BODIES * 6 * 8;
        for (int i = 0; i < 20; i++) {
            step(history, 50);
            assertThat(history.bytes()).isLessThanOrEqualTo(maxBytes);
        }
        assertThat(number - firstKept(history, number)).isGreaterThan(maxBytes / 3 / stateBytes);
    }

    @Test
    void shouldBeginAPartBeforeAnArrayCannotGrow() {
        assertThat(StateHistory.fullAt(1 << 20)).isEqualTo(1 << 17);
        assertThat(StateHistory.fullAt(1L << 40)).isEqualTo(1 << 28);
    }

    @Test
    void shouldKeepWhatIsOlderHoweverOftenItGoesBack() {
        StateHistory history = begun(StateHistory.ofTicks(200).maxBytes(1 << 20));
        step(history, 60);
        for (int i = 0; i < 300; i++) {
            history.wentBack(50, input.frame());
            number = 50;
            step(history, 5);
        }
        assertThat(firstKept(history, number)).isZero();
        assertThat(history.bytes()).isLessThan(1 << 20);
    }

    @Test
    void shouldStoreNoStateAgainWhenItGoesBack() {
        StateHistory history = begun(StateHistory.ofTicks(200));
        rest(history, 20);
        for (int i = 0; i < 100; i++) { // as if each input came three ticks late
            number -= 3;
            history.wentBack(number, input.frame());
            rest(history, 4);
        }
        long stateBytes = 8 + BODIES * 6 * 8;
        assertThat(history.storedBytes()).isLessThan(12 * stateBytes);
        assertThat(firstKept(history, number)).isZero();
    }

    @Test
    void shouldReturnEachSavedStateAsItWasHoweverOftenItGoesBack() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        for (int every : new int[] {1, 3}) {
            number = 0;
            StateHistory history = begun(StateHistory.ofTicks(40).every(every));
            Map<Long, byte[]> states = new HashMap<>(Map.of(number, saved().toBytes()));
            for (int i = 0; i < 200; i++) {
                for (int ticks = random.nextInt(6); ticks > 0; ticks--) {
                    if (every == 1) { // no tick runs again, so one of them can change a state in part
                        masses.push(random.nextInt(BODIES), 1, 0, 0);
                        rest(history, 1);
                    } else {
                        step(history, 1);
                    }
                    states.put(number, saved().toBytes());
                }
                long back = random.nextLong(firstKept(history, number), number + 1);
                history.past(back).restore(masses, false, null);
                assertThat(saved().toBytes()).isEqualTo(states.get(back));
                history.wentBack(back, input.frame());
                number = back;
            }
        }
    }

    private StateBuffer saved() {
        StateBuffer state = new StateBuffer();
        masses.save(state);
        return state;
    }

    @Test
    void shouldSayThatAStateHasNoRoom() {
        StateHistory history = new PushedMassesHistory().history;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.past(0))
                .withMessage(
                        "the run cannot go back to tick 0: no tick is kept, because a state of 96008 bytes has no room in"
                                + " 65536; give the history more with maxBytes");
        assertThat(history.bytes()).isZero();
    }

    private static final class PushedMassesHistory {

        final StateHistory history = StateHistory.ofTicks(5).maxBytes(1 << 16);

        final PushedMasses masses = new PushedMasses(2000);

        PushedMassesHistory() {
            history.begin(masses, RATE);
            history.start(0);
        }
    }

    @Test
    void shouldStoreOnlyWhatHasChanged() {
        StateHistory history = begun(StateHistory.ofTicks(100_000));
        long before = history.bytes();
        rest(history, 1000);
        assertThat(history.bytes() - before).isLessThan(2 * 1000 * 60); // an array grows by half at most
    }

    @Test
    void shouldAllocateNothingWhenThePastIsFull() {
        requireFewAllocations(StateHistory.ofTicks(40).every(2));
        requireFewAllocations(StateHistory.ofTicks(1_000_000).maxBytes(1 << 20));
        requireFewAllocations(StateHistory.ofTicks(1_000_000).maxBytes(300_001).every(3));
        requireFewAllocations(new Reconciler(StateHistory.ofTicks(40), 0, told -> {}));
    }

    @Test
    void shouldAllocateNothingForStatesThatHaveNoRoom() {
        PushedMassesHistory tooLarge = new PushedMassesHistory();
        requireFewAllocations(tooLarge.history, tooLarge.masses);
    }

    private void requireFewAllocations(TickHistory history) {
        history.begin(masses, RATE);
        history.start(0, false);
        requireFewAllocations(history, masses);
    }

    private void requireFewAllocations(TickHistory history, PushedMasses masses) {
        Tick[] ticks = new Tick[2000];
        input.begin(10_000_000);
        for (int i = 0; i < ticks.length; i++) {
            ticks[i] = new Tick(RATE, i + 1, 0, 0, input.frame(), false);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] allocated = new long[2];
        int corrections = 0;
        for (int i = 0; i < ticks.length; i++) {
            if (i == 1000) {
                allocated[0] = threads.getCurrentThreadAllocatedBytes();
            }
            corrections += history.correction(i) == null ? 0 : 1;
            masses.step(ticks[i]);
            history.stepped(ticks[i], List.of(), false);
            history.published(i + 1, false);
        }
        allocated[1] = threads.getCurrentThreadAllocatedBytes();
        assertThat(corrections).isZero();
        assertThat(allocated[1] - allocated[0]).isLessThan(1000 * 250); // levels, and checksums of the records
    }

    @Test
    void shouldGoOnAfterATickThatWasNotPublished() {
        StateHistory history = begun(StateHistory.ofTicks(100));
        step(history, 10);
        number++;
        input.begin(10_000_000);
        Tick lost = new Tick(RATE, number, 0, 0, input.frame(), false);
        masses.step(lost);
        history.stepped(lost, List.of(), false); // a listener throws, and the driver runs the next tick
        step(history, 3);
        assertThat(firstKept(history, number)).isEqualTo(12);
    }

    @Test
    void shouldKeepTheLevelsAndTheEventsOfEachTick() {
        ManualClock clock = new ManualClock(0);
        StateHistory history = StateHistory.ofTicks(64).every(5);
        List<Integer> events = new ArrayList<>();
        List<Boolean> held = new ArrayList<>();
        PushedMasses watched = new PushedMasses(3) {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                events.add(tick.input().size());
                held.add(tick.input().state().isKeyDown(7));
            }
        };
        try (InlineDriver driver =
                PhysicsService.builder(watched).rate(RATE).history(history).inline(clock)) {
            for (int tick = 1; tick <= 60; tick++) {
                if (tick % 9 == 0) {
                    driver.input()
                            .offer(clock.nanoTime(), tick % 2 == 0 ? InputKind.KEY_UP : InputKind.KEY_DOWN, 7, 0, 0);
                }
                clock.advance(10_000_000);
                driver.runDueTicks();
            }
            for (int tick = 1; tick <= 60; tick++) {
                Past past = history.past(tick);
                InputFrame kept = past.input();
                assertThat(kept.size()).isEqualTo(events.get(tick - 1));
                assertThat(kept.state().isKeyDown(7)).isEqualTo(held.get(tick - 1));
            }
        }
    }
}
