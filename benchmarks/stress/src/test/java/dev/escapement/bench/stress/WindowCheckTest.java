package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.ManualClock;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plants faults in windows, including some that the option {@code --canary} of {@code stress soak} does not plant. */
class WindowCheckTest {

    private final ManualClock clock = new ManualClock(0);
    private final Trial trial = new Trial(EnumSet.range(Promise.WHOLE, Promise.FRESH), null);
    private final Check whole = trial.check(Promise.WHOLE);
    private final Check forwards = trial.check(Promise.FORWARDS);
    private final Check fresh = trial.check(Promise.FRESH);
    private final WindowCheck check = new WindowCheck(trial);
    private final InlineDriver driver =
            PhysicsService.builder(new SpringSimulation(3)).checksums(true).inline(clock);
    private final SnapshotReader reader = driver.newReader();

    @BeforeEach
    void publish() {
        clock.advance(50_000_000);
        driver.runDueTicks();
        reader.acquire();
    }

    @AfterEach
    void close() {
        reader.close();
        driver.close();
    }

    private long torn() {
        long before = whole.broken();
        check.check(reader.window());
        return whole.broken() - before;
    }

    @Test
    void shouldFindASnapshotTornAtItsAcquire() {
        reader.window().snapshot(1).poses().block(0).px[2]++;
        check.taken(reader.window());
        assertThat(torn()).isEqualTo(1);
    }

    @Test
    void shouldFindAnotherWorldWithARightChecksum() {
        check.taken(reader.window());
        reader.window().newest().poses().block(0).px[0]++;
        ((WritableSnapshot) reader.window().newest()).seal(); // modifies a snapshot, which readers must not do
        assertThat(torn()).isEqualTo(1);
    }

    @Test
    void shouldTellAStepBackFromAStaleWindow() {
        check.asked(5, 5);
        check.asked(4, 4);
        assertThat(forwards.broken()).isEqualTo(1);
        assertThat(fresh.broken()).isZero();
        check.asked(4, 5);
        assertThat(forwards.broken()).isEqualTo(1);
        assertThat(fresh.broken()).isEqualTo(1);
    }
}
