package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each check must notice the fault it is there for. */
class WindowCheckTest {

    private final ManualClock clock = new ManualClock(0);
    private final WindowCheck check = new WindowCheck();
    private final InlineDriver driver =
            PhysicsService.builder(new SpringSimulation(3)).checksums(true).inline(clock);
    private final SnapshotReader reader = driver.newReader();

    @BeforeEach
    void publish() {
        clock.advance(50_000_000);
        driver.runDueTicks();
        reader.acquire();
    }

    @Test
    void shouldFindNothingWhereNothingIsWrong() {
        check.check(reader.window());
        assertThat(check.windows()).isEqualTo(1);
        assertThat(check.tornSnapshots()).isZero();
        assertThat(check.nonConsecutiveWindows()).isZero();
    }

    @Test
    void shouldFindASnapshotThatChangedWhileItWasHeld() {
        reader.window().snapshot(1).poses().block(0).qz[2] += 1e-3f;
        check.check(reader.window());
        assertThat(check.tornSnapshots()).isEqualTo(1);
    }

    @Test
    void shouldFindAGap() {
        Snapshot newest = reader.window().newest();
        newest.begin(newest.tick() + 1, newest.dueNanos());
        newest.seal();
        check.check(reader.window());
        assertThat(check.tornSnapshots()).isZero();
        assertThat(check.nonConsecutiveWindows()).isEqualTo(1);
    }
}
