package dev.escapement.bench.compare.picture;

import dev.escapement.bench.compare.scene.SceneCopy;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.ArrayBlockingQueue;

/** A bounded queue of states: physics offers each, and drops it where there is no room; each frame takes one. */
final class FrameQueue {

    private final ArrayBlockingQueue<SceneCopy> queue;

    FrameQueue(int capacity) {
        queue = new ArrayBlockingQueue<>(capacity);
    }

    /** The scene, with every state offered to the queue. Physics thread. */
    Simulation offering(TickedScene scene) {
        return new Simulation() {
            @Override
            public void step(Tick tick) throws Exception {
                scene.step(tick);
            }

            @Override
            public void capture(PoseWriter poses) throws Exception {
                scene.capture(poses);
                queue.offer(scene.copy()); // a full queue drops the state: physics does not wait
            }

            @Override
            public void close() {
                scene.close();
            }
        };
    }

    /** Draws the state that has waited longest, or once more the last one. Render thread. */
    Picture picture(TickRate rate) {
        return new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                SceneCopy next = queue.poll();
                if (next == null) {
                    hold();
                } else {
                    drawn(next.probeX(), next.tick(), rate, next.ballHeight());
                }
            }
        };
    }
}
