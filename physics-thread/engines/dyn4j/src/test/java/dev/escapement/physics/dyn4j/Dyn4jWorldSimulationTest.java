package dev.escapement.physics.dyn4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.TimeStep;
import org.dyn4j.world.ContactCollisionData;
import org.dyn4j.world.PhysicsWorld;
import org.dyn4j.world.World;
import org.dyn4j.world.listener.ContactListenerAdapter;
import org.dyn4j.world.listener.StepListenerAdapter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Dyn4jWorldSimulationTest extends ExistingWorldFixture<World<Body>, Body> implements Dyn4jContractsTest.Worlds {

    /** At half a turn the cosine is exactly -1, so that the adapter takes the square root of 0 for half the angle. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1, Math.PI / 2, 3, Math.PI, -3, -1, -Math.PI})
    void shouldShowEveryAngle(double radians) {
        Body box = game.addBox(0, 900);
        box.rotateAboutCenter(radians);
        simulation.attach(box, 1);
        tick(3);
        PoseBlock poses = newest().poses().block(0);
        assertThat(newest().bodies().isQuarantined(0)).isFalse();
        double sine = poses.qz[0] * Math.cos(radians / 2) - poses.qw[0] * Math.sin(radians / 2);
        assertThat(sine).as("sine of half the angle between").isCloseTo(0, within(1e-7));
    }

    @Test
    void shouldRefuseStepsOfOthersInTheirCall() {
        game.world().step(1, 0.01); // the game still owns the world before the first tick
        tick(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> game.world().update(1))
                .withMessageContaining("thread '" + Thread.currentThread().getName() + "' steps")
                .withMessageContaining("leave that to the service");
        CompletableFuture<?> stepping = driver.command(tick -> {
            game.world().step(1, 0.01);
            return tick;
        });
        tick(1);
        assertThat(stepping)
                .failsWithin(1, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("leave that to the service");
        driver.close();
        game.world().step(1, 0.01);
        assertThat(game.world().getStepListeners()).isEmpty();
    }

    @Test
    void shouldReleaseTheWorldOfAFailedStep() {
        StepListenerAdapter<Body> failing = new StepListenerAdapter<>() {
            @Override
            public void postSolve(TimeStep step, PhysicsWorld<Body, ?> stepped) {
                throw new IllegalArgumentException("this game's listener fails");
            }
        };
        tick(1);
        game.world().addStepListener(failing);
        clock.advance(TICK_NANOS);
        assertThatIllegalArgumentException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("this game's listener fails");
        game.world().removeStepListener(failing);
        try (InlineDriver next =
                PhysicsService.builder(new Dyn4jWorldSimulation<>(game.world())).inline(clock)) {
            clock.advance(TICK_NANOS);
            assertThat(next.runDueTicks()).isEqualTo(1);
        }
    }

    @Test
    void shouldReportNoDisabledContacts() {
        Body box = game.addBox(0, 0.7);
        simulation.attach(box, 1);
        game.world().addContactListener(new ContactListenerAdapter<>() {
            @Override
            public void collision(ContactCollisionData<Body> collision) {
                collision.getContactConstraint().setEnabled(false);
            }
        });
        EventStream events = driver.events(64);
        tick(80);
        events.drain(event -> assertThat(event.kind()).isEqualTo(BodyEvent.Kind.SPAWNED));
        assertThat(game.pose(box)[1]).as("it fell through the floor").isLessThan(-0.6);
    }
}
