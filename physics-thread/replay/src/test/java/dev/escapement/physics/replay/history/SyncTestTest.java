package dev.escapement.physics.replay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;

class SyncTestTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int KEY_W = 87;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldRefuseWhatCannotBeRestored() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SyncTest.of(ScriptedSimulation.good()))
                .withMessageEndingWith("is not Restorable; implement it, or wrap a simulation that is");
    }

    @Test
    void shouldFindNothingInSpringsThatAreHeldDown() {
        PushedMasses alone = new PushedMasses(20);
        PushedMasses tested = new PushedMasses(20);
        SyncTest test = SyncTest.of(tested);
        run(PhysicsService.builder(alone).inline(clock));
        run(PhysicsService.builder(test).inline(clock));
        assertThat(test.divergence()).isEmpty();
        assertThat(test.hash()).as("steps once, as seen from outside").isEqualTo(alone.hash());
        assertThat(tested.inputsApplied()).isEqualTo(alone.inputsApplied());
    }

    @Test
    void shouldFindWhatWasNotSavedAndWhereItMatters() {
        PushedMasses forgets = new PushedMasses(6) {
            private int unsaved;

            @Override
            public void step(Tick tick) {
                super.step(tick);
                unsaved++;
                push(4, tick.number() >= 30 ? unsaved : 0, 0, 0);
            }
        };
        assertThat(test(forgets)).satisfies(found -> {
            assertThat(found.tick()).isEqualTo(30);
            assertThat(found.place())
                    .matches(
                            "value \\d+ of the saved state, at byte \\d+, was .* and is .*, put by .*PushedMasses.save\\(.*");
        });
    }

    @Test
    void shouldFindAStateThatIsNotRestored() {
        PushedMasses keeps = new PushedMasses(6) {
            @Override
            public void restore(StateBuffer from) {
                super.restore(from);
                push(2, 1, 0, 0);
            }
        };
        assertThat(test(keeps).tick()).as("tick 1 was begun from another state").isZero();
        assertThat(test(keeps).place()).contains("PushedMasses.save(");
    }

    private TickSource.Divergence test(Simulation simulation) {
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
}
