package dev.escapement.bench.stress.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever may be done to a snapshot that is held is noticed. */
class HeldWindowTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int TICKS = 5;

    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver =
            PhysicsService.builder(new PredictableWorld(3)).checksums(true).inline(clock);
    private final SnapshotReader reader = driver.newReader();
    private final HeldWindow held = new HeldWindow();

    @BeforeEach
    void publish() {
        clock.advance(TICKS * TICK_NANOS);
        driver.runDueTicks();
        reader.acquire();
    }

    @AfterEach
    void close() {
        reader.close();
        driver.close();
    }

    @Test
    void shouldFindEverySnapshotOfEachWindowAsItWasTaken() {
        held.take(reader.window());
        assertAsTaken(reader.window());
        publish();
        held.take(reader.window());
        assertAsTaken(reader.window());
    }

    @Test
    void shouldFindASnapshotThatIsTornWhenItIsTaken() {
        Snapshot torn = reader.window().snapshot(1);
        torn.poses().block(0).px[2]++;
        held.take(reader.window());
        assertThat(held.isAsTaken(1, torn)).isFalse();
        assertThat(held.isAsTaken(0, reader.window().snapshot(0))).isTrue();
    }

    @Test
    void shouldFindAFloatThatChangesLater() {
        held.take(reader.window());
        reader.window().newest().poses().block(0).qw[1] = 0.5f;
        assertThat(isNewestAsTaken()).isFalse();
    }

    @Test
    void shouldFindAnotherWorldWithARightChecksum() {
        held.take(reader.window());
        Snapshot newest = reader.window().newest();
        newest.poses().block(0).px[0]++;
        newest.seal();
        assertThat(newest.checksum()).isEqualTo(newest.computeChecksum());
        assertThat(isNewestAsTaken()).isFalse();
    }

    @Test
    void shouldFindTheSameWorldOfAnotherTickWithARightChecksum() {
        held.take(reader.window());
        Snapshot newest = reader.window().newest();
        newest.begin(newest.tick() + 1, newest.dueNanos());
        newest.seal();
        assertThat(newest.checksum()).isEqualTo(newest.computeChecksum());
        assertThat(isNewestAsTaken()).isFalse();
    }

    /** As a writer does before anything else. */
    @Test
    void shouldFindASnapshotThatSomebodyBeginsToWrite() {
        held.take(reader.window());
        Snapshot newest = reader.window().newest();
        newest.begin(newest.tick(), newest.dueNanos());
        assertThat(isNewestAsTaken()).isFalse();
    }

    private void assertAsTaken(Window window) {
        for (int i = 0; i < window.size(); i++) {
            assertThat(held.isAsTaken(i, window.snapshot(i)))
                    .as("%s", window.snapshot(i))
                    .isTrue();
        }
    }

    private boolean isNewestAsTaken() {
        return held.isAsTaken(reader.window().size() - 1, reader.window().newest());
    }
}
