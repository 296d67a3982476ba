package dev.escapement.bench.jmh;

import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One publish and the acquire that takes it, on one thread. Every contestant fills all poses before publishing and reads all poses
 * after acquiring; with 0 bodies the handover alone is left. And an acquire that finds nothing new.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffBenchmark {

    /** One contestant and so many bodies. */
    @State(Scope.Thread)
    public abstract static class Contest {

        @Param({"0", "1000", "10000"})
        int bodies;

        private @Nullable Handoff handoff;
        private int value;

        abstract Handoff newHandoff();

        /** Makes a new one. */
        @Setup
        public void create() {
            handoff = newHandoff();
            created();
        }

        /** Called once there is one. */
        void created() {}

        final boolean write() {
            Handoff to = Objects.requireNonNull(handoff);
            Poses.fill(to.begin(), value++);
            return to.publish();
        }

        final Handoff.Reader newReader() {
            return Objects.requireNonNull(handoff).newReader();
        }
    }

    /** Writer and reader in one thread. */
    public abstract static class OneThread extends Contest {

        private Handoff.@Nullable Reader reader;

        /** Hands over often enough that the reader holds something. */
        @Override
        void created() {
            reader = newReader();
            for (int i = 0; i < 4; i++) {
                handOver();
            }
        }

        /** Everything has been taken. */
        final @Nullable PoseBlocks nothingNew() {
            return Objects.requireNonNull(reader).acquire();
        }

        final int handOver() {
            write();
            PoseBlocks latest = Objects.requireNonNull(reader).acquire();
            return latest == null ? 0 : Poses.read(latest);
        }
    }

    /** Escapement's exchange. */
    public static class Escapement extends OneThread {
        @Override
        Handoff newHandoff() {
            return HandoffContestant.ESCAPEMENT.create(bodies, 1);
        }
    }

    /** What people use today. */
    public static class Peer extends OneThread {

        @Param({"LOCK", "SYNCHRONIZED", "FRESH_SNAPSHOT", "LINKED_QUEUE", "JCTOOLS", "DISRUPTOR"})
        HandoffContestant peer = HandoffContestant.LOCK;

        @Override
        Handoff newHandoff() {
            return peer.create(bodies, 1);
        }
    }

    @Benchmark
    public int escapementHandover(Escapement contest) {
        return contest.handOver();
    }

    @Benchmark
    public int peerHandover(Peer contest) {
        return contest.handOver();
    }

    @Benchmark
    public @Nullable Object escapementNothingNew(Escapement contest) {
        return contest.nothingNew();
    }

    @Benchmark
    public @Nullable Object peerNothingNew(Peer contest) {
        return contest.nothingNew();
    }
}
