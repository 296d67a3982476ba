package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * What a simulation around a world that the game already has promises in every engine, on one thread: that it has the world alone, and
 * gives it back. A test per engine extends this.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public abstract class ExistingWorldOwnershipContract<W, B> extends ExistingWorldFixture<W, B> {

    @Test
    void aWorldHasOneSimulationAtATime() {
        assertThatIllegalStateException()
                .isThrownBy(() -> wrap(game))
                .withMessageContaining("another simulation ticks")
                .withMessageContaining("close that one first");
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        driver.close();
        try (WorldSimulation<W, B> next = wrap(game)) {
            next.attach(box, 2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> simulation.attach(box, 3))
                    .withMessageContaining("was closed");
        }
        wrap(game).close();
    }

    @Test
    void closingFreesNothingOfTheWorld() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        simulation.close();
        simulation.close();
        double height = game.pose(box)[1];
        for (int step = 0; step < 200; step++) {
            game.step(DT_SECONDS);
        }
        assertThat(game.pose(box)[1]).isLessThan(height).isCloseTo(0.5, within(0.05));
        assertThat(simulation.world()).isSameAs(game.world());
        game.remove(box);
    }

    @Test
    void aStepThatFailsGivesTheWorldBackSoThatAnotherSimulationGoesOn() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        game.breakSteps();
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).isInstanceOf(RuntimeException.class);
        game.mendSteps();
        double height = game.pose(box)[1];
        WorldSimulation<W, B> another = wrap(game);
        another.attach(box, 1);
        try (InlineDriver next = PhysicsService.builder(another).inline(clock)) {
            clock.advance(5 * TICK_NANOS);
            assertThat(next.runDueTicks()).isEqualTo(5);
            assertThat(game.pose(box)[1]).isLessThan(height);
        }
    }

    @Test
    void nobodyElseClosesWhatIsTicked() throws Exception {
        attach(game.addBox(0, 5), 1);
        tick(3);
        List<Throwable> thrown = new ArrayList<>();
        Thread other = new Thread(() -> {
            try {
                simulation.close();
            } catch (IllegalStateException e) {
                thrown.add(e);
            }
        });
        other.start();
        other.join();
        assertThat(thrown).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("still ticks"));
        tick(3);
    }
}
