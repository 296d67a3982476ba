package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.time.ManualClock;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects beside the world that handlers of commands change are part of the state. */
class JoltKeptStateTest {

    private record Goal(int team) {
        static final CommandType<Goal, Integer> TYPE =
                CommandType.of("goal", 1, (goal, to) -> to.writeInt(goal.team()), from -> new Goal(from.readInt()));
    }

    private static final class Score implements Restorable {
        final long[] goals = new long[2];

        @Override
        public void save(StateBuffer to) {
            to.put(goals[0]).put(goals[1]);
        }

        @Override
        public void restore(StateBuffer from) {
            goals[0] = from.getLong();
            goals[1] = from.getLong();
        }
    }

    private static final class Game implements AutoCloseable {
        final JoltGameWorld world = new JoltGameWorld();
        final JoltWorldSimulation simulation = world.simulateWithoutContacts();
        final Score score = new Score();
        final ManualClock clock = new ManualClock(0);
        final InlineDriver driver;

        Game() {
            simulation.attach(world.addBox(0, 3), 1);
            simulation.keep(score);
            simulation.commands().on(Goal.TYPE, (tick, goal) -> (int) ++score.goals[goal.team()]);
            driver = PhysicsService.builder(simulation).inline(clock);
            run();
        }

        void run() {
            clock.advance(10_000_000);
            assertThat(driver.runDueTicks()).isEqualTo(1);
        }

        @Override
        public void close() {
            driver.close();
            world.close();
        }
    }

    private final Game one = new Game();
    private final Game other = new Game();

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @Test
    void aCounterOfAHandlerIsHashedSavedAndRestored() {
        SplittableRandom random = new SplittableRandom(3);
        for (int tick = 0; tick < 50; tick++) {
            assertThat(other.simulation.hash()).isEqualTo(one.simulation.hash());
            assertThat(one.driver.command(Goal.TYPE, new Goal(random.nextInt(2))))
                    .isNotNull();
            one.run();
            other.run();
            assertThat(other.simulation.hash()).as("one has another score").isNotEqualTo(one.simulation.hash());
            StateBuffer state = new StateBuffer();
            one.simulation.save(state);
            state.rewind();
            other.simulation.restore(state);
            assertThat(state.hasMore()).isFalse();
            assertThat(other.score.goals).isEqualTo(one.score.goals);
        }
        assertThat(one.score.goals[0] + one.score.goals[1]).isEqualTo(50);
    }
}
