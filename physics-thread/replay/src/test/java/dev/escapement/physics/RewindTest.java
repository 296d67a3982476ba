package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.replay.history.Reconciled;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.Logged;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RewindTest extends RewindFixture {

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void shouldRunAgainWithTheLevelsAfterTheReturn(int every) {
        TracedMasses traced = new TracedMasses(BODIES);
        start(traced, StateHistory.ofTicks(200).every(every));
        run(9);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0);
        run(50);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, 87, 0, 0);
        run(40);
        assertThat(history.rewind(55)).isNotNull();
        run(10);
        List<String> then = traced.got(56, 65);
        assertThat(then.toString()).doesNotContain("holds");
        assertThat(history.rewind(58)).isNotNull(); // re-simulates the ticks before 58 that have no state
        run(1);
        assertThat(traced.got(56, 58)).isEqualTo(then.subList(0, 3));
        traced.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldKeepWhatALocalCommandChanged() {
        start(masses, StateHistory.ofTicks(100).every(1000));
        run(5);
        assertThat(driver.execute(tick -> masses.pushLocally(1))).isNotNull();
        run(5);
        List<Long> then = masses.hashes(0, 8);
        assertThat(history.rewind(8)).isNotNull();
        run(1);
        assertThat(masses.hashes(0, 8)).isEqualTo(then);
        assertThat(masses.last()).isEqualTo(9);
    }

    @Test
    void shouldRefuseWithoutARun() {
        StateHistory without = StateHistory.ofTicks(1);
        assertThat(without.canRewind()).isFalse();
        for (Runnable call : List.<Runnable>of(
                () -> without.rewind(0).isDone(),
                () -> without.fork(0, () -> new PushedMasses(1)).isDone())) {
            assertThatIllegalStateException()
                    .isThrownBy(call::run)
                    .withMessage("this history has no run yet; give it to a builder by with(...), and build");
        }
    }

    @Test
    void shouldRefuseASimulationThatCannotBeRestored() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder(ScriptedSimulation.good(), StateHistory.ofTicks(1))
                        .inline(clock))
                .withMessage(ScriptedSimulation.class.getName()
                        + " is not Restorable, so it cannot go back; implement"
                        + " dev.escapement.physics.restore.Restorable, or leave out the history");
        StateHistory used = StateHistory.ofTicks(1);
        builder(new PushedMasses(1), used).inline(clock).close();
        assertThatIllegalStateException()
                .isThrownBy(() -> builder(new PushedMasses(1), used).inline(clock))
                .withMessageContaining("a history is of one run");
    }

    /** Masses whose restore throws {@link #thrown}, if any. */
    private static final class Refusing extends TracedMasses {

        @Nullable
        RuntimeException thrown;

        Refusing() {
            super(BODIES);
        }

        @Override
        public void restore(StateBuffer from) {
            if (thrown != null) {
                throw thrown;
            }
            super.restore(from);
        }
    }

    @Test
    void shouldGoOnUnchangedIfTheSimulationRefuses() {
        Refusing refusing = new Refusing();
        start(refusing, StateHistory.ofTicks(100).every(4));
        run(20);
        refusing.thrown = new RestoreRefusedException("a body has gone");
        push(1);
        CompletableFuture<Rewound> back = history.rewind(10);
        run(10);
        assertThatThrownBy(back::join).hasRootCauseMessage("a body has gone");
        assertThat(refusing.last()).isEqualTo(30);
        assertThat(refusing.pushes(21)).as("also the command before it").hasSize(1);
        refusing.thrown = null;
        assertThat(history.rewind(19)).isNotNull();
        run(5);
        refusing.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldDropLateInputIfTheSimulationRefuses() {
        Refusing refusing = new Refusing();
        start(refusing, StateHistory.ofTicks(10).rollBack(10));
        run(20);
        refusing.thrown = new RestoreRefusedException("a body has gone");
        driver.input().offer(145_000_000, InputKind.KEY_DOWN, 1, 1, 1);
        try (Logged logged = new Logged("physics")) {
            run(5);
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .singleElement()
                    .asString()
                    .contains(
                            "which came too late: the simulation refuses the state of tick 14, because a body has gone. Let");
        }
        assertThat(driver.stats().droppedLateInputs()).isOne();
        assertThat(driver.stats().rollbacks()).isZero();
        refusing.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldFailIfTheSimulationRefusesTheAuthoritysState() {
        Refusing refusing = new Refusing();
        Reconciler reconciler = new Reconciler(StateHistory.ofTicks(10), told -> {});
        start(PhysicsService.builder(refusing).rate(RATE).with(reconciler));
        run(5);
        refusing.thrown = new RestoreRefusedException("a body has gone");
        StateBuffer state = new StateBuffer();
        refusing.save(state);
        reconciler.offer(3, 0xBAD, state.toBytes());
        assertThatIllegalStateException().isThrownBy(() -> run(1)).withMessageEndingWith(": a body has gone");
    }

    @Test
    void shouldRunNothingOnASimulationThatIsHalfRestored() {
        Refusing breaking = new Refusing();
        start(breaking, StateHistory.ofTicks(100));
        run(20);
        breaking.thrown = new IllegalStateException("the world is gone");
        CompletableFuture<Rewound> failed = history.rewind(10);
        CompletableFuture<?> after = driver.command(tick -> tick);
        clock.advance(10_000_000);
        assertThatIllegalStateException().isThrownBy(() -> driver.runDueTicks()).withMessage("the world is gone");
        assertThatIllegalStateException()
                .isThrownBy(() -> driver.runDueTicks())
                .withMessageStartingWith("this driver ended with tick 21, which failed, and runs no other: ");
        assertThat(driver.failure()).isPresent();
        assertThatThrownBy(failed::join).hasRootCauseMessage("the world is gone");
        assertThatThrownBy(after::join).hasMessageContaining("could not be restored to tick 10, and cannot go on");
    }

    @Test
    void shouldThrowMachineErrorsFromARepeatedCommand() {
        boolean[] fails = {false};
        PushedMasses masses = new PushedMasses(BODIES) {
            @Override
            public void push(int body, double dvx, double dvy, double dvz) {
                if (fails[0]) {
                    throw new OutOfMemoryError("of the test");
                }
            }
        };
        start(masses, StateHistory.ofTicks(100).every(1000));
        run(4);
        push(1);
        run(10);
        fails[0] = true;
        CompletableFuture<Rewound> failed = history.rewind(9);
        clock.advance(10_000_000);
        assertThatThrownBy(() -> driver.runDueTicks())
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessageContaining("of the test");
        assertThatThrownBy(failed::join).hasRootCauseMessage("of the test");
    }

    /** If a repeated step throws a refusal, the run ends, because the restore before that step has already changed the world. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndIfARepeatedTickThrowsARefusal(boolean isLate) {
        TracedMasses masses = new TracedMasses(BODIES) {
            @Override
            public void step(Tick tick) {
                if (tick.number() <= last()) {
                    throw new RestoreRefusedException("within a step");
                }
                super.step(tick);
            }
        };
        start(masses, StateHistory.ofTicks(100).every(8).rollBack(10));
        run(20);
        if (isLate) { // late input for the tick after a saved state
            driver.input().offer(165_000_000, InputKind.KEY_DOWN, 1, 1, 1);
        } else {
            assertThat(history.rewind(15)).isNotNull();
        }
        clock.advance(10_000_000);
        assertThatThrownBy(() -> driver.runDueTicks()).hasMessageContaining("within a step");
        assertThat(driver.failure()).as("the run has ended").isPresent();
    }

    private static final class Guests implements Simulation, Restorable {

        final Set<Long> here = new TreeSet<>();
        private final Set<Long> shown = new TreeSet<>();

        @Override
        public void step(Tick tick) {}

        @Override
        public long hash() {
            return here.hashCode();
        }

        @Override
        public void capture(PoseWriter poses) {
            shown.removeAll(here);
            shown.forEach(poses::despawnAs);
            shown.clear();
            for (long id : here) {
                poses.spawnAs(id, 0);
                poses.set(BodyId.slot(id), 0, 0, 0, 0, 0, 0, 1);
            }
            shown.addAll(here);
        }

        @Override
        public void save(StateBuffer to) {
            to.put((long) here.size());
            here.forEach(to::put);
        }

        @Override
        public void restore(StateBuffer from) {
            here.clear();
            for (long left = from.getLong(); left > 0; left--) {
                here.add(from.getLong());
            }
        }
    }

    @Test
    void shouldNotTakeTheSlotOfAReservedBody() {
        Guests guests = new Guests();
        start(guests, StateHistory.ofTicks(100));
        Spawned<Boolean> first = driver.spawn((tick, id) -> guests.here.add(id));
        run(5);
        assertThat(driver.command(tick -> guests.here.remove(first.id()))).isNotNull();
        run(3);
        CompletableFuture<Rewound> early = history.rewind(3);
        Spawned<Boolean> second = driver.spawn((tick, id) -> guests.here.add(id));
        assertThat(BodyId.slot(second.id())).as("used again").isZero();
        run(1);
        assertThatThrownBy(early::join)
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot go back now: slots of bodies that are gone (1) are reserved for others");
        assertThat(guests.here).as("nothing was restored").containsExactly(second.id());
        CompletableFuture<Rewound> went = history.rewind(3);
        run(1);
        assertThat(went.join().to()).isEqualTo(3);
        assertThat(guests.here).containsExactly(first.id());
    }

    /** The reconciler waits while a spawn reserves the slot that the authority's state needs, until the spawn is cancelled. */
    @Test
    void shouldTakeAnAuthoritysStateOnceNoSlotIsReserved() {
        Guests guests = new Guests();
        List<Reconciled> reconciled = new ArrayList<>();
        Reconciler reconciler = new Reconciler(StateHistory.ofTicks(100), reconciled::add);
        List<CompletableFuture<?>> cancelled = new ArrayList<>();
        TickHook canceller = new TickHook() {
            @Override
            public void beforeCommands() {
                cancelled.forEach(answer -> answer.cancel(false));
            }
        };
        start(PhysicsService.builder(guests).rate(RATE).with(reconciler).with(canceller));
        Spawned<Boolean> first = driver.spawn((tick, id) -> guests.here.add(id));
        run(5);
        StateBuffer state = new StateBuffer();
        guests.save(state);
        long hash = guests.hash();
        assertThat(driver.command(tick -> guests.here.remove(first.id()))).isNotNull();
        run(3);
        Spawned<Boolean> second = driver.spawn((tick, id) -> guests.here.add(id));
        assertThat(BodyId.slot(second.id())).as("used again").isZero();
        cancelled.add(second.answer());
        reconciler.offer(8, hash, state.toBytes());
        run(1);
        assertThat(reconciled).as("while the slot is reserved").isEmpty();
        run(1);
        assertThat(reconciled).extracting(Reconciled::outcome).containsExactly(Reconciled.Outcome.CORRECTED);
        assertThat(guests.here).containsExactly(first.id());
    }
}
