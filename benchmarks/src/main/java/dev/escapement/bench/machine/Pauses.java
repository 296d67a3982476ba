package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.report.Table;
import dev.escapement.state.machine.JvmPauses;
import dev.escapement.state.time.Pacer;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** How long threads are stopped: in peace, and while garbage is made. */
final class Pauses {

    private static final long LENGTH_NANOS = 1_000_000_000;
    private static final long REST_NANOS = 1_000_000;
    private static final int CHUNK_BYTES = 1 << 10;
    private static final int CHUNKS_PER_REST = 256;
    private static final int CHUNKS_KEPT = 16_384;
    private static final double GOOD_MICROS = 1_000;
    private static final double FAIR_MICROS = 10_000;

    private Pauses() {}

    static List<Finding> look() {
        Summary peace = whileResting();
        Summary garbage;
        JvmPauses.Totals collector;
        try (JvmPauses pauses = JvmPauses.start()) {
            garbage = whileMakingGarbage();
            collector = pauses.soFar();
        }
        String names = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
        return List.of(
                Finding.info(
                        "collector",
                        String.format(
                                Locale.ROOT,
                                "%s: %,d collections, %,d ms in all, in a second of garbage",
                                names,
                                collector.collections(),
                                collector.collectionNanos() / 1_000_000),
                        "concurrent work counts too; Escapement makes no garbage, but your simulation may"),
                gap(
                        "gaps in peace",
                        peace,
                        "nothing stops the JVM's threads when nothing happens",
                        "a host, power saving or another program stops threads; 'load' above may say which"),
                gap(
                        "gaps under garbage",
                        garbage,
                        "collections and safepoints cost less than a tenth of a tick",
                        "a collection stops all threads this long: make less garbage, or use -XX:+UseZGC"));
    }

    private static Finding gap(String what, Summary micros, String ifGood, String otherwise) {
        return Finding.graded(
                what,
                micros.max(),
                "threads stood still for " + Table.duration(micros.p99()) + " p99, " + Table.duration(micros.max())
                        + " at most",
                GOOD_MICROS,
                FAIR_MICROS,
                ifGood,
                otherwise);
    }

    private static Summary whileResting() {
        MachineWitness witness = MachineWitness.start();
        try (witness) {
            Pacer.system().awaitUntil(System.nanoTime() + LENGTH_NANOS);
        }
        return witness.lateness();
    }

    /** Some hundred megabytes, of which the last few survive for a while, as in programs. */
    private static Summary whileMakingGarbage() {
        Deque<byte[]> kept = new ArrayDeque<>();
        MachineWitness witness = MachineWitness.start();
        try (witness) {
            for (long endNanos = System.nanoTime() + LENGTH_NANOS; System.nanoTime() - endNanos < 0; ) {
                for (int i = 0; i < CHUNKS_PER_REST; i++) {
                    kept.addLast(new byte[CHUNK_BYTES]);
                    if (kept.size() > CHUNKS_KEPT) {
                        kept.removeFirst();
                    }
                }
                LockSupport.parkNanos(REST_NANOS);
            }
        }
        return witness.lateness();
    }
}
