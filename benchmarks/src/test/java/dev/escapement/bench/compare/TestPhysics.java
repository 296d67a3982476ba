package dev.escapement.bench.compare;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.function.Function;

/** A pattern at 100 Hz whose steps cost nothing and are published when the test says so. */
final class TestPhysics {

    static final TickRate RATE = TickRate.hertz(100);
    static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver;
    final Picture picture;

    TestPhysics(Contestant contestant, long coverNanos) {
        this(scene -> ThreadPattern.of(contestant, scene, RATE, coverNanos));
    }

    TestPhysics(Function<TickedScene, ThreadPattern> patternOf) {
        ThreadPattern pattern = patternOf.apply(new TickedScene(LoadProfile.LIGHT, free()));
        driver = PhysicsService.builder(pattern.simulation())
                .rate(RATE)
                .windowSize(pattern.windowSize())
                .maxReaders(1)
                .inline(clock);
        picture = pattern.picture().apply(driver.newReader());
    }

    /** Runs what is due, so late. */
    void publishAt(long nanos) {
        clock.advance(nanos - clock.nanoTime());
        driver.runDueTicks();
    }

    /** What is shown by a frame that begins now, and is displayed at once. */
    long shownAt(long nanos) {
        picture.frame(nanos, nanos);
        return picture.shownSimNanos();
    }

    private WorkClock free() {
        return new WorkClock() {
            @Override
            public void spend(long nanos) {}

            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }
        };
    }
}
