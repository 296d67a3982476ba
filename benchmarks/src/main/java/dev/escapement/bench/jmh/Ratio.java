package dev.escapement.bench.jmh;

import java.util.ArrayList;
import java.util.List;

/**
 * Two benchmarks that say something together: a goal of ours, or a peer over us.
 *
 * @param group       which table of the results it belongs to
 * @param says        what is divided by what
 * @param numerator   a benchmark, with its parameters
 * @param denominator another
 * @param goal        "at least" or "at most" and a number, empty if there is none
 */
record Ratio(String group, String says, String numerator, String denominator, String goal) {

    /**
     * A line that starts with '#' begins a table: its title, a benchmark class, and parameters of all its methods. The others: what is
     * divided by what, numerator, denominator, and a goal if there is one.
     */
    private static final String ALL = """
            # The handover beside its floor | HandoffFloorBenchmark
            empty publish and the acquire that takes it, over two getAndSet | escapementHandover | floorTwoGetAndSet | at most 1.5
            acquire that finds nothing new, over a volatile read | escapementNothingNew | floorVolatileRead | at most 3
            empty publish to 1 reader, over a getAndSet each | escapementPublish readers=1 | floorGetAndSetEach readers=1
            empty publish to 2 readers, over a getAndSet each | escapementPublish readers=2 | floorGetAndSetEach readers=2
            empty publish to 4 readers, over a getAndSet each | escapementPublish readers=4 | floorGetAndSetEach readers=4
            # The handover of 10,000 bodies, on one thread: a peer over ours | HandoffBenchmark | bodies=10000
            a lock and a copy | peerHandover peer=LOCK | escapementHandover
            a synchronized triple buffer | peerHandover peer=SYNCHRONIZED | escapementHandover
            a fresh snapshot per tick | peerHandover peer=FRESH_SNAPSHOT | escapementHandover
            ConcurrentLinkedQueue | peerHandover peer=LINKED_QUEUE | escapementHandover
            JCTools' SPSC queue | peerHandover peer=JCTOOLS | escapementHandover
            Disruptor | peerHandover peer=DISRUPTOR | escapementHandover
            # An acquire that finds nothing new: a peer over ours | HandoffBenchmark | bodies=1000
            a lock and a copy | peerNothingNew peer=LOCK | escapementNothingNew
            a synchronized triple buffer | peerNothingNew peer=SYNCHRONIZED | escapementNothingNew
            a fresh snapshot per tick | peerNothingNew peer=FRESH_SNAPSHOT | escapementNothingNew
            ConcurrentLinkedQueue | peerNothingNew peer=LINKED_QUEUE | escapementNothingNew
            JCTools' SPSC queue | peerNothingNew peer=JCTOOLS | escapementNothingNew
            Disruptor | peerNothingNew peer=DISRUPTOR | escapementNothingNew
            # A writer of 10,000 bodies and a reader that never rest: a peer's writer over ours | HandoffContendedBenchmark | bodies=10000
            a lock and a copy | oneReader contestant=LOCK#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            a synchronized triple buffer | oneReader contestant=SYNCHRONIZED#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            a fresh snapshot per tick | oneReader contestant=FRESH_SNAPSHOT#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            ConcurrentLinkedQueue | oneReader contestant=LINKED_QUEUE#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            JCTools' SPSC queue | oneReader contestant=JCTOOLS#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            Disruptor | oneReader contestant=DISRUPTOR#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            # Blending 10,000 bodies | InterpolationBenchmark | bodies=10000
            lerp + slerp, over copying a pose | escapementSlerp | floorCopy | at most 4.5
            JOML's lerp + slerp per object, over ours | jomlSlerp | escapementSlerp | at least 40
            interleaved poses, over copying a pose | escapementInterleavedPose | floorCopy | at most 12
            interleaved matrices, over copying a pose | escapementInterleavedMatrix | floorCopy | at most 12
            ours without vector code, over ours | escapementSlerpScalar | escapementSlerp
            lerp + nlerp, over lerp + slerp | escapementNlerp | escapementSlerp
            Hermite + slerp, over lerp + slerp | escapementHermiteSlerp | escapementSlerp
            looking ahead, over lerp + slerp | escapementAhead | escapementSlerp | at most 1.5
            the same while errors fade, a quarter of the time | escapementAheadFading | escapementSlerp
            looking ahead by velocities, over Hermite + slerp | escapementAheadAtVelocities | escapementHermiteSlerp | at most 1.5
            JOML's lerp + nlerp per object, over our slerp | jomlNlerp | escapementSlerp
            jMonkeyEngine's lerp + slerp per object, over ours | jmeSlerp | escapementSlerp
            libGDX's lerp + slerp per object, over ours | libgdxSlerp | escapementSlerp
            # Capturing 10,000 bodies | CaptureBenchmark | bodies=10000
            nothing moved, over all moved | escapementUnmoved | escapementAllMoved | at most 0.02
            one in a hundred moved, over all moved | escapementOneInHundredMoved | escapementAllMoved
            all moved, from arrays, over one call each | escapementAllMovedBulk | escapementAllMoved
            all moved, over copying a pose | escapementAllMoved | floorCopy
            # An input event, offered and drained | InputBenchmark
            ours, over JCTools' queue | offerAndDrain contestant=ESCAPEMENT | offerAndDrain contestant=JCTOOLS
            ours, over ConcurrentLinkedQueue | offerAndDrain contestant=ESCAPEMENT | offerAndDrain contestant=LINKED_QUEUE
            """;

    /** All that the results are told in. */
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

    /** "met" or "missed", empty if there is no goal; the measured ratio counts, not its interval. */
    String verdict(Estimate estimate) {
        if (goal.isEmpty()) {
            return "";
        }
        double limit = Double.parseDouble(goal.replaceFirst("at (least|most) ", ""));
        boolean met = goal.startsWith("at least") ? estimate.ratio() >= limit : estimate.ratio() <= limit;
        return met ? "met" : "missed";
    }
}
