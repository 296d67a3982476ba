package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.measure.Median;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.lang.management.ManagementFactory;
import java.util.BitSet;

/**
 * What the service costs without the engine's calls. They stand between its own, body by body, so they cannot be timed apart
 * without timing the clock; instead, each tick of Jolt is played back at once by a simulation that has nothing to do but to
 * write the same poses. Jolt's step has just been through the caches, as it would have been in the tick itself.
 *
 * @param bodies       how many
 * @param moved        how many of them moved in a tick, on average
 * @param tickMicros   the whole tick with Jolt, median
 * @param ownMicros    the tick that was played back, median; its reading of the poses included
 * @param ratio        the one over the other, the median over the ticks
 * @param bytesPerTick what the played back ticks allocated
 */
record OwnCost(int bodies, double moved, double tickMicros, double ownMicros, double ratio, double bytesPerTick) {

    /** For the JIT compiler, and until the pile has fallen. */
    private static final int WARM_UP_TICKS = 500;

    /** As many as make a window, from which poses can be read. */
    private static final int FIRST_TICKS = 3;

    static OwnCost measure(int bodies, int ticks, Runnable progress) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        double[] tickNanos = new double[ticks];
        double[] ownNanos = new double[ticks];
        double[] ratios = new double[ticks];
        long moved = 0;
        long bytes = 0;
        PlayedBack playedBack = new PlayedBack(bodies);
        try (PushedWorld jolt = new PushedWorld(new JoltPile(new BoxPile(bodies)), bodies);
                PushedWorld own = new PushedWorld(playedBack, bodies)) {
            jolt.run(FIRST_TICKS);
            for (int tick = -WARM_UP_TICKS; tick < ticks; tick++) {
                jolt.prepare();
                own.prepare();
                long startNanos = System.nanoTime();
                jolt.tick();
                long tookNanos = System.nanoTime() - startNanos;

                playedBack.load(jolt.poses());
                long bytesBefore = threads.getCurrentThreadAllocatedBytes();
                long ownStartNanos = System.nanoTime();
                own.tick();
                long ownTookNanos = System.nanoTime() - ownStartNanos;
                long ownBytes = threads.getCurrentThreadAllocatedBytes() - bytesBefore;
                if (tick >= 0) {
                    tickNanos[tick] = tookNanos;
                    ownNanos[tick] = ownTookNanos;
                    ratios[tick] = (double) ownTookNanos / tookNanos;
                    moved += playedBack.moved();
                    bytes += ownBytes;
                }
                progress.run();
            }
        }
        return new OwnCost(
                bodies,
                (double) moved / ticks,
                Median.of(tickNanos) / 1e3,
                Median.of(ownNanos) / 1e3,
                Median.of(ratios),
                (double) bytes / ticks);
    }

    /** How often {@code progress} is told. */
    static int steps(int ticks) {
        return WARM_UP_TICKS + ticks;
    }

    /** A simulation without an engine: it writes the poses that another one has published, of the bodies that moved. */
    static final class PlayedBack implements Simulation {

        private final PoseBlocks poses;
        private final BitSet moved;

        PlayedBack(int bodies) {
            poses = Poses.room(bodies);
            moved = new BitSet(bodies);
        }

        /** Takes over the other's newest poses, for the next tick. */
        void load(PoseBlocks published) {
            for (int body = 0; body < poses.slotCount(); body++) {
                moved.set(body, !isSame(published.blockOf(body), poses.blockOf(body), body & PoseBlock.MASK));
            }
            Poses.copy(published, poses);
        }

        private static boolean isSame(PoseBlock a, PoseBlock b, int i) {
            return a.px[i] == b.px[i]
                    && a.py[i] == b.py[i]
                    && a.pz[i] == b.pz[i]
                    && a.qx[i] == b.qx[i]
                    && a.qy[i] == b.qy[i]
                    && a.qz[i] == b.qz[i]
                    && a.qw[i] == b.qw[i];
        }

        /** How many bodies moved in the tick loaded last. */
        int moved() {
            return moved.cardinality();
        }

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter writer) {
            writer.bodyCount(poses.slotCount());
            for (int body = 0; body < poses.slotCount(); body++) {
                if (moved.get(body)) {
                    PoseBlock p = poses.blockOf(body);
                    int i = body & PoseBlock.MASK;
                    writer.set(body, p.px[i], p.py[i], p.pz[i], p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
                }
            }
        }
    }
}
