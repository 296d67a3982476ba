package dev.escapement.bench.stress.world;

import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/** A world whose bodies all stand elsewhere in every tick. */
public final class PredictableWorld extends ModelledWorld {

    /** A prime, so that neighbours and successors differ. */
    private static final int STRIDE = 7919;

    private static final int PLACES = 1 << 16;

    private final int bodies;

    /** A world of so many bodies. */
    public PredictableWorld(int bodies) {
        this(bodies, tick -> {});
    }

    /** A world of so many bodies that does something else in each step, on the thread that ticks. */
    public PredictableWorld(int bodies, Consumer<Tick> atStep) {
        super(atStep);
        this.bodies = bodies;
    }

    /**
     * A world whose steps keep a core busy.
     *
     * @param stepNanos how long the step of each tick takes at least; asked on the physics thread, once a tick
     */
    public static PredictableWorld slow(int bodies, LongUnaryOperator stepNanos) {
        return new PredictableWorld(bodies, tick -> {
            long endNanos = System.nanoTime() + stepNanos.applyAsLong(tick.number());
            while (System.nanoTime() - endNanos < 0) {
                Thread.onSpinWait();
            }
        });
    }

    @Override
    void capture(long now, PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            float place = place(now, body);
            poses.set(body, place, place + 1, place + 2, 0, 0, 0, 1);
        }
    }

    @Override
    public boolean test(Snapshot snapshot) {
        if (snapshot.poses().slotCount() != bodies) {
            return false;
        }
        for (int body = 0; body < bodies; body++) {
            PoseBlock block = snapshot.poses().blockOf(body);
            int i = body & PoseBlock.MASK;
            float place = place(snapshot.tick(), body);
            if (block.px[i] != place || block.py[i] != place + 1 || block.pz[i] != place + 2 || block.qw[i] != 1) {
                return false;
            }
        }
        return true;
    }

    /** Small enough that a float holds it exactly. */
    private static float place(long tick, int body) {
        return Math.floorMod((tick + body) * STRIDE, PLACES);
    }
}
