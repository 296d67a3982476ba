package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is found in simulations that save less than they need, or depend on more than they should. */
class SyncTestTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int KEY_W = 87;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldFindNothingInSpringsThatAreHeldDown() {
        PushedMasses alone = new PushedMasses(20);
        PushedMasses tested = new PushedMasses(20);
        SyncTest test = SyncTest.of(tested);
        run(PhysicsService.builder(alone).inline(clock));
        run(PhysicsService.builder(test).inline(clock));
        assertThat(test.divergence()).isEmpty();
        assertThat(test.hash()).as("is stepped once as far as one can see").isEqualTo(alone.hash());
        assertThat(tested.inputsApplied()).isEqualTo(alone.inputsApplied());
    }

    @Test
    void shouldFindWhatWasNotSavedAndWhereItMatters() {
        Faulty forgets = new Faulty() {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                unsaved++;
                x[4] += tick.number() >= 30 ? unsaved : 0;
            }
        };
        assertThat(test(forgets)).satisfies(found -> {
            assertThat(found.tick()).isEqualTo(30);
            assertThat(found.body()).isEqualTo(4);
            assertThat(found.component()).isEqualTo("x");
        });
    }

    @Test
    void shouldFindAStateThatIsNotRestored() {
        Faulty keeps = new Faulty() {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                x[2]++;
            }

            @Override
            public void restore(StateBuffer from) {
                double kept = x[2];
                super.restore(from);
                x[2] = kept;
            }
        };
        assertThat(test(keeps).tick()).as("tick 1 was begun from another state").isZero();
    }

    @Test
    void shouldFindABodyThatOnlyOneOfTheStepsMakes() {
        Faulty grows = new Faulty() {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                bodies = 5 + unsaved++ % 2;
            }
        };
        assertThat(test(grows).body()).isEqualTo(5);
        assertThat(test(grows).component()).isEmpty();
    }

    private Divergence test(Faulty simulation) {
        SyncTest test = SyncTest.of(simulation);
        run(PhysicsService.builder(test).inline(clock));
        return test.divergence().orElseThrow();
    }

    private void run(InlineDriver driver) {
        driver.input().offer(clock.nanoTime() + 1, InputKind.KEY_DOWN, KEY_W, 0, 0);
        for (int tick = 0; tick < 100; tick++) {
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
        }
    }

    private static class Faulty implements Simulation, Restorable, BodyStates {

        final double[] x = new double[6];
        int bodies = 6;
        int unsaved;

        @Override
        public void step(Tick tick) {
            x[0]++;
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(0);
        }

        @Override
        public long hash() {
            long hash = bodies;
            for (double value : x) {
                hash = 31 * hash + Double.doubleToRawLongBits(value);
            }
            return hash;
        }

        @Override
        public void save(StateBuffer to) {
            to.put((long) bodies);
            for (double value : x) {
                to.put(value);
            }
        }

        @Override
        public void restore(StateBuffer from) {
            bodies = (int) from.getLong();
            for (int body = 0; body < x.length; body++) {
                x[body] = from.getDouble();
            }
        }

        @Override
        public int bodyCount() {
            return bodies;
        }

        @Override
        public List<String> stateComponents() {
            return List.of("x");
        }

        @Override
        public void readState(int body, long[] bits, int at) {
            bits[at] = Double.doubleToRawLongBits(x[body]);
        }
    }
}
