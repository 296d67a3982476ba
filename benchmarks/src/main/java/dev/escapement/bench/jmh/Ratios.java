package dev.escapement.bench.jmh;

import java.util.ArrayList;
import java.util.List;

/** The ratios that the results are told in: a goal of ours, or a peer over us. */
final class Ratios {

    private static final String MANY = " bodies=10000";

    /** A parameter of benchmarks, and what tables call it. */
    private record Peer(HandoffContestant peer, String says) {
        private String parameter() {
            return " peer=" + peer;
        }
    }

    private static final List<Peer> PEERS = List.of(
            new Peer(HandoffContestant.LOCK, "a lock and a copy"),
            new Peer(HandoffContestant.SYNCHRONIZED, "a synchronized triple buffer"),
            new Peer(HandoffContestant.FRESH_SNAPSHOT, "a fresh snapshot per tick"),
            new Peer(HandoffContestant.LINKED_QUEUE, "ConcurrentLinkedQueue"),
            new Peer(HandoffContestant.JCTOOLS, "JCTools' SPSC queue"),
            new Peer(HandoffContestant.DISRUPTOR, "Disruptor"));

    private Ratios() {}

    static List<Ratio> all() {
        List<Ratio> ratios = new ArrayList<>();
        addFloors(ratios);
        addPeers(
                ratios,
                "The handover of 10,000 bodies, on one thread: a peer over ours",
                "HandoffBenchmark.",
                "Handover" + MANY);
        addPeers(
                ratios,
                "An acquire that finds nothing new: a peer over ours",
                "HandoffBenchmark.",
                "NothingNew bodies=1000");
        addContended(ratios);
        addInterpolation(ratios);
        addCapture(ratios);
        addInput(ratios);
        return ratios;
    }

    private static void addFloors(List<Ratio> ratios) {
        String group = "The handover beside its floor";
        String floor = "HandoffFloorBenchmark.";
        ratios.add(Ratio.of(
                        group,
                        "empty publish and the acquire that takes it, over two getAndSet",
                        floor + "escapementHandover",
                        floor + "floorTwoGetAndSet")
                .atMost(1.5));
        ratios.add(Ratio.of(
                        group,
                        "acquire that finds nothing new, over a volatile read",
                        floor + "escapementNothingNew",
                        floor + "floorVolatileRead")
                .atMost(3));
        for (int readers : new int[] {1, 2, 4}) {
            ratios.add(Ratio.of(
                    group,
                    "empty publish to " + readers + (readers == 1 ? " reader" : " readers") + ", over a getAndSet each",
                    floor + "escapementPublish readers=" + readers,
                    floor + "floorGetAndSetEach readers=" + readers));
        }
    }

    private static void addPeers(List<Ratio> ratios, String group, String prefix, String suffix) {
        for (Peer peer : PEERS) {
            ratios.add(Ratio.of(
                    group, peer.says(), prefix + "peer" + suffix + peer.parameter(), prefix + "escapement" + suffix));
        }
    }

    private static void addContended(List<Ratio> ratios) {
        String group = "A writer of 10,000 bodies and a reader that never rest: a peer's writer over ours";
        String prefix = "HandoffContendedBenchmark.";
        for (Peer peer : PEERS) {
            ratios.add(Ratio.of(
                    group,
                    peer.says(),
                    prefix + "peer" + MANY + peer.parameter() + "#peerWrite",
                    prefix + "escapement" + MANY + "#escapementWrite"));
        }
    }

