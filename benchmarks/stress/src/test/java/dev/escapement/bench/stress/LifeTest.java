package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.Slice;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSink;
import dev.escapement.state.input.InputSource;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class LifeTest {

    private final Trial trial = new Trial(StressRun.promises(), null);
    private @Nullable Life started;

    @AfterEach
    void delete() throws IOException {
        if (started != null && Files.exists(started.folder)) {
            started.delete();
        }
    }

    private Life start(Set<StormPart> parts, Supplier<Simulation> worlds, @Nullable PhysicsHost host)
            throws IOException {
        LifePlan plan = LifePlan.draw(7, 1, parts, true, 600);
        StressRun run = StressRun.of(worlds);
        run.trial = trial;
        Life life = new Life(run, plan, host);
        started = life;
        life.start();
        assertThat(Polling.await(() -> life.ticks() > 0)).isTrue();
        return life;
    }

    /** A part that fails only when it is closed, like a client whose thread does not end. */
    private static final class FailsAtItsEnd implements Part {

        private boolean closed;

        @Override
        public Optional<Throwable> failure() {
            return closed ? Optional.of(new IllegalStateException("planted")) : Optional.empty();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void shouldFailByAPartThatFails() throws IOException {
        Life life = start(EnumSet.noneOf(StormPart.class), SwingWorld::new, null);
        FailsAtItsEnd part = new FailsAtItsEnd();
        life.parts.add(part);
        life.look();
        assertThat(life.isOver()).isFalse();
        part.close();
        life.look();
        assertThat(life.isOver()).isTrue();
        life.end();
        assertThat(life.failure()).contains("FailsAtItsEnd failed", "planted", "life 1");
    }

    @Test
    void shouldTellAFullDiskFromARecordingFault() throws IOException {
        Life life = start(EnumSet.noneOf(StormPart.class), SwingWorld::new, null);
        IOException full = new IOException("no space left");
        RecordingStorm.ended(life, "the recording", new RecordingFailure(1, full));
        RecordingStorm.ended(life, "the recording", new RecordingFailure(1, new IOException("closed", full)));
        assertThat(life.failure()).isEmpty();
        RecordingStorm.ended(
                life, "the recording", new RecordingFailure(1, new IOException("wrapped", new NullPointerException())));
        assertThat(life.failure()).contains("the recording failed: java.lang.NullPointerException");
        life.end();
    }

    /** A world that offers input of its own, and allocates in its poll. */
    private static final class Player extends SwingWorld implements InputSource {

        @Override
        public void poll(InputSink sink) {
            // A random length, so that the JIT compiler cannot remove the array.
            float[] garbage = new float[1 + (int) (System.nanoTime() & 1)];
            sink.offer(System.nanoTime(), InputKind.APPLICATION, 1, garbage.length, 0);
        }

        @Override
        public void close() {} // both superinterfaces have a close method, so the class must declare one
    }

    /** Returns whether a host runs the life: in every second slice. */
    static Stream<Boolean> hosted() {
        return Slice.current().of(List.of(false, true));
    }

    @ParameterizedTest
    @MethodSource("hosted")
    void shouldAcceptTheWorldsOwnInputAndGarbage(boolean isHosted) throws IOException {
        try (PhysicsHost host = isHosted ? PhysicsHost.builder().threads(2).start() : null) {
            Life life = start(Set.of(StormPart.INPUT), Player::new, host);
            assertThat(Polling.await(() -> life.ticks() > 600)).isTrue();
            life.end();
            assertThat(life.failure()).isEmpty();
        }
        assertThat(trial.check(Promise.INPUT_SUMS).checked()).isZero();
        assertThat(trial.leftOut()).containsKey("input-sums");
        for (Promise promise : EnumSet.of(Promise.INPUT_ONCE, Promise.ALLOCATES_NOTHING)) {
            Check check = trial.check(promise);
            assertThat(check.broken()).as(check.example()).isZero();
            assertThat(check.checked()).isPositive();
        }
    }

    @Test
    void shouldCheckTheWindowsOfAClientOverUdp() throws IOException {
        Life life = start(Set.of(StormPart.UDP), SwingWorld::new, null);
        for (Promise promise : EnumSet.of(Promise.WHOLE, Promise.CONSECUTIVE, Promise.FORWARDS)) {
            assertThat(Polling.await(() -> trial.check(promise).checked() > 100))
                    .isTrue();
            assertThat(trial.check(promise).broken()).isZero();
        }
        life.end();
        assertThat(life.failure()).isEmpty();
    }
}
