package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.bench.stress.ledger.Failing;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LifeTest {

    private static final double LONG_SECONDS = 600;
    private static final int LOOKS = 100;

    private final Trial trial = new Trial(new Scenario("test", "", StressRun.promises(), unused -> {}), 1, null);

    private final Notes notes = new Notes();

    @TempDir
    private Path folder;

    private Life start(int number, Set<StormPart> parts, Supplier<Simulation> worlds) throws IOException {
        return start(number, parts, worlds, null);
    }

    private Life start(int number, Set<StormPart> parts, Supplier<Simulation> worlds, @Nullable PhysicsHost host)
            throws IOException {
        LifePlan plan = LifePlan.draw(7, number, number, parts, true, LONG_SECONDS);
        WorldMaker world = new WorldMaker("swing", worlds, TickRate.hertz(100), WorldMaker.MAX_NANOS);
        Path own = Files.createDirectory(folder.resolve("life-" + number));
        Life life = new Life(trial, plan, world, new Measures(), notes, own, host);
        life.start();
        assertThat(Polling.await(() -> life.ticks() > 0)).isTrue();
        return life;
    }

    private static void end(Life life) {
        life.endStorm(() -> false);
        life.stop();
        var unused = life.end(() -> false);
    }

    /** A part of the storm that does not fail. */
    private abstract static class Part implements Failing {

        @Override
        public Optional<Throwable> failure() {
            return Optional.empty();
        }
    }

    /** A part that has done nothing when a life ends may have had no core. */
    @Test
    void shouldEndWhenEachPartHasWorked() throws IOException {
        Life life = start(1, EnumSet.noneOf(StormPart.class), SwingWorld::new);
        AtomicInteger looks = new AtomicInteger();
        life.storm.add(new Part() {
            @Override
            public boolean hasWorked() {
                return looks.incrementAndGet() > LOOKS;
            }

            @Override
            public void close() {
                assertThat(looks).hasValueGreaterThan(LOOKS);
            }
        });
        end(life);
        assertThat(looks).hasValueGreaterThan(LOOKS);
        assertThat(life.failure()).isEmpty();
    }

    @Test
    void shouldBeOverWhenAPartOfTheStormHasThrown() throws IOException {
        Life life = start(1, EnumSet.noneOf(StormPart.class), SwingWorld::new);
        life.look();
        assertThat(life.isOver()).isFalse();
        life.storm.add(Worker.start("storm-planted", self -> {
            throw new IllegalStateException("planted");
        }));
        assertThat(Polling.await(() -> {
                    life.look();
                    return life.isOver();
                }))
                .isTrue();
        end(life);
        assertThat(life.failure()).contains("storm-planted", "planted", "life 1");
    }

    /** As a client does whose thread does not end. */
    private static final class FailsAtItsEnd implements Failing {

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
    void shouldFailByAPartThatFailsAtItsEnd() throws IOException {
        Life life = start(1, EnumSet.noneOf(StormPart.class), SwingWorld::new);
        life.storm.add(new FailsAtItsEnd());
        end(life);
        assertThat(life.failure()).contains("FailsAtItsEnd failed", "planted", "life 1");
    }

    @Test
    void shouldTellAFullDiskFromAFaultOfTheRecording() throws IOException {
        Life life = start(1, EnumSet.noneOf(StormPart.class), SwingWorld::new);
        IOException full = new IOException("no space left");
        life.ended("the recording", new RecordingFailure(1, full));
        life.ended("the recording", new RecordingFailure(1, new IOException("closed", full)));
        assertThat(life.failure()).isEmpty();
        life.ended("the recording", new RecordingFailure(1, new IOException("wrapped", new NullPointerException())));
        assertThat(life.failure()).contains("the recording failed: java.lang.NullPointerException");
        end(life);
    }

    /** Has other states each time. */
    private static final class Unlike extends SwingWorld {

        private static final AtomicLong MADE = new AtomicLong();
        private final long number = MADE.incrementAndGet();

        @Override
        public long hash() {
            return number;
        }
    }

    /** Each has tens of megabytes, and a night has hundreds. */
    @Test
    void shouldKeepTheLogOfTheFirstDifferenceAlone() throws IOException {
        for (int number = 2; number <= 4; number += 2) { // every second life runs again
            Life life = start(number, EnumSet.of(StormPart.RECORDING), Unlike::new);
            end(life);
            assertThat(life.failure()).isEmpty();
            life.delete();
        }
        assertThat(trial.check(Promise.SAME_AGAIN).broken()).isEqualTo(2);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left)
                    .hasSize(1)
                    .allMatch(kept -> trial.check(Promise.SAME_AGAIN).example().contains(kept.toString()));
        }
    }

    /** As a listener of the progress does. */
    @Test
    void shouldEndTheStormAlsoIfALookThrows() throws IOException {
        Life life = start(1, EnumSet.noneOf(StormPart.class), SwingWorld::new);
        FailsAtItsEnd part = new FailsAtItsEnd();
        life.storm.add(part);
        life.storm.add(new Part() {
            @Override
            public boolean hasWorked() {
                throw new IllegalStateException("planted");
            }

            @Override
            public void close() {}
        });
        assertThatThrownBy(() -> life.endStorm(() -> false)).hasMessage("planted");
        assertThat(part.closed).isTrue();
        life.stop();
        var unused = life.end(() -> false);
    }

    /** Offers input of its own, and allocates where it is asked. */
    private static final class Player extends SwingWorld implements InputSource, BodyStates {

        @Override
        public void poll(InputRing ring) {
            float[] garbage = new float[1 + (int) (System.nanoTime() & 1)]; // kept by no compiler
            ring.offer(System.nanoTime(), InputKind.APPLICATION, 1, garbage.length, 0);
        }

        @Override
        public int bodyCount() {
            return 1;
        }

        @Override
        public List<String> stateComponents() {
            return List.of("x", "y", "z");
        }

        @Override
        public void readState(int body, long[] bits, int at) {
            System.arraycopy(new long[1000], 0, bits, at, 3);
        }

        @Override
        public void close() {} // of both
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTakeTheWorldsOwnInputAndGarbageForFaults(boolean isHosted) throws IOException {
        try (PhysicsHost host = isHosted ? PhysicsHost.builder().threads(2).start() : null) {
            Life life = start(1, EnumSet.of(StormPart.INPUT, StormPart.FLIGHT_RECORDER), Player::new, host);
            assertThat(Polling.await(() -> life.ticks() > 600)).isTrue();
            end(life);
            checkPlayer(life);
        }
    }

    private void checkPlayer(Life life) {
        assertThat(life.failure()).isEmpty();
        assertThat(trial.check(Promise.INPUT_SUMS).checked()).isZero();
        assertThat(notes.leftOut()).containsKey("input-sums");
        assertThat(trial.check(Promise.INPUT_ONCE).broken()).isZero();
        assertThat(trial.check(Promise.INPUT_ONCE).checked()).isPositive();
        assertThat(trial.check(Promise.ALLOCATES_NOTHING).broken())
                .as(trial.check(Promise.ALLOCATES_NOTHING).example())
                .isZero();
        assertThat(trial.check(Promise.ALLOCATES_NOTHING).checked()).isPositive();
    }
}