    private static void addInterpolation(List<Ratio> ratios) {
        String group = "Blending 10,000 bodies";
        String slerp = blend("escapementSlerp");
        String floor = blend("floorCopy");
        ratios.add(Ratio.of(group, "lerp + slerp, over copying a pose", slerp, floor)
                .atMost(4.5));
        ratios.add(Ratio.of(group, "JOML's lerp + slerp per object, over ours", blend("jomlSlerp"), slerp)
                .atLeast(40));
        ratios.add(Ratio.of(group, "interleaved poses, over copying a pose", blend("escapementInterleavedPose"), floor)
                .atMost(12));
        ratios.add(Ratio.of(
                        group, "interleaved matrices, over copying a pose", blend("escapementInterleavedMatrix"), floor)
                .atMost(12));
        ratios.add(Ratio.of(group, "ours without vector code, over ours", blend("escapementSlerpScalar"), slerp));
        ratios.add(Ratio.of(group, "lerp + nlerp, over lerp + slerp", blend("escapementNlerp"), slerp));
        ratios.add(Ratio.of(group, "Hermite + slerp, over lerp + slerp", blend("escapementHermiteSlerp"), slerp));
        ratios.add(Ratio.of(group, "JOML's lerp + nlerp per object, over our slerp", blend("jomlNlerp"), slerp));
        ratios.add(Ratio.of(group, "jMonkeyEngine's lerp + slerp per object, over ours", blend("jmeSlerp"), slerp));
        ratios.add(Ratio.of(group, "libGDX's lerp + slerp per object, over ours", blend("libgdxSlerp"), slerp));
    }

    private static void addCapture(List<Ratio> ratios) {
        String group = "Capturing 10,000 bodies";
        String moved = capture("escapementAllMoved");
        ratios.add(Ratio.of(group, "nothing moved, over all moved", capture("escapementUnmoved"), moved)
                .atMost(0.02));
        ratios.add(Ratio.of(
                group, "one in a hundred moved, over all moved", capture("escapementOneInHundredMoved"), moved));
        ratios.add(Ratio.of(
                group, "all moved, from arrays, over one call each", capture("escapementAllMovedBulk"), moved));
        ratios.add(Ratio.of(group, "all moved, over copying a pose", moved, capture("floorCopy")));
    }

    private static void addInput(List<Ratio> ratios) {
        String group = "An input event, offered and drained";
        String ours = "InputBenchmark.escapementOfferAndDrain";
        String peer = "InputBenchmark.peerOfferAndDrain peer=";
        ratios.add(Ratio.of(group, "ours, over JCTools' queue", ours, peer + InputContestant.JCTOOLS));
        ratios.add(Ratio.of(group, "ours, over ConcurrentLinkedQueue", ours, peer + InputContestant.LINKED_QUEUE));
    }

    private static String blend(String method) {
        return "InterpolationBenchmark." + method + MANY;
    }

    private static String capture(String method) {
        return "CaptureBenchmark." + method + MANY;
    }

    /**
     * Two benchmarks that say something together.
     *
     * @param group       which table it belongs to
     * @param says        what is divided by what
     * @param numerator   a benchmark, see {@link Measurements}
     * @param denominator another
     * @param atLeast     the goal's lower end, negative infinity for none
     * @param atMost      the goal's upper end, infinity for none
     */
    record Ratio(String group, String says, String numerator, String denominator, double atLeast, double atMost) {

        private static final double NONE = Double.POSITIVE_INFINITY;

        static Ratio of(String group, String says, String numerator, String denominator) {
            return new Ratio(group, says, numerator, denominator, -NONE, NONE);
        }

        Ratio atMost(double most) {
            return new Ratio(group, says, numerator, denominator, atLeast, most);
        }

        Ratio atLeast(double least) {
            return new Ratio(group, says, numerator, denominator, least, atMost);
        }

        /** The goal in words, empty if there is none. */
        String goal() {
            return atMost < NONE ? "at most " + number(atMost) : atLeast > -NONE ? "at least " + number(atLeast) : "";
        }

        /** "met" or "missed", empty if there is no goal; the measured ratio counts, not its interval. */
        String verdict(Estimate estimate) {
            return goal().isEmpty() ? "" : estimate.ratio() >= atLeast && estimate.ratio() <= atMost ? "met" : "missed";
        }

        private static String number(double value) {
            return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
        }
    }
}
