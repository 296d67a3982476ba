package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A simulation that computes everything from the number of its tick, so that any thread can check a snapshot of it.
 * Its bodies stay in their slots, and all have a different place in every tick.
 */
class PredictableWorld implements Simulation, Predicate<Snapshot> {

    /** A prime, so that neighbours and successors differ. */
    private static final int STRIDE = 7919;

    private static final int PLACES = 1 << 16;

    final int bodies;
    private final Consumer<Tick> atStep;
    private final Closings closings = new Closings();
    private long tick;

    PredictableWorld(int bodies) {
        this(bodies, tick -> {});
    }

    /** A world with an additional action in each step, on the thread that ticks. */
    PredictableWorld(int bodies, Consumer<Tick> atStep) {
        this.bodies = bodies;
        this.atStep = atStep;
    }

    @Override
    public void step(Tick next) {
        tick = next.number();
        atStep.accept(next);
    }

    @Override
    public final void capture(PoseWriter poses) {
        capture(tick, poses);
    }

    /** Writes the state of a tick. */
    void capture(long now, PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            float place = place(now, body);
            poses.set(body, place, place + 1, place + 2, 0, 0, 0, 1);
        }
    }

    /** Whether the snapshot holds the state of its tick. */
    @Override
    public boolean test(Snapshot snapshot) {
        if (snapshot.poses().slotCount() != bodies) {
            return false;
        }
        for (int body = 0; body < bodies; body++) {
            float place = place(snapshot.tick(), body);
            PoseBlock block = snapshot.poses().blockOf(body);
            int i = body & PoseBlock.MASK;
            if (block.px[i] != place || block.py[i] != place + 1 || block.pz[i] != place + 2 || block.qw[i] != 1) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        closings.add();
    }

    /** Checks that it was closed once, by a thread that has ended or ends now. After the service was closed or has failed. */
    final void checkEnd(Trial trial) {
        closings.checkThread(trial);
        closings.checkOnce(trial, "a simulation");
    }

    /** Small enough that a float holds it exactly. */
    private static float place(long tick, int body) {
        return Math.floorMod((tick + body) * STRIDE, PLACES);
    }

    /** How often an object of a service was closed, and by which threads. Any thread. */
    static final class Closings {

        private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

        private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();

        /** Notes a close on the calling thread. */
        void add() {
            closers.add(Thread.currentThread());
        }

        /** Checks {@link Promise#THREADS_END}: the closing thread has ended or ends now. After the service was closed or has failed. */
        void checkThread(Trial trial) {
            Polling.await(() -> !closers.isEmpty());
            boolean ended =
                    !closers.isEmpty() && closers.stream().allMatch(closer -> ThreadEnd.await(closer, END_NANOS));
            trial.check(Promise.THREADS_END, ended, () -> "the thread that ticked is still there: " + closers);
        }

        /** Checks {@link Promise#CLOSED_ONCE}, also if a returning thread closes it now. After the service was closed or has failed. */
        void checkOnce(Trial trial, String what) {
            Polling.await(() -> !closers.isEmpty());
            trial.check(
                    Promise.CLOSED_ONCE, closers.size() == 1, () -> what + " was closed " + closers.size() + " times");
        }
    }
}
