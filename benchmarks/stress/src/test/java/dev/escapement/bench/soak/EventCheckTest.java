package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

class EventCheckTest {

    private static final int TICKS = 10;

    private final Trial trial = new Trial(StressRun.promises(), null);
    private final Check check = trial.check(Promise.EVENTS_MATCH);

    /** A body more in each tick, up to a number, and then one less. */
    private record World(int most) implements Simulation {

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {
            int tick = (int) poses.tick();
            int bodies = Math.max(0, tick <= most ? tick : 2 * most - tick);
            poses.bodyCount(bodies);
            for (int body = 0; body < bodies; body++) {
                poses.set(body, 0, 0, 0, 0, 0, 0, 1);
            }
        }
    }

    private void run(int bodies, boolean twice) {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(new World(bodies))
                        .rate(TickRate.hertz(100))
                        .inline(clock);
                EventStream again = driver.events(128)) {
            EventCheck events = new EventCheck(trial, true);
            events.of(driver);
            for (int tick = 1; tick <= TICKS; tick++) {
                clock.advance(10_000_000);
                assertThat(driver.runDueTicks()).isEqualTo(1);
                if (twice) {
                    again.drain(events::add);
                }
                events.look();
            }
            events.stopped();
        }
    }

    @Test
    void shouldHoldForBodiesThatComeAndGo() {
        run(5, false);
        assertThat(check.example()).isEmpty();
        assertThat(check.checked()).isPositive();
    }

    @Test
    void shouldFindEventsThatAreToldTwice() {
        run(5, true);
        assertThat(check.example()).contains("was told of already");
    }

    @Test
    void shouldHaveCheckedNothingWithoutBodies() {
        run(0, false);
        assertThat(check.checked()).isZero();
    }
}
