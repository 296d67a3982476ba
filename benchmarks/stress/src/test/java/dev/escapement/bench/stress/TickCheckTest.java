package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TickCheckTest {

    private static final long PERIOD_NANOS = 10_000_000;
    private static final int TICKS = 200;

    static Stream<LateTicks> policies() {
        return Stream.of(
                LateTicks.dilate(),
                LateTicks.dilate(TimeScale.ONE),
                LateTicks.catchUp(0),
                LateTicks.catchUp(8 * PERIOD_NANOS));
    }

    /**
     * Runs ticks that take two periods each under {@code policy}. Checks them as if {@code allowed} were the policy and {@code wantedNanos}
     * the length of a tick.
     */
    private static Check check(LateTicks policy, LateTicks allowed, long wantedNanos) {
        ManualClock clock = new ManualClock(0);
        SwingWorld world = new SwingWorld() {
            @Override
            public void step(Tick tick) {
                clock.advance(2 * PERIOD_NANOS);
            }
        };
        Check check = new Check();
        TickCheck ticks = new TickCheck(check, false, allowed, clock);
        try (InlineDriver driver = PhysicsService.builder(world)
                .rate(TickRate.hertz(100))
                .lateTicks(policy)
                .with(ticks)
                .inline(clock)) {
            ticks.read(driver);
            ticks.even(0, wantedNanos);
            for (int tick = 1; tick <= TICKS; tick++) {
                while (driver.runDueTicks(1) == 0) {
                    clock.advance(PERIOD_NANOS / 10);
                }
                ticks.look();
            }
            ticks.check();
        }
        return check;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void shouldHoldForTicksLateByTheirPolicy(LateTicks policy) {
        Check check = check(policy, policy, PERIOD_NANOS);
        assertThat(check.example()).isEmpty();
        assertThat(check.checked()).isGreaterThan(TICKS);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void shouldFindTicksThatFallBehindWithoutBound(LateTicks allowed) {
        assertThat(check(LateTicks.catchUp(), allowed, PERIOD_NANOS).example()).contains("later than " + allowed);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void shouldFindTicksOfAnotherLength(LateTicks policy) {
        Check check = check(policy, policy, PERIOD_NANOS + PERIOD_NANOS / 100);
        assertThat(check.example()).isEqualTo("tick 2 lasts 10000000 ns, but has to last 10100000");
    }
}
