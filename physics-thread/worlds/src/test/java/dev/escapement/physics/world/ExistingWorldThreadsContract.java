package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.physics.Await;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a simulation around a world that the game already has promises to a game with threads of its own: this one, and that of a
 * service. Waits for ticks, never for time.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 * @see ExistingWorldContract
 */
@NullMarked
@Timeout(120)
public abstract class ExistingWorldThreadsContract<W, B> implements ExistingWorlds<W, B> {

    private GameWorld<W, B> game;
    private WorldSimulation<W, B> simulation;
    private PhysicsService physics;

    @SuppressWarnings("NullAway.Init") // build() sets the fields
    protected ExistingWorldThreadsContract() {}

    @BeforeEach
    void build() {
        game = createGame();
        simulation = wrap(game);
        physics = PhysicsService.builder(simulation).build();
    }

    @AfterEach
    void close() {
        physics.close();
        game.close();
    }

    @Test
    void onlyTheThreadThatTicksMayTouchTheWorldWhileItDoes() throws Exception {
        B box = game.addBox(0, 3);
        simulation.attach(box, 1);
        assertThat(simulation.world()).as("before the first tick").isSameAs(game.world());
        physics.start();
        assertRefused(catchThrowable(simulation::world)); // at once
        assertRefused(catchThrowable(() -> simulation.attach(box, 2)));
        assertRefused(catchThrowable(() -> simulation.attach(BodyId.of(3, 1), box, 2)));
        assertRefused(catchThrowable(() -> simulation.detach(box)));
        assertRefused(catchThrowable(() -> simulation.idOf(box)));
        assertRefused(catchThrowable(() -> simulation.bodyOf(BodyId.of(0, 1))));
        assertThat(Await.get(physics.command(tick -> simulation.world())).value())
                .isSameAs(game.world());
        assertThat(Await.get(physics.query(tick -> simulation.idOf(box))).value())
                .isEqualTo(BodyId.of(0, 1));
        physics.close();
        assertThat(simulation.world()).as("after the end").isSameAs(game.world());
        simulation.detach(box);
        assertThat(physics.failure()).isEmpty();
    }

    private static void assertRefused(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("thread 'escapement-physics' ticks")
                .hasMessageContaining("but thread '" + Thread.currentThread().getName() + "' wants")
                .hasMessageContaining("physics.execute(");
    }

    @Test
    void aStepThatFailsFailsTheServiceAndAnotherServiceGoesOnWithTheWorld() throws Exception {
        B box = game.addBox(0, 30);
        simulation.attach(box, 1);
        physics.start();
        SnapshotReader reader = physics.newReader();
        Await.tickAfter(physics, physics.lastTick() + 3);
        Await.get(physics.command(tick -> {
            game.breakSteps();
            return tick;
        }));
        Await.state(physics, ServiceState.FAILED);
        WorldSimulation<W, B> failed = simulation;
        assertThat(failed.world()).as("no service has it").isSameAs(game.world());
        assertThat(physics.failure()).isPresent();
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newest().bodies().count())
                .as("the last good picture")
                .isEqualTo(1);
        game.mendSteps();
        simulation = wrap(game); // at once: a thread that sees the failure has the world
        simulation.attach(box, 2);
        physics.close();
        physics = PhysicsService.builder(simulation)
                .firstTick(physics.lastTick() + 1)
                .start();
        Await.tickAfter(physics, physics.lastTick() + 3);
        SnapshotReader next = physics.newReader();
        assertThat(next.acquire()).isTrue();
        assertThat(next.window().newest().bodies().userData(0)).isEqualTo(2);
    }
}
