package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Spawned;
import dev.escapement.state.input.InputRing;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * What a simulation around a world that the game already has promises in every engine, on one thread: that its touch watch finds each
 * thread that touches a body between two ticks, and no other. A test per engine extends this.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public abstract class ExistingWorldTouchContract<W, B> extends ExistingWorldFixture<W, B> {

    @Test
    void touchingABodyBetweenTwoTicksIsFoundOut() {
        B box = watched();
        tick(3);
        game.setVelocity(box, 0, 1);
        assertTouchIsFound();
    }

    @Test
    void movingABodyBetweenTwoTicksIsFoundOutThoughItSleeps() {
        B box = watched();
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        game.place(box, 1, 4);
        assertTouchIsFound();
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
        for (int look = 0; look < 3; look++) { // while time stands still, commands run and tick no more
            command(() -> game.setVelocity(box, 0, 2));
            assertThat(driver.runDueTicks()).isZero();
        }
        driver.resume();
        driver.runDueTicks();
        tick(2);
        assertThat(newest().bodies().count()).isEqualTo(1);
    }

    @Test
    void aTouchWatchDoesNotMindABodyThatWasJustAttached() {
        watched();
        tick(3);
        attach(game.addBox(3, 5), 18); // by the thread that ticks, between two ticks
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(2);
    }

    @Test
    void aTouchWatchOfOneSimulationDoesNotLookWhileAnotherThreadTicks() throws Exception {
        B box = watched();
        tick(3);
        game.place(box, 0, 9);
        Thread other = new Thread(() -> simulation.touchWatch().poll(new InputRing(64, clock)));
        other.start();
        other.join();
        assertTouchIsFound(); // no check has run yet
    }

    private void assertTouchIsFound() {
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("body 0#1 (user data 17) was changed between two ticks")
                .withMessageContaining("physics.command");
    }

    /** A driver that looks for touches, and one box. */
    private B watched() {
        driver.close();
        simulation = wrap(game);
        driver = PhysicsService.builder(simulation)
                .source(simulation.touchWatch())
                .inline(clock);
        reader = driver.newReader();
        return attach(game.addBox(0, 0.6), 17);
    }
}
