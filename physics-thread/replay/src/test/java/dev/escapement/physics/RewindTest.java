package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that goes back, on masses that input and commands push. */
class RewindTest extends RewindFixture {

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 1000})
    void shouldHaveTheHashesOfRunsWithTheSameInput(int every) {
        TracedMasses traced = new TracedMasses(BODIES);
        start(traced, StateHistory.ofTicks(60).every(every));
        SnapshotReader reader = driver.newReader();
        SplittableRandom random = new SplittableRandom(every);
        RandomPlayer player = new RandomPlayer(every, driver.input(), clock);
        long published = 0;
        long oldest = 0;
        int rewinds = 0;
        for (int round = 0; round < 1500; round++) {
            player.play();
            if (random.nextInt(4) == 0) {
                push(random.nextInt(BODIES + 1));
            }
            if (random.nextInt(10) == 0) {
                assertThat(driver.command(tick -> {
                            traced.pushLocally(random.nextInt(BODIES));
                            return tick;
                        }))
                        .isNotNull();
            }
            long now = traced.last();
            oldest = Math.max(oldest, now - 60); // after going back, what is older than that stays forgotten
            if (random.nextInt(8) == 0) {
                long to = random.nextLong(oldest, now + 1);
                CompletableFuture<Rewound> went = history.rewind(to);
                push(random.nextInt(BODIES));
                List<Long> then = traced.hashes(0, to);
                clock.advance(10_000_000);
                driver.runDueTicks();
                Rewound rewound = went.join();
                assertThat(traced.hashes(0, to))
                        .as("also if ticks were simulated again")
                        .isEqualTo(then);
                assertThat(rewound.from()).isEqualTo(now);
                assertThat(traced.last()).isEqualTo(rewound.to() + 1);
                rewinds++;
            } else {
                clock.advance(10_000_000);
                driver.runDueTicks();
                assertThat(traced.last()).isEqualTo(now + 1);
            }
            published++;
            if (!reader.acquire()) {
                assertThat(published).as("no window yet").isLessThan(3);
                continue;
            }
            Snapshot newest = reader.window().newest();
            assertThat(newest.tick()).isEqualTo(published);
            assertThat(newest.simulationTick()).isEqualTo(traced.last());
            assertThat(newest.dueNanos()).isEqualTo(10_000_000 * published);
        }
        assertThat(rewinds).isGreaterThan(100);
        traced.requireTheHashesOfARunWithoutRewinds();
    }

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
        assertThat(history.rewind(58)).isNotNull(); // ticks before it are simulated again if they have no state
        run(1);
        assertThat(traced.got(56, 58)).isEqualTo(then.subList(0, 3));
        traced.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldBreakTheMotionOfWhatJumpedAndTellOnce() {
        SnapshotReader reader = driver.newReader();
        run(30);
        assertThat(reader.acquire()).isTrue();
        told.clear();
        assertThat(history.rewind(10)).isNotNull();
        run(2);
        assertThat(told).containsExactly("went back to 10", "tick 31", "tick 32");
        assertThat(reader.acquire()).isTrue();
        Window window = reader.window();
        assertThat(LongStream.range(0, 3).map(i -> window.snapshot((int) i).simulationTick()))
                .containsExactly(30L, 11L, 12L);
        assertThat(breaks(window.snapshot(1))).isEqualTo(BODIES);
        assertThat(breaks(window.snapshot(2))).isZero();
        for (int body = 0; body < BODIES; body++) {
            assertThat(window.snapshot(0).bodies().teleports(body)).isZero();
            assertThat(window.snapshot(1).bodies().teleports(body)).isOne();
        }
    }

    private static int breaks(Snapshot snapshot) {
        MotionBreaks breaks = snapshot.motion(0).breaks();
        for (int i = 0; i < breaks.count(); i++) {
            assertThat(breaks.kind(i)).isEqualTo(MotionBreaks.Kind.BROKEN);
        }
        return breaks.count();
    }

    /** Two bodies, of which the second slides. All poses are set in every tick. */
    static final class Slide implements Simulation, Restorable {

        private double x;

        @Override
        public void step(Tick tick) {
            x += tick.dtSeconds();
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(2);
            poses.set(0, 1, 2, 3, 0, 0, 0, 1);
            poses.set(1, (float) x, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void save(StateBuffer to) {
            to.put(x);
        }

        @Override
        public void restore(StateBuffer from) {
            x = from.getDouble();
        }
    }

    @Test
    void shouldNotBreakTheMotionOfWhatDidNotMove() {
        Slide resting = new Slide();
        start(resting, StateHistory.ofTicks(100));
        SnapshotReader reader = driver.newReader();
        run(30);
        assertThat(history.rewind(15)).isNotNull();
        run(1);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newest().bodies().teleports(1)).isOne();
        assertThat(breaks(reader.window().newest())).isOne();
    }

    /** Each return is published without a step: as ticks 32 and 33. */
    @Test
    void shouldGoBackWhileTimeStandsStill() {
        run(30);
        driver.pause();
        run(1);
        CompletableFuture<Rewound> went = history.rewind(12);
        assertThat(driver.runDueTicks()).isZero();
        assertThat(went.join()).isEqualTo(new Rewound(31, 12, 31));
        told.clear();
        assertThat(history.rewind(5)).isNotNull();
        assertThat(driver.runDueTicks()).isZero();
        driver.step();
        driver.runDueTicks();
        clock.advance(10_000_000);
        driver.runDueTicks();
        assertThat(told).containsExactly("went back to 5", "tick 34");
        assertThat(masses.last()).isEqualTo(6);
        masses.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldSayWhichTicksAreKept() {
        run(300);
        refused(history.rewind(301), "the run cannot go back to tick 301: ticks 100 to 300 are kept");
        refused(history.rewind(-1), "tick -1: ticks 100 to 301 are kept");
        refused(history.rewind(60), "tick 60: ticks 100 to 302 are kept");
        assertThat(history.rewind(150)).isNotNull();
        run(1);
        refused(history.rewind(200), "tick 200: ticks 100 to 151 are kept");
    }

    private void refused(CompletableFuture<?> future, String why) {
        run(1);
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** A body that can be dragged. */
    static final class Dragged implements Simulation, Restorable {

        final DragSpring spring = new DragSpring();
        int events;

        /** The code of each event, after the number of its tick. */
        final List<String> got = new ArrayList<>();

        /** Takes hold of a body, in a tick of its own. */
        void drag(long body) {
            InputRing ring = new InputRing(8, () -> 0);
            DragInput.hold(ring, 1, body);
            spring.begin(Tick.of(RATE, 1, 10, 0, new InputSampler(ring).sample(0, 10), false));
        }

        @Override
        public void step(Tick tick) {
            events += tick.input().size();
            for (int i = 0; i < tick.input().size(); i++) {
                got.add(tick.number() + ": " + tick.input().event(i).code());
            }
            spring.begin(tick);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void save(StateBuffer to) {
            spring.save(to);
        }

        @Override
        public void restore(StateBuffer from) {
            spring.restore(from);
        }

        @Override
        public long hash() {
            return spring.slot();
        }
    }

    /** Drags a body in ticks 3 to 7, runs up to tick 12, and goes back to tick 5. */
    @Test
    void shouldLetGoInTheNextTickEvenIfLate() {
        Dragged dragged = new Dragged();
        start(dragged, StateHistory.ofTicks(100));
        run(2);
        DragInput.hold(driver.input(), clock.nanoTime(), BodyId.of(0, 1));
        run(5);
        DragInput.end(driver.input(), clock.nanoTime());
        run(5);
        assertThat(dragged.spring.slot()).isEqualTo(-1);
        assertThat(history.rewind(5)).isNotNull();
        clock.advance(200_000_000);
        assertThat(driver.runDueTicks(1)).isOne();
        assertThat(dragged.spring.slot()).isEqualTo(-1);
    }
}
