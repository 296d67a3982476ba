package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Logged;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refused and failed rewinds. */
@Timeout(60)
class RewindFailureTest extends RewindFixture {

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

    /** Masses that throw in the middle of a restore while {@link #breaks}. */
    private static final class Breaking extends PushedMasses {

        volatile boolean breaks;

        Breaking() {
            super(BODIES);
        }

        @Override
        public void restore(StateBuffer from) {
            super.restore(from);
            if (breaks) {
                throw new IllegalStateException("the world is gone");
            }
        }
    }

    /** Masses that refuse saved states while {@link #refuses}. */
    private static final class Refusing extends TracedMasses {

        boolean refuses;

        Refusing() {
            super(BODIES);
        }

        @Override
        public void restore(StateBuffer from) {
            if (refuses) {
                throw new RestoreRefusedException("a body has gone");
            }
            super.restore(from);
        }
    }

    @Test
    void shouldGoOnUnchangedIfTheSimulationRefuses() {
        Refusing refusing = new Refusing();
        start(refusing, StateHistory.ofTicks(100).every(4));
        run(20);
        refusing.refuses = true;
        push(1);
        CompletableFuture<Rewound> back = history.rewind(10);
        run(10);
        assertThatThrownBy(back::join).hasRootCauseMessage("a body has gone");
        assertThat(told).hasSize(30).contains("tick 30");
        assertThat(refusing.pushes(21)).as("also the command before it").hasSize(1);
        refusing.refuses = false;
        assertThat(history.rewind(19)).isNotNull();
        run(5);
        refusing.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldDropLateInputIfTheSimulationRefuses() {
        Refusing refusing = new Refusing();
        start(refusing, StateHistory.ofTicks(10).rollBack(10));
        run(20);
        refusing.refuses = true;
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
        refusing.refuses = true;
        StateBuffer state = new StateBuffer();
        refusing.save(state);
        reconciler.offer(3, 0xBAD, state.toBytes());
        assertThatIllegalStateException().isThrownBy(() -> run(1)).withMessageEndingWith(": a body has gone");
    }

    @Test
    void shouldRunNothingOnASimulationThatIsHalfRestored() {
        Breaking breaking = new Breaking();
        start(breaking, StateHistory.ofTicks(100));
        SnapshotReader reader = driver.newReader();
        run(20);
        breaking.breaks = true;
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
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).as("the last picture stays").isEqualTo(20);
    }

    @Test
    void shouldThrowMachineErrorsFromARepeatedCommand() {
        AtomicBoolean failing = new AtomicBoolean();
        PushedMasses masses = new PushedMasses(BODIES) {
            private final CommandHandlers handlers = new CommandHandlers().on(Push.TYPE, (tick, push) -> {
                if (failing.get()) {
                    throw new OutOfMemoryError("of the test");
                }
                return push.body();
            });

            @Override
            public CommandHandlers commands() {
                return handlers;
            }
        };
        start(masses, StateHistory.ofTicks(100).every(1000));
        run(4);
        assertThat(driver.command(PushedMasses.Push.TYPE, new PushedMasses.Push(1, 1)))
                .isNotNull();
        run(10);
        failing.set(true);
        CompletableFuture<Rewound> failed = history.rewind(9);
        clock.advance(10_000_000);
        assertThatThrownBy(() -> driver.runDueTicks()).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(failed::join).hasRootCauseMessage("of the test");
    }

    /** A refusal that a step throws ends the run, because it comes from another restore than the rewind's. */
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
        assertThatIllegalStateException()
                .isThrownBy(() -> driver.runDueTicks())
                .withMessageStartingWith("this driver ended with tick 21, which failed, and runs no other: ");
    }
}
