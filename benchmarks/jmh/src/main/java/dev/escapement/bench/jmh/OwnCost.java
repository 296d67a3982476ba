package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The time of the service without the engine's calls. They alternate with its own calls, body by body, so timing them separately would
 * measure the clock; instead, each tick of Jolt is played back immediately by a simulation that only writes the same poses. The caches
 * are as after Jolt's step, as in the tick itself. Also the time that recording takes on the physics thread, which is not in the
 * tick's own time.
 *
 * @param bodies         how many
 * @param tickMicros     the whole tick with Jolt, median
 * @param ownMicros      the tick that was played back, median; including its reading of the poses
 * @param hashMicros     reading the state from the engine and hashing it, median
 * @param handOverMicros hashes of groups and handing over to the thread that writes, median
 * @param flightMicros   what a flight recorder does beside the hash, median
 */
record OwnCost(
        int bodies,
        double tickMicros,
        double ownMicros,
        double hashMicros,
        double handOverMicros,
        double flightMicros) {

    /** The rate of {@link PushedWorld}. */
    private static final TickRate RATE = TickRate.hertz(100);

    /** Until the code is compiled, the pile has fallen, and each of the recording's buffers has been used. */
    private static final int WARM_UP_TICKS = 2 * Recording.RING_TICKS;

    /** For eight states of the largest pile. */
    private static final long MAX_FLIGHT_BYTES = 256L << 20;

    /** How often {@code progress} is called. */
    static int steps(int ticks) {
        return WARM_UP_TICKS + ticks;
    }

    static OwnCost measure(int bodies, int ticks, Runnable progress) throws IOException {
        Path folder = Files.createTempDirectory("escapement-cost");
        Path log = folder.resolve("cost.esclog");
        Path flights = folder.resolve("flights");
        for (Path path : List.of(folder, log, flights, flights.resolve("lock"))) {
            path.toFile().deleteOnExit(); // after its content, which is registered later
        }
        Histogram tickNanos = new Histogram(3);
        Histogram ownNanos = new Histogram(3);
        Histogram hashNanos = new Histogram(3);
        Histogram handOverNanos = new Histogram(3);
        Histogram flightNanos = new Histogram(3);
        RunDescription run = new RunDescription("jolt", JoltWorldSimulation.version(), "cost", 0, RATE);
        Recording recording = Recording.create(log, run);
        FlightRecorder flight = FlightRecorder.in(flights, run).maxBytes(MAX_FLIGHT_BYTES);
        JoltBodies pile = new JoltBodies(new BoxPile(bodies).scene(false));
        Recorded recorded = new Recorded(recording, flight);
        PlayedBack playedBack = new PlayedBack(bodies);
        try (recording;
                PushedWorld jolt = new PushedWorld(pile, bodies, recorded);
                PushedWorld own = new PushedWorld(playedBack, bodies)) {
            jolt.run(3); // until there is a window, from which poses can be read
            for (int tick = -WARM_UP_TICKS; tick < ticks; tick++) {
                jolt.prepare();
                own.prepare();
                long startNanos = System.nanoTime();
                jolt.tick();
                long tookNanos = System.nanoTime() - startNanos - recorded.tookNanos();
                playedBack.load(jolt.poses());
                long ownStartNanos = System.nanoTime();
                own.tick();
                long ownTookNanos = System.nanoTime() - ownStartNanos;
                if (tick >= 0) {
                    tickNanos.recordValue(tookNanos);
                    ownNanos.recordValue(ownTookNanos);
                    hashNanos.recordValue(recorded.hashNanos);
                    handOverNanos.recordValue(recorded.handOverNanos);
                    flightNanos.recordValue(Math.max(0, recorded.flightNanos - recorded.hashNanos));
                }
                progress.run();
            }
        }
        Optional<RecordingFailure> failure = recording.failure().or(flight::failure);
        if (failure.isPresent()) {
            throw failure.get().cause();
        }
        return new OwnCost(
                bodies,
                median(tickNanos),
                median(ownNanos),
                median(hashNanos),
                median(handOverNanos),
                median(flightNanos));
    }

    private static double median(Histogram nanos) {
        return nanos.getValueAtPercentile(50) / 1e3;
    }

    /** The share of a tick's time that recording takes, in percent. */
    double recordingPercent() {
        return 100 * (hashMicros + handOverMicros) / (1e6 * RATE.dtSeconds());
    }

    /** Records each tick by both, and times that. */
    private static final class Recorded implements TickHook {

        private final Recording recording;
        private final FlightRecorder flight;
        private long hashNanos;
        private long handOverNanos;
        private long flightNanos;

        Recorded(Recording recording, FlightRecorder flight) {
            this.recording = recording;
            this.flight = flight;
        }

        @Override
        public void begin(TickAccess run) {
            recording.begin(run);
            flight.begin(run);
        }

        @Override
        public void stepping(Tick tick) {
            long beginNanos = System.nanoTime();
            flight.stepping(tick);
            flightNanos = System.nanoTime() - beginNanos;
        }

        @Override
        public void stepped(SteppedTick tick) {
            long startNanos = System.nanoTime();
            long unused = tick.stateHash();
            long hashedNanos = System.nanoTime();
            recording.stepped(tick);
            handOverNanos = System.nanoTime() - hashedNanos;
            hashNanos = hashedNanos - startNanos;
        }

        @Override
        public void atRest(long tick, boolean bodiesChanged) {
            long startNanos = System.nanoTime();
            flight.atRest(tick, bodiesChanged); // which hashes again
            flightNanos += System.nanoTime() - startNanos;
        }

        @Override
        public void end() {
            flight.end();
        }

        long tookNanos() {
            return hashNanos + handOverNanos + flightNanos;
        }
    }

    /** A simulation without an engine: it writes the poses that another one has published, of all bodies, moved or not. */
    static final class PlayedBack implements Simulation {

        private final PoseBlocks poses;

        PlayedBack(int bodies) {
            poses = PoseArrays.room(bodies);
        }

        /** Takes the other's newest poses, for the next tick. */
        void load(PoseBlocks published) {
            PoseArrays.copy(published, poses);
        }

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter writer) {
            writer.bodyCount(poses.slotCount());
            for (int body = 0; body < poses.slotCount(); body++) {
                PoseBlock p = poses.blockOf(body);
                int i = body & PoseBlock.MASK;
                writer.set(body, p.px[i], p.py[i], p.pz[i], p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
            }
        }
    }
}
