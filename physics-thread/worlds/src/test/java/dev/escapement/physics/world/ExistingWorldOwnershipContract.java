package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.BodyId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for ownership: the simulation has the world alone and releases it at its end, and its touch
 * watch finds each touch of a body between two ticks, and nothing else.
 */
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
    void onlyTheThreadThatTicksMayTouchTheWorld() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        List<ThrowingCallable> calls = List.of(
                simulation::world,
                () -> simulation.attach(box, 2),
                () -> simulation.attach(BodyId.of(3, 1), box, 2),
                () -> simulation.detach(box),
                () -> simulation.idOf(box),
                () -> simulation.bodyOf(BodyId.of(0, 1)));
        CompletableFuture.runAsync(() -> assertThat(calls)
                        .hasSize(6)
                        .allSatisfy(call -> assertThatIllegalStateException()
                                .isThrownBy(call)
                                .withMessageContaining(
                                        "but thread '" + Thread.currentThread().getName() + "' wants")
                                .withMessageContaining("physics.execute(")))
                .join();
        driver.close();
        assertThat(simulation.world()).as("after the end").isSameAs(game.world());
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
    void touchingABodyBetweenTwoTicksIsFoundOut() {
        B box = watched();
        tick(3);
        game.setVelocity(box, 0, 1);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("body 0#1 (user data 17) was changed between two ticks")
                .withMessageContaining("physics.execute");
    }

    @Test
    void whatCommandsDoIsNoTouchFromOutside() throws Exception {
        B box = watched();
        for (int tick = 0; tick < 30; tick++) {
            command(() -> game.setVelocity(box, 0, 1));
            Spawned<B> crate = spawn(3, 4, 2);
            tick(1);
            B spawned = crate.answer().get().value();
            command(() -> removeDetached(spawned));
            given.add(driver.query(now -> game.pose(box)));
            tick(1);
        }
        driver.pause();
        tick(1);
        for (int look = 0; look < 3; look++) { // while time stands still, commands run without ticks
            command(() -> game.setVelocity(box, 0, 2));
            assertThat(driver.runDueTicks()).isZero();
        }
        driver.resume();
        driver.runDueTicks();
        tick(2);
        attach(game.addBox(3, 5), 18); // by the ticking thread, between two ticks
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(2);
    }

    private B watched() {
        driver.close();
        simulation = wrap(game);
        driver = PhysicsService.builder(simulation)
                .source(simulation.touchWatch())
                .inline(clock);
        reader = driver.newReader();
        return attach(game.addBox(0, 0.6), 17);
    }

    /** A host moves late worlds to a thread that has time. */
    @Test
    void hostsMayMoveTheWorldsOfMostEngines() {
        assertThat(simulation.capability(Movable.class).isPresent()).isEqualTo(can(Ability.MOVABLE));
    }

    /** The touch watch is present by default, because tests enable assertions. */
    @Test
    void shouldGiveServicesItsTouchWatchByItself() {
        assertThat(simulation.capability(InputSource.class)).containsSame(simulation.touchWatch());
    }
}
