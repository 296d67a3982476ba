package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PhysicsSpaceStepsTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void eachTickIsOneStepAtAnyAccuracy() {
        try (BulletGameWorld game = new BulletGameWorld()) {
            PhysicsSpace space = game.world();
            space.setAccuracy(1 / 60f);
            space.setMaxSubSteps(4);
            PhysicsRigidBody box = game.addBox(0, 20);
            BulletWorldSimulation simulation = new BulletWorldSimulation(space);
            try (InlineDriver driver =
                    PhysicsService.builder(simulation).rate(TickRate.hertz(250)).inline(clock)) {
                clock.advance(100 * 4_000_000L);
                assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(100);
            }
            double fall = 9.81 * 0.004 * 0.004 * 100 * 101 / 2; // semi-implicit Euler
            assertThat(game.pose(box)[1]).isCloseTo(20 - fall, within(1e-4));
        }
    }

    @Test
    void aStepBySomebodyElseFailsTheNextTick() {
        try (BulletGameWorld game = new BulletGameWorld()) {
            game.step(0.01); // no service ticks the space yet
            InlineDriver driver = PhysicsService.builder(new BulletWorldSimulation(game.world()))
                    .inline(clock);
            tick(driver);
            CompletableFuture.runAsync(() -> game.step(0.01)).join();
            clock.advance(TICK_NANOS);
            assertThatIllegalStateException()
                    .isThrownBy(driver::runDueTicks)
                    .withMessageContaining("steps ")
                    .withMessageContaining("leave that to the service");
            assertThat(game.world().countTickListeners()).isZero();
            game.step(0.01); // the simulation has released the space
            driver.close();
        }
    }

    @Test
    void aSpaceBoundToAnotherThreadIsRefused() {
        BulletNatives.load();
        PhysicsSpace bound = CompletableFuture.supplyAsync(() -> new PhysicsSpace(PhysicsSpace.BroadphaseType.DBVT))
                .join();
        InlineDriver driver =
                PhysicsService.builder(new BulletWorldSimulation(bound)).inline(clock);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("bound it to another thread")
                .withMessageContaining("UnboundPhysicsSpace");
        driver.close();
    }

    @Test
    void aSpaceOfTheThreadThatTicksNeedsNothing() {
        BulletNatives.load();
        PhysicsSpace own = new PhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        try (InlineDriver driver =
                PhysicsService.builder(new BulletWorldSimulation(own)).inline(clock)) {
            tick(driver);
            tick(driver);
        }
        PhysicsSpace.setLocalThreadPhysicsSpace(null);
    }

    @Test
    void aBodyTurnedInItsSleepIsShownTurned() {
        try (BulletGameWorld game = new BulletGameWorld();
                BulletWorldSimulation simulation = new BulletWorldSimulation(game.world())) {
            PhysicsRigidBody box = game.addBox(0, 0.5);
            simulation.attach(box, 1);
            InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
            for (int tick = 0; tick < 400; tick++) {
                tick(driver);
            }
            assertThat(box.isActive()).isFalse();
            long hash = simulation.hash();
            box.setPhysicsRotation(new Quaternion().fromAngles(0, 0.5f, 0));
            tick(driver);
            assertThat(box.isActive()).isFalse();
            assertThat(simulation.hash()).isNotEqualTo(hash);
            SnapshotReader reader = driver.newReader();
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().newest().poses().block(0).qy[0])
                    .isCloseTo((float) Math.sin(0.25), within(1e-6f));
        }
    }

    private void tick(InlineDriver driver) {
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(1);
    }
}
