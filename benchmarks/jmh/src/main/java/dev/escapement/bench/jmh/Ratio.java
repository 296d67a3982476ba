package dev.escapement.bench.jmh;

import java.util.ArrayList;
import java.util.List;

/**
 * A ratio of two benchmarks: for a goal of this library, or to compare another one with it.
 *
 * @param group       the table of the results to which it belongs
 * @param says        the quotient in words
 * @param numerator   a benchmark, with its parameters
 * @param denominator another
 * @param goal        "at least" or "at most" and a number, empty if there is none
 */
record Ratio(String group, String says, String numerator, String denominator, String goal) {

    /**
     * A line that starts with '#' begins a table: its title, a benchmark class, and parameters of all its methods. Any other line: the
     * quotient in words, numerator, denominator, and a goal if there is one.
     */
    private static final String ALL = """
            # The handover beside its floor | HandoffFloorBenchmark
            empty publish to 1 reader and an acquire, over two getAndSet | escapementHandover readers=1 \
            | floorGetAndSet readers=1 | at most 1.5
            empty publish to 4 readers and an acquire, over five getAndSet | escapementHandover readers=4 | floorGetAndSet readers=4
            acquire that finds nothing new, over a volatile read | escapementNothingNew readers=1 | floorVolatileRead readers=1 | at most 3
            # A writer of 10,000 bodies and a reader that never rest: a peer's writer over ours | HandoffContendedBenchmark | bodies=10000
            JCTools' SPSC queue | oneReader contestant=JCTOOLS#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            # Blending 10,000 bodies | InterpolationBenchmark | bodies=10000
            lerp + slerp, over copying a pose | escapementSlerp | floorCopy | at most 4.5
            JOML's lerp + slerp per object, over ours | jomlSlerp | escapementSlerp | at least 40
            interleaved poses, over copying a pose | escapementInterleavedPose | floorCopy | at most 12
            ours without vector code, over ours | escapementSlerpScalar | escapementSlerp
            looking ahead, over lerp + slerp | escapementAhead | escapementSlerp | at most 1.5
            # Capturing 10,000 bodies | CaptureBenchmark | bodies=10000
            nothing moved, over all moved | escapementUnmoved | escapementAllMoved | at most 0.02
            all moved, from arrays, over one call each | escapementAllMovedBulk | escapementAllMoved
            all moved, over copying a pose | escapementAllMoved | floorCopy
            rotations that have drifted, over regular ones | escapementAllMovedDrifted | escapementAllMoved | at most 1.5
            the same from arrays | escapementAllMovedBulkDrifted | escapementAllMovedBulk | at most 1.5
            # An input event, offered and drained | InputBenchmark
            ours, over JCTools' queue | escapementOfferAndDrain | jctoolsOfferAndDrain
            # A host's tick of 1,000 worlds in lock step | HostStepBenchmark
            worlds of 50 bodies in Jolt, over a parallel loop over bare simulations \
            | escapementTickAll load=JOLT worlds=1000 | floorParallelLoop load=JOLT worlds=1000 | at most 1.11
            worlds of 10 springs | escapementTickAll load=SPRINGS worlds=1000 | floorParallelLoop load=SPRINGS worlds=1000
            a round of a learning loop on them: an action for each, the tick, all poses read, over the tick \
            | escapementRound load=SPRINGS worlds=1000 | escapementTickAll load=SPRINGS worlds=1000
            """;

    /** All ratios of the results. */
    static List<Ratio> all() {
        List<Ratio> ratios = new ArrayList<>();
        String[] table = {};
        for (String line : ALL.lines().toList()) {
            String[] parts = line.split(" \\| ", -1);
            if (line.startsWith("# ")) {
                table = parts;
            } else {
                String goal = parts.length > 3 ? parts[3] : "";
                ratios.add(
                        new Ratio(table[0].substring(2), parts[0], name(table, parts[1]), name(table, parts[2]), goal));
            }
        }
        return ratios;
    }

    /** The parameters of all methods come first: in the order of the alphabet, as JMH writes them. */
    private static String name(String[] table, String method) {
        String parameters = table.length > 2 ? " " + table[2] : "";
        return table[1] + "." + method.replaceFirst("\\w+", "$0" + parameters);
    }
}
