package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.RandomPlayer;
import dev.escapement.physics.Witness;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrubberTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "12", 4, TickRate.hertz(100));
    private static final int BODIES = 12;
    private static final int TICKS = 5 * Scrubber.STATES;

    @TempDir
    Path folder;

    /** The poses of each tick that a renderer saw in the recorded run. */
    private final List<String> live = new ArrayList<>();

    private Path file;
    private int steps;
    private int saves;
    private int closed;
    private boolean fails;

    @BeforeEach
    void record() throws Exception {
        file = folder.resolve("run");
        ManualClock clock = new ManualClock(0);
        try (Recording recording = Recording.create(file, RUN);
                InlineDriver driver = PhysicsService.builder(new PushedMasses(BODIES))
                        .with(recording)
                        .inline(clock)) {
            SnapshotReader reader = driver.newReader();
            RandomPlayer player = new RandomPlayer(8, driver.input(), clock);
            for (int tick = 1; tick <= TICKS; tick++) {
                player.play();
                if (tick % 10 == 0) {
                    assertThat(driver.command(Push.TYPE, new Push(tick % BODIES, 0.5)))
                            .isNotDone();
                }
                clock.advance(10_000_000);
                driver.runDueTicks();
                live.add(reader.acquire() ? poses(reader.window().newest()) : "");
            }
        }
    }

    @Test
    void shouldShowTheVerySamePosesHoweverOneScrubs() throws Exception {
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), Counting::new, PoseLayout.PLAIN)) {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 300; i++) {
                assertShowsWhatWas(scrubber, random.nextInt(3, TICKS + 1));
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
        assertThat(steps).as("from keyframes").isLessThan(TICKS + 300 * 10);
    }

    @Test
    void shouldShowTheSameOfASimulationThatCannotRestore() throws Exception {
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), () -> plain(new Counting()), PoseLayout.PLAIN)) {
            for (int tick : new int[] {5, 6, 6, TICKS, TICKS - 1, 3, 300}) {
                assertShowsWhatWas(scrubber, tick);
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
        assertThat(closed).as("all that were made").isEqualTo(7);
    }

    @Test
    void shouldRefuseTicksThatWereNotRecorded() throws Exception {
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), Counting::new, PoseLayout.PLAIN)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> scrubber.goTo(0))
                    .withMessage("position 0 cannot be shown: the log has positions 1 to 640");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> scrubber.goTo(TICKS + 1))
                    .withMessageContaining("the log has positions 1 to 640");
        }
    }

    /** The scrubber neither shows nor keeps a tick that threw in the middle. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldResumeFromAWholeTickAfterOneThatFailed(boolean isRestorable) throws Exception {
        Supplier<Simulation> failing = () -> isRestorable ? new Counting() : plain(new Counting());
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), failing, PoseLayout.PLAIN)) {
            fails = true;
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> scrubber.goTo(5))
                        .withMessage("engine full");
            }
            assertShowsWhatWas(scrubber, 4);
            fails = false;
            for (int tick : new int[] {5, 12, 5}) {
                assertShowsWhatWas(scrubber, tick);
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
    }

    @Test
    void shouldCloseASimulationThatItRefuses() throws Exception {
        InputLog log = InputLog.open(file);
        Simulation other = new Counting() {
            @Override
            public String settings() {
                return "steps 3";
            }
        };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scrubber(log, () -> other, PoseLayout.PLAIN))
                .withMessage(
                        "the log is of a simulation with the settings that it has by itself, but this one has steps 3;"
                                + " give it those of the log");
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void shouldRememberThatWhatWasShownIsNotWhatWas() throws Exception {
        double[] push = {1};
        Supplier<Simulation> pushedAtFirst = () -> {
            Counting masses = new Counting();
            masses.push(3, 0, push[0], 0);
            push[0] = 0;
            return plain(masses);
        };
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), pushedAtFirst, PoseLayout.PLAIN)) {
            assertThat(poses(scrubber.goTo(10))).isNotEqualTo(live.get(9));
            assertShowsWhatWas(scrubber, 3);
            assertThat(scrubber.divergence().orElseThrow().tick()).isEqualTo(1);
        }
    }

    /**
     * The scrubber asks the simulation for events in the same ticks as the run, whose subscribers are gone. The state may depend on these
     * requests, and unread contacts would accumulate in the simulation.
     */
    @Test
    void shouldReportTheSimulationOfSubscribersThatAreNoMore() throws Exception {
        Path subscribed = folder.resolve("subscribed");
        ManualClock clock = new ManualClock(0);
        try (Recording recording = Recording.create(subscribed, RUN);
                InlineDriver driver =
                        PhysicsService.builder(new Witness()).with(recording).inline(clock)) {
            clock.advance(20_000_000);
            driver.runDueTicks();
            driver.events(16);
            clock.advance(20_000_000);
            driver.runDueTicks();
        }
        List<Integer> asked = new ArrayList<>();
        Witness witness = new Witness() {
            @Override
            public void events(EventWriter events) {
                events.contactBegan(0, EventWriter.NO_SLOT, 0, 0, 0, 0, 0, 1);
                events.contactEnded(0, EventWriter.NO_SLOT);
                asked.add(hashes.size());
            }
        };
        try (Scrubber scrubber = new Scrubber(InputLog.open(subscribed), () -> witness, PoseLayout.PLAIN)) {
            scrubber.goTo(4);
            assertThat(scrubber.divergence()).isEmpty();
        }
        assertThat(asked).containsExactly(3, 4);
    }

    @Test
    void shouldKeepFewStatesEvenlySpread() throws Exception {
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), Counting::new, PoseLayout.PLAIN)) {
            scrubber.goTo(TICKS);
            assertThat(saves).as("and where it is").isBetween(Scrubber.STATES / 2, Scrubber.STATES + 1);
            for (int tick = TICKS - 1; tick > TICKS - 100; tick--) {
                steps = 0;
                scrubber.goTo(tick);
                assertThat(steps).isLessThanOrEqualTo(2 * TICKS / Scrubber.STATES);
            }
        }
    }

    private void assertShowsWhatWas(Scrubber scrubber, int tick) throws Exception {
        Snapshot shown = scrubber.goTo(tick);
        assertThat(shown.tick()).isEqualTo(tick);
        assertThat(poses(shown)).as("tick %s", tick).isEqualTo(live.get(tick - 1));
    }

    private static String poses(Snapshot snapshot) {
        PoseBlock block = snapshot.poses().block(0);
        StringBuilder text = new StringBuilder();
        for (float[] component : new float[][] {block.px, block.py, block.pz, block.qx, block.qy, block.qz, block.qw}) {
            text.append(
                    Arrays.toString(Arrays.copyOf(component, snapshot.poses().slotCount())));
        }
        return text.toString();
    }

    /** Hides that a simulation can restore. */
    private static Simulation plain(Simulation simulation) {
        return new ForwardingSimulation(simulation) {
            @Override
            public <T> Optional<T> capability(Class<T> type) {
                return Optional.empty();
            }
        };
    }

    /** Masses that leave out bodies that they captured before, as if they rested. Tick 5 throws half-way while {@link #fails}. */
    private class Counting extends PushedMasses {

        private boolean captured;

        Counting() {
            super(BODIES);
        }

        @Override
        public void step(Tick tick) {
            if (fails && tick.number() == 5) {
                push(3, 0, 1, 0);
                throw new IllegalStateException("engine full");
            }
            super.step(tick);
            steps++;
        }

        @Override
        public void capture(PoseWriter poses) {
            if (captured) {
                poses.bodyCount(BODIES);
            } else {
                super.capture(poses);
                captured = true;
            }
        }

        @Override
        public void save(StateBuffer to) {
            super.save(to);
            saves++;
        }

        @Override
        public void restore(StateBuffer from) {
            super.restore(from);
            captured = false;
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
