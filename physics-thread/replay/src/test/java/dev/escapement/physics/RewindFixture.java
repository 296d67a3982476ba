package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.StateHistory;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A driver that can go back, on a manual clock; at first of masses, with a history of 200 ticks. */
abstract class RewindFixture {

    static final TickRate RATE = TickRate.hertz(100);
    static final int BODIES = 5;

    final ManualClock clock = new ManualClock(0);

    /** What the listener was told. */
    final List<String> told = new ArrayList<>();

    final TracedMasses masses = new TracedMasses(BODIES);
    InlineDriver driver = builder(masses, StateHistory.ofTicks(200)).inline(clock);

    final PhysicsServiceBuilder builder(Simulation simulation, StateHistory history) {
        return PhysicsService.builder(simulation).rate(RATE).history(history).listener(listener(told));
    }

    static TickListener listener(List<String> told) {
        return new TickListener() {
            @Override
            public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
                told.add("tick " + tick);
            }

            @Override
            public void rewound(Rewound rewound) {
                told.add(rewound.toString());
            }
        };
    }

    /** Drives another simulation instead. */
    final void start(Simulation simulation, StateHistory history) {
        start(builder(simulation, history));
    }

    final void start(PhysicsServiceBuilder builder) {
        driver.close();
        driver = builder.inline(clock);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    final void run(int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(10_000_000);
            assertThat(driver.runDueTicks()).isEqualTo(1);
        }
    }

    final void push(int body) {
        assertThat(driver.command(PushedMasses.Push.TYPE, new PushedMasses.Push(body, 0.25 * body)))
                .isNotNull();
    }
}
