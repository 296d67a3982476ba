package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorldTimeTest {

    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver world = PhysicsService.builder(new SpringSimulation(1))
            .rate(TickRate.hertz(100))
            .inline(clock);
    private final WorldTime time = new WorldTime(world, clock, 0);
    private long ran;

    @AfterEach
    void close() {
        world.close();
    }

    /** No change of time moves the count by more than it may. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldKnowWhatIsDueAfterAnyChanges(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 60; i++) {
            pass(random.nextInt(1, 2000));
            switch (random.nextInt(4)) {
                case 0 -> time.togglePause();
                case 1 -> time.step();
                case 2 -> time.scaleBy(2, 1);
                default -> time.scaleBy(1, 2);
            }
        }
        if (time.isPaused()) {
            time.togglePause();
        }
        pass(3000);
        assertThat(time.ticksDue(clock.nanoTime()))
                .isCloseTo(ran, within((long) WorldTime.TICKS_PER_CHANGE * time.changes()));
        assertThat(ran).as("much more than that").isGreaterThan(2L * WorldTime.TICKS_PER_CHANGE * time.changes());
    }

    /** A loop that looks at the clock once a millisecond. */
    private void pass(int millis) {
        for (int i = 0; i < millis; i++) {
            clock.advance(1_000_000);
            ran += world.runDueTicks();
        }
    }
}
