package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each check must notice the fault it is there for. */
class WindowCheckTest {

    private final ManualClock clock = new ManualClock(0);
    private final Check forwards = new Check();
    private final Check fresh = new Check();
    private final WindowCheck check = new WindowCheck(new Check(), new Check(), forwards, fresh);
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

    /** Checks the window again, and tells how many of its snapshots were found torn or changed. */
    private long torn() {
        long before = check.tornSnapshots();
        check.check(reader.window());
        return check.tornSnapshots() - before;
    }

    @Test
    void shouldFindNothingWhereNothingIsWrong() {
        assertThat(torn()).isZero();
        assertThat(check.windows()).isEqualTo(1);
        assertThat(check.nonConsecutiveWindows()).isZero();
    }

    @Test
    void shouldFindASnapshotThatIsTornWhenItIsTaken() {
        reader.window().snapshot(1).poses().block(0).px[2]++;
        check.taken(reader.window());
        assertThat(torn()).isEqualTo(1);
    }

    @Test
    void shouldFindAGap() {
        WritableSnapshot newest = newest();
        newest.startTick(newest.tick() + 1, newest.dueNanos());
        newest.seal();
        assertThat(torn()).isZero();
        assertThat(check.nonConsecutiveWindows()).isEqualTo(1);
    }

    @Test
    void shouldExpectOfAnotherReaderNoMoreThanWasPublished() {
        check.asked(7, 6); // the writer has not reached the other places yet
        check.readerAttached();
        check.asked(6, 6);
        assertThat(forwards.broken()).isZero();
        check.asked(5, 5);
        assertThat(forwards.broken()).isEqualTo(1);
    }

    @Test
    void shouldFindAnotherWorldWithARightChecksum() {
        check.taken(reader.window());
        reader.window().newest().poses().block(0).px[0]++;
        newest().seal();
        assertRightChecksum(reader.window());
        assertThat(torn()).isEqualTo(1);
    }

    @Test
    void shouldFindTheSameWorldOfAnotherTickWithARightChecksum() {
        check.taken(reader.window());
        WritableSnapshot newest = newest();
        newest.startTick(newest.tick() + 1, newest.dueNanos());
        newest.seal();
        assertRightChecksum(reader.window());
        assertThat(torn()).isEqualTo(1);
    }

    @Test
    void shouldFindWhatIsOlderThanBeforeOrThanWhatWasPublished() {
        check.asked(7, 7);
        check.asked(7, 6);
        assertThat(forwards.broken() + fresh.broken()).isZero();
        check.asked(8, 9);
        assertThat(fresh.broken()).isEqualTo(1);
        assertThat(fresh.example()).isEqualTo("tick 8 when 9 was published");
        check.asked(6, 6);
        assertThat(forwards.broken()).isEqualTo(1);
        assertThat(forwards.example()).isEqualTo("tick 6 after tick 8");
        assertThat(forwards.checked()).isEqualTo(4);
    }

    private static void assertRightChecksum(Window window) {
        assertThat(window.newest().checksum()).isEqualTo(window.newest().computeChecksum());
    }

    /** To be written while it is held, as no reader may. */
    private WritableSnapshot newest() {
        return (WritableSnapshot) reader.window().newest();
    }
}
