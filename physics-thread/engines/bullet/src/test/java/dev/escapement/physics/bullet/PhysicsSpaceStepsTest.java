package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PhysicsSpaceStepsTest extends ExistingWorldFixture<PhysicsSpace, PhysicsRigidBody>
        implements BulletContractsTest.Worlds {

    @Test
    void eachTickIsOneStepAtAnyAccuracy() {
        driver.close();
        PhysicsSpace space = game.world();
        space.setAccuracy(1 / 60f);
        space.setMaxSubSteps(4);
        PhysicsRigidBody box = game.addBox(0, 20);
        driver = PhysicsService.builder(wrap(game)).rate(TickRate.hertz(250)).inline(clock);
        clock.advance(100 * 4_000_000L);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(100);
        double fall = 9.81 * 0.004 * 0.004 * 100 * 101 / 2; // semi-implicit Euler
        assertThat(game.pose(box)[1]).isCloseTo(20 - fall, within(1e-4));
    }

    @Test
    void aStepBySomebodyElseFailsTheNextTick() {
        game.step(0.01); // no service ticks the space yet
        tick(1);
        CompletableFuture.runAsync(() -> game.step(0.01)).join();
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("steps ")
                .withMessageContaining("leave that to the service");
        assertThat(game.world().countTickListeners()).isZero();
        game.step(0.01); // the simulation has released the space
    }

    @Test
    void aSpaceBoundToAnotherThreadIsRefused() {
        PhysicsSpace bound = CompletableFuture.supplyAsync(() -> new PhysicsSpace(PhysicsSpace.BroadphaseType.DBVT))
                .join();
        driver.close();
        driver = PhysicsService.builder(new BulletWorldSimulation(bound)).inline(clock);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("bound it to another thread")
                .withMessageContaining("UnboundPhysicsSpace");
    }

    @Test
    void aSpaceOfTheThreadThatTicksNeedsNothing() {
        PhysicsSpace own = new PhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        driver.close();
        driver = PhysicsService.builder(new BulletWorldSimulation(own)).inline(clock);
        tick(2);
        driver.close();
        PhysicsSpace.setLocalThreadPhysicsSpace(null);
    }

    @Test
    void aBodyTurnedInItsSleepIsShownTurned() {
        PhysicsRigidBody box = attach(game.addBox(0, 0.5), 1);
        tick(400);
        assertThat(box.isActive()).isFalse();
        long hash = simulation.hash();
        box.setPhysicsRotation(new Quaternion().fromAngles(0, 0.5f, 0));
        tick(1);
        assertThat(box.isActive()).isFalse();
        assertThat(simulation.hash()).isNotEqualTo(hash);
        assertThat(newest().poses().block(0).qy[0]).isCloseTo((float) Math.sin(0.25), within(1e-6f));
    }
}
