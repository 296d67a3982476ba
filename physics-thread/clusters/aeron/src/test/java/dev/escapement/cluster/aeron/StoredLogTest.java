package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Ballast;
import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Hashed;
import dev.escapement.physics.Divergence;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Tick;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that has run alone, and was started again: with input, saved states, long messages, a pause and slow motion. */
@Timeout(120)
class StoredLogTest {

    private static final long SAVE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long KEPT_BYTES = 512L << 20;

    @TempDir
    private static Path folder;

    private static final Hashed RAN = new Hashed();
    private static ClusterNode node = ClusterNode.of(0, List.of("localhost"), Path.of(""), RUN);

    @BeforeAll
    static void run() throws Exception {
        node = ClusterNode.of(0, List.of("localhost"), folder, RUN);
        Hashed before = new Hashed();
        try (ClusteredPhysics physics =
                ClusteredPhysics.start(PhysicsService.builder(before), node, SAVE_NANOS, KEPT_BYTES)) {
            play(physics);
            physics.pause();
            physics.step();
            physics.resume();
            physics.timeScale(new TimeScale(1, 2));
            play(physics);
            physics.timeScale(new TimeScale(4, 1)); // more ticks are cut ahead of a saved state than may wait for one
            play(physics);
        }
        try (ClusteredPhysics physics =
                ClusteredPhysics.start(PhysicsService.builder(RAN), node, SAVE_NANOS, KEPT_BYTES)) {
            physics.timeScale(TimeScale.ONE);
            play(physics);
        }
        RAN.hashes.addAll(0, before.hashes.subList(0, (int) RAN.firstTick - 1));
    }

    private static void play(ClusteredPhysics physics) throws Exception {
        for (int i = 0; i < 100; i++) { // 4.5 MB, more than a file of the log has
            physics.command(Ballast.TYPE, new Ballast()).get();
        }
        ClusteredPhysicsTest.play(physics);
    }

    private static Optional<Divergence> replay(StoredLog log, Hashed replayed) {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(replayed).replay(log).inline(clock)) {
            for (long tick = 1; tick <= log.ticks(); tick++) {
                clock.advance(log.rate().nanosAt(tick) - clock.nanoTime());
                assertThat(driver.runDueTicks()).as("tick %s", tick).isEqualTo(1);
            }
            return driver.divergence();
        }
    }

    @Test
    void shouldRunAllTicksAgain() {
        Hashed replayed = new Hashed();
        StoredLog log = StoredLog.open(node, replayed, SAVE_NANOS);
        assertThat(log.comparedTicks()).isZero();
        assertThat(replay(log, replayed)).isEmpty();
        assertThat(log.comparedTicks()).isBetween(log.ticks() - 500, log.ticks() - 1);
        assertThat(log.ticks()).isGreaterThanOrEqualTo(RAN.hashes.size());
        assertThat(replayed.hashes.subList(0, RAN.hashes.size())).isEqualTo(RAN.hashes);
        assertThat(StoredLog.describe(folder))
                .isEqualTo(node.sharedByAll(replayed.commands().types()))
                .endsWith(", commands ['ballast' version 1, 'push' version 1]");
    }

    @Test
    void shouldNameTheTickAfterWhichTheStateDiffers() {
        Hashed other = new Hashed() {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                if (tick.number() >= 100) {
                    push(0, 0, 1, 0);
                }
            }
        };
        StoredLog log = StoredLog.open(node, other, SAVE_NANOS);
        assertThat(replay(log, other).map(Divergence::tick)).contains(100L);
    }

    @Test
    void shouldRefuseWhatCannotBeRunAgain() {
        Hashed world = new Hashed();
        RunDescription run = new RunDescription("masses", "2", "", 7, RUN.rate());
        assertThatIllegalStateException()
                .isThrownBy(() -> StoredLog.open(ClusterNode.of(0, List.of("localhost"), folder, run), world))
                .withMessageContaining("masses 2")
                .withMessageContaining("masses 1");
        Path none = folder.resolve("none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredLog.open(ClusterNode.of(0, List.of("localhost"), none, RUN), world))
                .withMessageContaining("there is no log of a node in " + none);
        File begin = new File(StateFetch.archive(folder), "0-0.rec");
        File away = new File(StateFetch.archive(folder), "away");
        assertThat(begin.renameTo(away)).isTrue();
        try {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> StoredLog.describe(folder))
                    .withMessageContaining("was deleted");
        } finally {
            assertThat(away.renameTo(begin)).isTrue();
        }
    }
}
