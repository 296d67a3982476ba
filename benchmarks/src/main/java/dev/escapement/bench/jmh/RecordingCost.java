package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.measure.ForwardingSimulation;
import dev.escapement.bench.measure.Median;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.StateHash;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What it costs the physics thread to write a tick down. Once without what the engine needs to tell its state: the same state is hashed
 * from an array.
 *
 * @param bodies           how many
 * @param hashMicros       the hash, median
 * @param handOverMicros   hashes of groups and handing over, median
 * @param readingMicros    the reading of the state from the engine and its hash, median
 * @param bytesPerTick     what both allocated
 * @param fileBytesPerTick how much longer the file became
 */
record RecordingCost(
        int bodies,
        double hashMicros,
        double handOverMicros,
        double readingMicros,
        double bytesPerTick,
        double fileBytesPerTick) {

    static final TickRate RATE = TickRate.hertz(100);

    /** For the JIT compiler, without the engine, whose ticks take a hundred times as long. */
    private static final int COMPILED_TICKS = 10_000;

    /** For the engine's part, and until each of the ticks that wait for the disk has been used. */
    private static final int WARM_UP_TICKS = 2 * Recording.RING_TICKS;

    /** How often {@code progress} is told. */
    static int steps(int ticks) {
        return WARM_UP_TICKS + ticks;
    }

    static RecordingCost measure(int bodies, int ticks, Runnable progress) throws IOException {
        Path folder = Files.createTempDirectory("escapement-cost");
        Path file = folder.resolve("cost.esclog");
        try {
            return measure(bodies, ticks, progress, file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static RecordingCost measure(int bodies, int ticks, Runnable progress, Path file) throws IOException {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        double[] hashNanos = new double[ticks];
        double[] handOverNanos = new double[ticks];
        double[] readingNanos = new double[ticks];
        long bytes = 0;
        RecordedInput input = new RecordedInput();
        JoltPile simulation = new JoltPile(new BoxPile(bodies));
        PlayedStates states = new PlayedStates(simulation);
        RunDescription run = new RunDescription("jolt", JoltWorldSimulation.version(), "cost", 0, RATE);
        Recording recording = Recording.create(file, run);
        HashedAfterStep engine = new HashedAfterStep(simulation);
        try (PushedWorld jolt = new PushedWorld(engine, bodies)) {
            recording.begin(states, RATE, false);
            for (int tick = 1 - WARM_UP_TICKS - COMPILED_TICKS; tick <= ticks; tick++) {
                if (tick > -WARM_UP_TICKS) {
                    jolt.run(1);
                    states.load();
                    progress.run();
                } else {
                    states.change();
                }
                Tick recorded = new Tick(RATE, tick + WARM_UP_TICKS + COMPILED_TICKS, 0, 0, input.frame(), false);
                long bytesBefore = threads.getCurrentThreadAllocatedBytes();
                long startNanos = System.nanoTime();
                long hash = states.hash();
                long hashedNanos = System.nanoTime();
                recording.tick(recorded, List.of(), false, hash);
                long endNanos = System.nanoTime();
                if (tick > 0) {
                    bytes += threads.getCurrentThreadAllocatedBytes() - bytesBefore;
                    hashNanos[tick - 1] = hashedNanos - startNanos;
                    handOverNanos[tick - 1] = endNanos - hashedNanos;
                    readingNanos[tick - 1] = engine.hashNanos;
                    if (hash != engine.hash) {
                        throw new IllegalStateException("tick " + tick + " has another hash from the array");
                    }
                }
                recording.awaitRoom();
            }
        } finally {
            recording.close();
        }
        if (recording.failure().isPresent()) {
            throw recording.failure().get().cause();
        }
        return new RecordingCost(
                bodies,
                Median.of(hashNanos) / 1e3,
                Median.of(handOverNanos) / 1e3,
                Median.of(readingNanos) / 1e3,
                (double) bytes / ticks,
                (double) Files.size(file) / (COMPILED_TICKS + steps(ticks)));
    }

    /** Of a tick's time. */
    double percentOfTick() {
        return 100 * (hashMicros + handOverMicros) / (1e6 * RATE.dtSeconds());
    }

    /** Of a tick's time, with the engine's reads. */
    double percentWithReads() {
        return 100 * (readingMicros + handOverMicros) / (1e6 * RATE.dtSeconds());
    }

    /** Hashes its state where a service does it: after the step and before the capture. */
    private static final class HashedAfterStep extends ForwardingSimulation {

        private long hash;
        private long hashNanos;

        HashedAfterStep(Simulation simulation) {
            super(simulation);
        }

        @Override
        public void step(Tick tick) throws Exception {
            super.step(tick);
            long startNanos = System.nanoTime();
            hash = simulation.hash();
            hashNanos = System.nanoTime() - startNanos;
        }
    }

    /** The state of another simulation's bodies as it was read last, in an array, so that to read it costs no engine's call. */
    static final class PlayedStates extends ForwardingSimulation implements BodyStates {

        private final int components = stateComponents().size();
        private final long[] words = new long[components * bodyCount()];

        PlayedStates(Simulation engine) {
            super(engine);
        }

        /** Takes over the engine's state now. */
        void load() {
            for (int body = 0; body < bodyCount(); body++) {
                super.readState(body, words, components * body);
            }
        }

        /** Changes every body. */
        void change() {
            for (int i = 0; i < words.length; i++) {
                words[i]++;
            }
        }

        /** As Jolt's simulation hashes what it has read. */
        @Override
        public long hash() {
            return StateHash.finish(StateHash.addAll(StateHash.start(), words));
        }

        @Override
        public void readState(int body, long[] bits, int at) {
            System.arraycopy(words, components * body, bits, at, components);
        }

        /** As Jolt's simulation copies what it has read. */
        @Override
        public void readStates(int from, int to, long[] bits) {
            System.arraycopy(words, components * from, bits, 0, components * (to - from));
        }
    }
}
