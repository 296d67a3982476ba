package dev.escapement.bench.cost;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.measure.Median;
import dev.escapement.physics.Tick;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What it costs the physics thread to write a tick down: the hash of the state, the digests of its bodies, and the handing over
 * to the thread that writes. What the engine needs to tell its state is left out: the same state is hashed from an array.
 *
 * @param bodies           how many
 * @param hashMicros       the hash, median
 * @param handOverMicros   digests and handing over, median
 * @param bytesPerTick     what both allocated
 * @param fileBytesPerTick how much longer the file became
 */
record RecordingCost(
        int bodies, double hashMicros, double handOverMicros, double bytesPerTick, double fileBytesPerTick) {

    static final TickRate RATE = TickRate.hertz(100);

    /** For the JIT compiler, and until each of the ticks that wait for the disk has been used. */
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
        long bytes = 0;
        RecordedInput input = new RecordedInput();
        JoltPile simulation = new JoltPile(new BoxPile(bodies));
        PlayedStates states = new PlayedStates(simulation);
        RunDescription run = new RunDescription("jolt", JoltWorldSimulation.version(), "cost", 0, RATE);
        Recording recording = Recording.create(file, run);
        try (PushedWorld jolt = new PushedWorld(simulation, bodies)) {
            recording.begin(states, RATE, false);
            for (int tick = 1 - WARM_UP_TICKS; tick <= ticks; tick++) {
                jolt.run(1);
                states.load();
                Tick recorded = new Tick(RATE, tick + WARM_UP_TICKS, 0, 0, input.frame(), false);
                long bytesBefore = threads.getCurrentThreadAllocatedBytes();
                long startNanos = System.nanoTime();
                long hash = states.hash();
                long hashedNanos = System.nanoTime();
                recording.tick(recorded, false, hash);
                long endNanos = System.nanoTime();
                if (tick > 0) {
                    bytes += threads.getCurrentThreadAllocatedBytes() - bytesBefore;
                    hashNanos[tick - 1] = hashedNanos - startNanos;
                    handOverNanos[tick - 1] = endNanos - hashedNanos;
                }
                recording.awaitRoom();
                progress.run();
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
                (double) bytes / ticks,
                (double) Files.size(file) / steps(ticks));
    }

    /** Of a tick's time. */
    double percentOfTick() {
        return 100 * (hashMicros + handOverMicros) / (1e6 * RATE.dtSeconds());
    }
}
