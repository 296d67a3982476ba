package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.history.Reconciled;
import dev.escapement.physics.replay.history.Reconciled.Outcome;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run ahead of an authority. The authority gets this player's input later, and the input of another player. */
class ReconcilerTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BODIES = 5;
    private static final int AHEAD = 12;

    private record Run(TracedMasses masses, ManualClock clock, InlineDriver driver, StateHistory history) {

        static Run of(TickHook hook, StateHistory history) {
            TracedMasses masses = new TracedMasses(BODIES);
            ManualClock clock = new ManualClock(0);
            return new Run(
                    masses,
                    clock,
                    PhysicsService.builder(masses).rate(RATE).with(hook).inline(clock),
                    history);
        }

        /** Offers a push in a tick, which may have run already. */
        void pushIn(long tick) {
            assertThat(driver.input().offer(tick * 10_000_000 - 1, InputKind.APPLICATION, 1, 0, 1))
                    .isTrue();
        }

        void tick(int ticks) {
            ReconcilerTest.tick(clock, driver, ticks);
        }

        void input(InputKind kind, int code, double dv) {
            assertThat(driver.input().offer(clock.nanoTime() + 1, kind, code, 0, (float) dv))
                    .isTrue();
        }

        void push(int body, double dv) {
            input(InputKind.APPLICATION, body, dv);
        }

        /** Returns a packet with the current state; {@code run()} delivers it. */
        Runnable offer(Reconciler to) {
            StateBuffer state = new StateBuffer();
            masses.save(state);
            long hash = masses.hash();
            long tick = masses.last();
            return () -> to.offer(tick, hash, state.toBytes());
        }
    }

    private final List<Reconciled> told = new ArrayList<>();
    private final StateHistory ofAuthority = StateHistory.ofTicks(1);
    private final Run authority = Run.of(ofAuthority, ofAuthority);
    private final StateHistory kept = StateHistory.ofTicks(40);
    private Reconciler reconciler = new Reconciler(kept, told::add);
    private Run ahead = Run.of(reconciler, kept);

    private void replaceAhead(StateHistory history) {
        ahead.driver.close();
        reconciler = new Reconciler(history, told::add);
        ahead = Run.of(reconciler, history);
    }

    @AfterEach
    void close() {
        authority.driver.close();
        ahead.driver.close();
    }

    private static void tick(ManualClock clock, InlineDriver driver, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(10_000_000);
            assertThat(driver.runDueTicks()).isEqualTo(1);
        }
    }

    private void tickBoth(int ticks) {
        for (int i = 0; i < ticks; i++) {
            authority.tick(1);
            authority.offer(reconciler).run();
            ahead.tick(1);
        }
    }

    private void assertSameAfter(long tick) {
        long last = Math.min(authority.masses.last(), ahead.masses.last());
        assertThat(last).isGreaterThan(tick);
        assertThat(ahead.masses.hashes(tick, last)).isEqualTo(authority.masses.hashes(tick, last));
    }

    private void assertTold(Outcome... outcomes) {
        assertThat(told).extracting(Reconciled::outcome).containsExactly(outcomes);
    }

    @Test
    void shouldCorrectOnceSayWhatDifferedAndShowIt() {
        SnapshotReader theirs = authority.driver.newReader();
        SnapshotReader ours = ahead.driver.newReader();
        ahead.tick(AHEAD);
        tickBoth(49);
        authority.push(3, 1);
        tickBoth(1);
        assertThat(ours.acquire()).isTrue();
        Snapshot corrected = ours.window().newest();
        assertThat(corrected.tick()).isEqualTo(62).isEqualTo(corrected.simulationTick());
        MotionBreaks errors = corrected.motion(0).breaks();
        assertThat(errors.count()).isEqualTo(1);
        assertThat(errors.kind(0)).as("which a picture fades").isEqualTo(MotionBreaks.Kind.CORRECTED);
        assertThat(errors.index(0)).isEqualTo(3);
        assertThat(errors.y(0)).isNotZero();
        tickBoth(12);
        assertThat(theirs.acquire()).isTrue();
        assertThat(corrected.poses().block(0).py)
                .isEqualTo(theirs.window().newest().poses().block(0).py);
        assertTold(Outcome.CORRECTED);
        String difference = told.get(0).difference();
        assertThat(told.get(0)).isEqualTo(new Reconciled(Outcome.CORRECTED, 50, 61, difference));
        assertThat(difference).contains("PushedMasses.save");
        assertSameAfter(50);
        for (long tick : new long[] {50, 45}) {
            CompletableFuture<Rewound> back = ahead.history.rewind(tick);
            ahead.tick(1);
            assertThat(back.join().to()).as("is still kept").isEqualTo(tick);
            assertThat(ahead.masses.hashes(tick, tick + 1)).isEqualTo(authority.masses.hashes(tick, tick + 1));
        }
    }

    @Test
    void shouldLetNoLateInputChangeTicksTheAuthorityDecided() {
        replaceAhead(StateHistory.ofTicks(40).rollBack(30));
        ahead.tick(AHEAD);
        tickBoth(20);
        ahead.pushIn(18);
        tickBoth(1);
        assertThat(ahead.driver.stats().droppedLateInputs())
                .as("the hashes of tick 20 were equal")
                .isOne();
        authority.push(3, 1);
        tickBoth(5);
        assertTold(Outcome.CORRECTED);
        ahead.pushIn(24);
        ahead.pushIn(30);
        authority.pushIn(30);
        tickBoth(20);
        assertThat(ahead.driver.stats().droppedLateInputs()).isEqualTo(2);
        assertThat(ahead.driver.stats().rollbacks())
                .as("a correction, and only after it")
                .isEqualTo(2);
        assertTold(Outcome.CORRECTED);
        assertSameAfter(26);
    }

    /** After a rewind the run has other ticks than those that the authority decided. */
    @Test
    void shouldLetLateInputChangeTicksAfterARewind() {
        replaceAhead(StateHistory.ofTicks(40).rollBack(30));
        ahead.tick(AHEAD);
        tickBoth(20);
        assertThat(ahead.history.rewind(10)).isNotNull();
        ahead.tick(5);
        assertThat(ahead.driver.input().offer(ahead.clock.nanoTime() - 20_000_001, InputKind.APPLICATION, 1, 0, 1))
                .isTrue();
        ahead.tick(1);
        assertThat(ahead.driver.stats().droppedLateInputs()).isZero();
        assertThat(ahead.driver.stats().rollbacks()).isOne();
    }

    @Test
    void shouldCorrectARunWhoseHistoryKeepsAllTicks() {
        replaceAhead(StateHistory.ofTicks(Long.MAX_VALUE / 2 + 1));
        ahead.tick(AHEAD);
        tickBoth(19);
        authority.push(3, 1);
        tickBoth(1);
        assertTold(Outcome.CORRECTED);
    }

    @Test
    void shouldStartAnewFromATickThatIsNotKept() {
        SnapshotReader reader = ahead.driver.newReader();
        ahead.tick(60);
        authority.push(1, 1);
        authority.tick(5);
        authority.offer(reconciler).run();
        ahead.tick(1);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newest().tick()).isEqualTo(61);
        assertThat(reader.window().newest().simulationTick()).isEqualTo(6);
        ahead.tick(5);
        tickBoth(20);
        assertSameAfter(5);
        authority.tick(80); // now the authority is ahead
        authority.offer(reconciler).run();
        ahead.tick(1);
        assertThat(ahead.masses.last()).isEqualTo(106);
        assertTold(Outcome.STARTED_ANEW, Outcome.STARTED_ANEW);
        authority.tick(1);
        assertSameAfter(105);
    }

    @Test
    void shouldTakeTheAuthoritysStateBeforeTheFirstTick() {
        ahead.driver.close();
        StateHistory history = StateHistory.ofTicks(20);
        reconciler = new Reconciler(history, told::add);
        TracedMasses masses = new TracedMasses(BODIES);
        PhysicsServiceBuilder builder =
                PhysicsService.builder(masses).rate(RATE).with(reconciler).firstTick(51);
        authority.tick(50);
        authority.offer(reconciler).run();
        try (InlineDriver driver = builder.inline(ahead.clock)) {
            tick(ahead.clock, driver, 1);
            CompletableFuture<Rewound> back = history.rewind(50);
            tick(ahead.clock, driver, 1);
            assertThat(back.join().to()).isEqualTo(50);
        }
        authority.tick(1);
        assertTold(Outcome.STARTED_ANEW);
        assertThat(masses.hashes(50, 51)).isEqualTo(authority.masses.hashes(50, 51));
    }

    /** The run drags body 0. The authority's state drags body 1 after tick 7, or, if the authority is ahead, body 0 after tick 20. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndADragWhoseEndWasDropped(boolean isAhead) {
        RewindFixture.Dragged dragged = new RewindFixture.Dragged();
        ManualClock clock = new ManualClock(0);
        StateHistory history = StateHistory.ofTicks(5);
        Reconciler ofDrag = new Reconciler(history, told::add);
        try (InlineDriver driver =
                PhysicsService.builder(dragged).rate(RATE).with(ofDrag).inline(clock)) {
            tick(clock, driver, 2);
            DragInput.hold(driver.input(), clock.nanoTime() + 1, BodyId.of(0, 1));
            tick(clock, driver, 5);
            RewindFixture.Dragged another = new RewindFixture.Dragged();
            another.drag(BodyId.of(isAhead ? 0 : 1, 1));
            StateBuffer held = new StateBuffer();
            another.save(held);
            if (!isAhead) {
                DragInput.end(driver.input(), clock.nanoTime() + 1);
                tick(clock, driver, 40);
            }
            ofDrag.offer(isAhead ? 20 : 7, another.hash(), held.toBytes());
            tick(clock, driver, 1);
            assertTold(Outcome.STARTED_ANEW);
            assertThat(dragged.spring.slot()).isEqualTo(isAhead ? 0 : -1);
            DragInput.end(driver.input(), clock.nanoTime() + 1);
            tick(clock, driver, 3);
            assertThat(history.rewind(isAhead ? 20 : 7)).isNotNull();
            tick(clock, driver, 2);
            assertThat(dragged.spring.slot()).as("and when it goes back there").isEqualTo(-1);
        }
    }

    @Test
    void shouldIgnoreTicksOlderThanTheLastThatCounted() {
        ahead.tick(20);
        authority.tick(10);
        authority.push(1, 1);
        authority.tick(1);
        Runnable older = authority.offer(reconciler);
        authority.tick(1);
        Runnable newer = authority.offer(reconciler);
        newer.run();
        older.run();
        ahead.tick(1);
        older.run();
        newer.run();
        ahead.tick(1);
        assertTold(Outcome.CORRECTED);
        assertThat(told.get(0).tick()).isEqualTo(12);
    }

    @ParameterizedTest
    @CsvSource({"4, does not fit this one: 8 bytes", "6, does not fit this one: the saved", "5, has the hash bad there"
    })
    void shouldFailWithAnAuthorityOfAnotherWorld(int bodies, String why) {
        ahead.tick(10);
        StateBuffer state = new StateBuffer();
        new PushedMasses(bodies).save(state);
        reconciler.offer(5, 0xBAD, state.toBytes());
        ahead.clock.advance(10_000_000);
        for (int again = 0; again < 2; again++) {
            assertThatIllegalStateException()
                    .isThrownBy(ahead.driver::runDueTicks)
                    .withMessageContaining("the authority's world is another one: its state after tick 5 " + why);
        }
        assertThat(ahead.driver.command(tick -> tick)).isCompletedExceptionally();
    }

    @Test
    void shouldRefuseWhatCannotBeReconciled(@TempDir Path folder) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reconciler.offer(-1, 0, new byte[0]))
                .withMessage("a tick of the authority must be 0 or more, but is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(new PushedMasses(1))
                        .with(reconciler)
                        .with(StateHistory.ofTicks(5))
                        .inline(ahead.clock))
                .withMessageContaining("a run that is corrected has one history");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(new PushedMasses(1))
                        .with(reconciler)
                        .with(FlightRecorder.in(folder, new RunDescription("", "", "", 0, RATE))
                                .maxBytes(1 << 20))
                        .build())
                .withMessageContaining("a run that is corrected cannot be recorded or follow another");
    }
}
