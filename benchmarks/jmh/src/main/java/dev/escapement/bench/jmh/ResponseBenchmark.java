package dev.escapement.bench.jmh;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.joml.Vector3f;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures how soon a service at 100 Hz responds to an input event that comes at a random time. One benchmark ends when a reader has the
 * snapshot of the tick that received the event. The other ends when a frame shows a body that begins to move because of the event. A frame
 * ends when its poses are blended; drawing and display are not included.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ResponseBenchmark {

    private static final TickRate RATE = TickRate.hertz(100);

    /** A world with one body, whose x is that of the latest event. */
    private static final class Follower implements Simulation {

        private float x;

        @Override
        public void step(Tick tick) {
            for (int i = 0; i < tick.input().size(); i++) {
                x = tick.input().event(i).x();
            }
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, x, 0, 0, 0, 0, 0, 1);
        }
    }

    /** A running service, and the thread that sends events to it. */
    @State(Scope.Thread)
    public abstract static class Running {

        final PhysicsService service =
                PhysicsService.builder(new Follower()).rate(RATE).start();

        /** Has a fixed seed, so that all runs draw the same waiting times. */
        private final SplittableRandom random = new SplittableRandom(1);

        private int sent;

        /** Returns a random instant within the next two tick periods. */
        final long randomNanos() {
            return System.nanoTime() + random.nextLong(RATE.nanosAt(2));
        }

        /** Sends an event, and returns the x to which it moves the body. */
        final float send() {
            sent++;
            if (!service.input().offer(System.nanoTime(), InputKind.APPLICATION, 1, sent, 0)) {
                throw new IllegalStateException("the ring of events is full; the service is " + service);
            }
            return sent;
        }

        static void awaitNanos(long nanos) {
            long leftNanos;
            while ((leftNanos = nanos - System.nanoTime()) > 0) {
                LockSupport.parkNanos(leftNanos);
            }
        }

        @TearDown
        public void close() {
            service.close();
        }
    }

    /** A reader that spins for the newest snapshot. */
    public static class Spinning extends Running {

        private final SnapshotReader reader = service.newReader();

        /** Waits, so that the event comes at a random time of a tick period. */
        @Setup(Level.Invocation)
        public void pause() {
            awaitNanos(randomNanos());
        }

        final float x() {
            return reader.acquire() ? reader.window().newest().poses().block(0).px[0] : Float.NaN;
        }
    }

    /** A view that makes a frame in each period of a display. */
    public static class Frames extends Running {

        @Param({"60", "144"})
        int hertz = 60;

        private final FrameView view = FrameView.of(service.newReader());
        private final Vector3f position = new Vector3f();
        private long dueNanos = System.nanoTime();

        /** Makes frames until the event is due, at a random time of a frame. */
        @Setup(Level.Invocation)
        public void pause() {
            long eventNanos = randomNanos();
            while (eventNanos - dueNanos >= 0 || !view.hasWindow()) {
                nextX();
            }
            awaitNanos(eventNanos);
        }

        final float nextX() {
            awaitNanos(dueNanos);
            dueNanos += TimeUnit.SECONDS.toNanos(1) / hertz;
            return view.advance(System.nanoTime()) ? view.positionOfSlot(0, position).x : 0;
        }
    }

    @Benchmark
    public void eventToSnapshot(Spinning reader) {
        float sent = reader.send();
        while (reader.x() != sent) { // NaN, which equals nothing, until there is a new snapshot
            Thread.onSpinWait();
        }
    }

    @Benchmark
    public void eventToFrame(Frames frames) {
        float before = frames.send() - 1;
        while (frames.nextX() <= before) {
            Thread.onSpinWait();
        }
    }
}
