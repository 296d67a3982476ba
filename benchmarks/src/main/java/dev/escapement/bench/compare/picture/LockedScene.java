package dev.escapement.bench.compare.picture;

import dev.escapement.bench.compare.scene.SceneCopy;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.locks.ReentrantLock;

/** One lock for the world: physics holds it while it steps, a frame while it copies. */
final class LockedScene {

    private final TickedScene scene;
    private final ReentrantLock lock = new ReentrantLock();

    LockedScene(TickedScene scene) {
        this.scene = scene;
    }

    /** The scene, stepped under the lock. Physics thread. */
    Simulation simulation() {
        return new Simulation() {
            @Override
            public void step(Tick tick) throws Exception {
                lock.lock();
                try {
                    scene.step(tick);
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void capture(PoseWriter poses) throws Exception {
                scene.capture(poses);
            }

            @Override
            public void close() {
                scene.close();
            }
        };
    }

    /** Draws the state as it stands when the lock is had. Render thread. */
    Picture picture(TickRate rate) {
        return new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                SceneCopy copy = copy();
                drawn(copy.probeX(), copy.tick(), rate, copy.ballHeight());
            }
        };
    }

    private SceneCopy copy() {
        lock.lock();
        try {
            return scene.copy();
        } finally {
            lock.unlock();
        }
    }
}
