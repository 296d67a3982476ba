package dev.escapement.bench.ratio;

import java.util.ArrayList;
import java.util.List;

/** The ratios that the results are told in: a goal of ours, or a peer over us. */
final class Ratios {

    private static final String MANY = " bodies=10000";

    /** What a peer is called in benchmarks, and in tables. */
    private record Peer(String name, String says) {}

    private static final List<Peer> PEERS = List.of(
            new Peer("lock", "a lock and a copy"),
            new Peer("synchronized", "a synchronized triple buffer"),
            new Peer("freshSnapshot", "a fresh snapshot per tick"),
            new Peer("linkedQueue", "ConcurrentLinkedQueue"),
            new Peer("jctools", "JCTools' SPSC queue"),
            new Peer("disruptor", "Disruptor"));

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
            ratios.add(Ratio.of(group, peer.says(), prefix + peer.name() + suffix, prefix + "escapement" + suffix));
        }
    }

    private static void addContended(List<Ratio> ratios) {
        String group = "A writer of 10,000 bodies and a reader that never rest: a peer's writer over ours";
        String prefix = "HandoffContendedBenchmark.";
        for (Peer peer : PEERS) {
            ratios.add(Ratio.of(
                    group,
                    peer.says(),
                    prefix + peer.name() + MANY + "#" + peer.name() + "Write",
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
        ratios.add(Ratio.of(group, "ours, over JCTools' queue", ours, "InputBenchmark.jctoolsOfferAndDrain"));
        ratios.add(
                Ratio.of(group, "ours, over ConcurrentLinkedQueue", ours, "InputBenchmark.linkedQueueOfferAndDrain"));
    }

    private static String blend(String method) {
        return "InterpolationBenchmark." + method + MANY;
    }

    private static String capture(String method) {
        return "CaptureBenchmark." + method + MANY;
    }
}
