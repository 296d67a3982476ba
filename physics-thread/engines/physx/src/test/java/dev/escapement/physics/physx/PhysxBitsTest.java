package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.SyncTest;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import physx.common.PxQuat;
import physx.common.PxTransform;
import physx.common.PxVec3;
import physx.physics.PxRigidDynamic;

/** What of PhysX repeats to the bit, and what does not. */
class PhysxBitsTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<PxRigidDynamic> boxes = new ArrayList<>();

    @Test
    void theSameCommandsGiveTheSameBitsWithAnyNumberOfThreads() {
        long hash = hashOfAPile(0, 0);
        assertThat(hashOfAPile(0, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(1, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(3, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(0, 0.001)).as("pushed by a millimetre a second").isNotEqualTo(hash);
    }

    private long hashOfAPile(int threads, double push) {
        PhysxGame game = new PhysxGame(threads);
        PhysxWorldSimulation simulation = pile(game, 60);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        game.setVelocity(boxes.get(41), push, 0);
        tick(driver, 300);
        long hash = simulation.hash();
        driver.close();
        game.close();
        return hash;
    }

    /** So the simulation is not {@link Restorable}. */
    @Test
    void posesAndVelocitiesArePutBackButWhatTouchesGoesOnOtherwise() {
        assertThat(isTheSameAgain(1, 20)).as("a box that falls").isTrue();
        assertThat(isTheSameAgain(60, 100)).as("a pile").isFalse();
    }

    private boolean isTheSameAgain(int boxesOfPile, int ticks) {
        PhysxGame game = new PhysxGame(0);
        SyncTest test = SyncTest.of(new PutBack(pile(game, boxesOfPile)));
        InlineDriver driver = PhysicsService.builder(test).inline(clock);
        tick(driver, ticks);
        driver.close();
        game.close();
        return test.divergence().isEmpty();
    }

    private PhysxWorldSimulation pile(PhysxGame game, int count) {
        boxes.clear();
        PhysxWorldSimulation simulation = new PhysxWorldSimulation(game.world());
        for (int box = 0; box < count; box++) {
            int layer = box / 6;
            PxRigidDynamic added = game.addBox(1.1 * (box % 6) + 0.07 * layer, 1 + 1.2 * layer);
            boxes.add(added);
            simulation.attach(added, box);
        }
        return simulation;
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
    }

    /** All that can be set of a body. */
    private final class PutBack extends ForwardingSimulation implements Restorable {

        PutBack(Simulation simulation) {
            super(simulation);
        }

        @Override
        public void save(StateBuffer to) {
            for (PxRigidDynamic box : boxes) {
                PxVec3 p = box.getGlobalPose().getP();
                PxQuat q = box.getGlobalPose().getQ();
                put(p, to);
                to.put((double) q.getX())
                        .put((double) q.getY())
                        .put((double) q.getZ())
                        .put((double) q.getW());
                put(box.getLinearVelocity(), to);
                put(box.getAngularVelocity(), to);
                to.put((double) box.getWakeCounter());
            }
        }

        private void put(PxVec3 v, StateBuffer to) {
            to.put((double) v.getX()).put((double) v.getY()).put((double) v.getZ());
        }

        @Override
        public void restore(StateBuffer from) {
            for (PxRigidDynamic box : boxes) {
                PxVec3 p = vector(from);
                PxQuat q = new PxQuat(next(from), next(from), next(from), next(from));
                box.setGlobalPose(new PxTransform(p, q));
                box.setLinearVelocity(vector(from));
                box.setAngularVelocity(vector(from));
                box.setWakeCounter(next(from));
            }
        }

        private PxVec3 vector(StateBuffer from) {
            return new PxVec3(next(from), next(from), next(from));
        }

        private float next(StateBuffer from) {
            return (float) from.getDouble();
        }
    }
}
