package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForkTest extends RewindFixture {

    private static final int KEY_W = 87;

    private PhysicsServiceBuilder fork(long tick, Simulation simulation) {
        driver.runDueTicks(Integer.MAX_VALUE); // catches up with the time that forks took
        CompletableFuture<PhysicsServiceBuilder> forked = history.fork(tick, () -> simulation);
        run(1);
        return forked.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 1000})
    void shouldRunAsTheFirstRunDidFromThere(int every) {
        start(masses, StateHistory.ofTicks(2000).every(every));
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0); // the key is held in the fork, too
        for (int tick = 0; tick < 90; tick++) {
            push(tick % BODIES);
            run(1);
        }
        for (long from : new long[] {0, 1, 50, 63, 90}) {
            TracedMasses other = new TracedMasses(BODIES);
            PhysicsServiceBuilder builder = fork(from, other);
            long last = masses.last();
            try (InlineDriver forked = builder.inline(clock)) {
                SnapshotReader reader = forked.newReader();
                if (from == 0) {
                    forked.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0);
                }
                for (long tick = from; tick < 90; tick++) {
                    push(forked, (int) tick % BODIES);
                    run(forked, 1);
                }
                run(forked, 3);
                assertThat(reader.acquire()).isTrue();
                assertThat(reader.window().newestTick()).isEqualTo(93);
                assertThat(other.hashes(from, 90)).isEqualTo(masses.hashes(from, 90));
            }
            assertThat(masses.last()).as("the first run is as it was").isEqualTo(last);
        }
        masses.requireTheHashesOfARunWithoutRewinds();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetGoAfterItWentBackToItsStart(boolean reconciled) {
        start(new Dragged(), StateHistory.ofTicks(2000));
        DragInput.hold(driver.input(), clock.nanoTime(), BodyId.of(0, 1));
        run(9);
        for (int generation = 1; generation <= 3; generation++) {
            Dragged other = new Dragged();
            StateHistory ofFork = StateHistory.ofTicks(50);
            InlineDriver forked = fork(5, other)
                    .with(reconciled ? new Reconciler(ofFork, told -> {}) : ofFork)
                    .inline(clock);
            run(forked, 3);
            for (int back = 1; back <= 2; back++) {
                assertThat(ofFork.rewind(5)).isNotNull();
                run(forked, 3);
                assertThat(other.spring.slot())
                        .as("fork %d, back %d", generation, back)
                        .isEqualTo(-1);
                assertThat(other.events).isEqualTo(1 + back);
            }
            assertThat(ofFork.rewind(6)).isNotNull();
            run(forked, 2);
            assertThat(other.events).as("it has ended before").isEqualTo(3);
            driver.close();
            driver = forked; // the next fork is one of this fork
            history = ofFork;
        }
    }

    @Test
    void shouldForkAForkAtItsStartWithHeldKeys() {
        driver.input().offer(5, InputKind.KEY_DOWN, KEY_W, 0, 0);
        run(30);
        StateHistory ofFork = StateHistory.ofTicks(50);
        InlineDriver forked = fork(20, new TracedMasses(BODIES)).with(ofFork).inline(clock);
        driver.close();
        driver = forked;
        history = ofFork;
        run(1);
        TracedMasses forkOfFork = new TracedMasses(BODIES);
        try (InlineDriver second = fork(20, forkOfFork).inline(clock)) {
            run(second, 1);
        }
        assertThat(forkOfFork.got(21, 21).toString()).contains("holds 87").doesNotContain("APPLICATION");
    }

    @Test
    void shouldRefuseAWorldWithFewerBodies() {
        run(60);
        try (InlineDriver smaller = fork(40, new PushedMasses(BODIES - 1)).inline(clock)) {
            clock.advance(10_000_000);
            assertThatIllegalStateException()
                    .isThrownBy(smaller::runDueTicks)
                    .withMessageContaining("this world has fewer bodies");
        }
    }

    @Test
    void shouldCloseTheForksSimulationIfTheTickIsMissing() {
        AtomicInteger closed = new AtomicInteger();
        CompletableFuture<PhysicsServiceBuilder> refused = history.fork(9, () -> new PushedMasses(BODIES) {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        });
        run(1);
        assertThatThrownBy(refused::join)
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the run cannot go back to tick 9: ticks 0 to 0 are kept");
        assertThat(closed).hasValue(1);
    }
}
