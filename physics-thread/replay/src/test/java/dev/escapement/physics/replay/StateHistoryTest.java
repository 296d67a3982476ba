package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.SteppedTicks;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickHook;
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
            history.stepped(SteppedTicks.of(masses, tick));
            history.atRest(number, false);
        }
    }

    /** Ticks in which nothing moves. */
    private void rest(StateHistory history, int ticks) {
        for (int i = 0; i < ticks; i++) {
            number++;
            input.begin(10_000_000);
            history.stepped(SteppedTicks.of(masses, new Tick(RATE, number, 0, 0, input.frame(), false)));
            history.atRest(number, false);
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
            history.wentBack(50, false);
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
            history.wentBack(number, true);
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
                history.wentBack(back, false);
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
        requireFewAllocations(StateHistory.ofTicks(5).maxBytes(1 << 16), new PushedMasses(2000));
    }

    private static void requireFewAllocations(TickHook history) {
        requireFewAllocations(history, new PushedMasses(BODIES));
    }

    private static void requireFewAllocations(TickHook history, PushedMasses masses) {
        ManualClock clock = new ManualClock(0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (InlineDriver driver =
                PhysicsService.builder(masses).rate(RATE).with(history).inline(clock)) {
            tick(driver, clock, 1000);
            long before = threads.getCurrentThreadAllocatedBytes();
            tick(driver, clock, 1000);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).isLessThan(1000 * 250); // levels, and checksums of the records
        }
    }

    private static void tick(InlineDriver driver, ManualClock clock, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(10_000_000);
            driver.runDueTicks();
        }
    }

    @Test
    void shouldGoOnAfterATickThatWasNotPublished() {
        StateHistory history = begun(StateHistory.ofTicks(100));
        step(history, 10);
        number++;
        input.begin(10_000_000);
        Tick lost = new Tick(RATE, number, 0, 0, input.frame(), false);
        masses.step(lost);
        history.stepped(SteppedTicks.of(masses, lost)); // a listener throws, and the driver runs the next tick
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
                PhysicsService.builder(watched).rate(RATE).with(history).inline(clock)) {
            for (int tick = 1; tick <= 60; tick++) {
                if (tick % 9 == 0) {
                    driver.input()
                            .offer(clock.nanoTime(), tick % 2 == 0 ? InputKind.KEY_UP : InputKind.KEY_DOWN, 7, 0, 0);
                }
                clock.advance(10_000_000);
                driver.runDueTicks();
            }
            for (int tick = 1; tick <= 60; tick++) {
                PastTicks past = history.past(tick);
                InputFrame kept = past.input();
                assertThat(kept.size()).isEqualTo(events.get(tick - 1));
                assertThat(kept.state().isKeyDown(7)).isEqualTo(held.get(tick - 1));
            }
        }
    }
}
