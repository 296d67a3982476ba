package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.AfterEach;

abstract class RewindFixture {

    static final TickRate RATE = TickRate.hertz(100);
    static final int BODIES = 5;

    final ManualClock clock = new ManualClock(0);

    final TracedMasses masses = new TracedMasses(BODIES);

    StateHistory history = StateHistory.ofTicks(200);

    InlineDriver driver = builder(masses, history).inline(clock);

    final PhysicsServiceBuilder builder(Simulation simulation, StateHistory newHistory) {
        history = newHistory;
        return PhysicsService.builder(simulation).rate(RATE).with(newHistory);
    }

    final void start(Simulation simulation, StateHistory newHistory) {
        start(builder(simulation, newHistory));
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
        run(driver, ticks);
    }

    final void run(InlineDriver of, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(10_000_000);
            assertThat(of.runDueTicks()).isEqualTo(1);
        }
    }

    final void push(int body) {
        push(driver, body);
    }

    static void push(InlineDriver of, int body) {
        assertThat(of.command(PushedMasses.Push.TYPE, new PushedMasses.Push(body, 0.25 * body)))
                .isNotNull();
    }

    static final class Dragged implements Simulation, Restorable {

        final DragSpring spring = new DragSpring();
        int events;

        /** Starts a drag of a body, in a tick outside the run. */
        void drag(long body) {
            InputRing ring = new InputRing(8, () -> 0);
            DragInput.hold(ring, 1, body);
            spring.begin(Tick.of(RATE, 1, 10, 0, new InputSampler(ring).sample(0, 10), false));
        }

        @Override
        public void step(Tick tick) {
            events += tick.input().size();
            spring.begin(tick);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void save(StateBuffer to) {
            spring.save(to);
        }

        @Override
        public void restore(StateBuffer from) {
            spring.restore(from);
        }

        @Override
        public long hash() {
            return spring.slot();
        }
    }
}
