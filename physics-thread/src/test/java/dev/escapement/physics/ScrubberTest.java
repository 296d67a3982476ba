package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.log.InputLog;
import dev.escapement.physics.log.Recording;
import dev.escapement.physics.log.RunDescription;
import dev.escapement.physics.spring.SpringSimulation;
import dev.escapement.state.capture.PoseWriter;
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
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row 11 of the loops: scrubbing back and forth shows the very same poses. */
class ScrubberTest {

    private static final int BODIES = 12;
    private static final int TICKS = 700;

    @TempDir
    Path folder;

    /** What a renderer saw of each tick while it was recorded. */
    private final List<String> live = new ArrayList<>();

    private Path file;
    private int steps;

    @BeforeEach
    void record() throws Exception {
        file = folder.resolve("run");
        ManualClock clock = new ManualClock(0);
        RunDescription run = new RunDescription("spring", "1", "12", 4, TickRate.hertz(100));
        try (Recording recording = Recording.create(file, run);
                InlineDriver driver = PhysicsService.builder(new SpringSimulation(BODIES))
                        .record(recording)
                        .inline(clock)) {
            SnapshotReader reader = driver.newReader();
            RandomPlayer player = new RandomPlayer(8, driver.input(), clock);
            for (int tick = 1; tick <= TICKS; tick++) {
                player.play();
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
        List<Integer> closed = new ArrayList<>();
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), () -> new Plain(closed), PoseLayout.PLAIN)) {
            for (int tick : new int[] {5, 6, 6, 700, 699, 3, 300}) {
                assertShowsWhatWas(scrubber, tick);
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
        assertThat(closed).as("all that were made").hasSize(7);
    }

    @Test
    void shouldSayWhenWhatIsShownIsNotWhatWas() throws Exception {
        SpringSimulation other = new SpringSimulation(BODIES);
        other.push(3, 0, 1, 0);
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), () -> other, PoseLayout.PLAIN)) {
            assertThat(poses(scrubber.goTo(10))).isNotEqualTo(live.get(9));
            assertThat(scrubber.divergence().orElseThrow().tick()).isEqualTo(1);
            assertThat(scrubber.divergence().orElseThrow().body()).isEqualTo(3);
        }
    }

    @Test
    void shouldRefuseTicksThatWereNotRecorded() throws Exception {
        try (Scrubber scrubber = new Scrubber(InputLog.open(file), Counting::new, PoseLayout.PLAIN)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> scrubber.goTo(0))
                    .withMessage("tick 0 cannot be shown: the run has ticks 1 to 700");
            assertThatIllegalArgumentException().isThrownBy(() -> scrubber.goTo(701));
        }
    }

    @Test
    void shouldKeepFewStatesEvenlySpread() {
        Keyframes keyframes = new Keyframes(8);
        SpringSimulation simulation = new SpringSimulation(1);
        List<Long> hashes = new ArrayList<>();
        for (int tick = 0; tick < 1000; tick++) {
            simulation.push(0, 1, 0, 0);
            hashes.add(simulation.hash());
            keyframes.offer(tick, simulation);
            assertThat(keyframes.count()).isLessThanOrEqualTo(8);
            assertThat(tick - keyframes.lastUpTo(tick)).isLessThanOrEqualTo(tick / 4);
        }
        for (int tick = 0; tick < 1000; tick++) {
            long kept = keyframes.lastUpTo(tick);
            assertThat(kept).isBetween(tick - 250L, (long) tick);
            keyframes.restore(kept, simulation);
            assertThat(simulation.hash()).isEqualTo(hashes.get((int) kept));
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

    /** Counts its steps, and leaves out bodies that it captured before, as if they rested. */
    private class Plain implements Simulation {

        final SpringSimulation springs = new SpringSimulation(BODIES);
        private final List<Integer> closed;
        boolean captured;

        Plain(List<Integer> closed) {
            this.closed = closed;
        }

        @Override
        public void step(Tick tick) {
            springs.step(tick);
            steps++;
        }

        @Override
        public void capture(PoseWriter poses) {
            if (captured) {
                poses.bodyCount(BODIES);
            } else {
                springs.capture(poses);
                captured = true;
            }
        }

        @Override
        public long hash() {
            return springs.hash();
        }

        @Override
        public void close() {
            closed.add(steps);
        }
    }

    private final class Counting extends Plain implements Restorable {

        Counting() {
            super(new ArrayList<>());
        }

        @Override
        public void save(StateBuffer to) {
            springs.save(to);
        }

        @Override
        public void restore(StateBuffer from) {
            springs.restore(from);
            captured = false;
        }
    }
}
