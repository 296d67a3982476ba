package dev.escapement.bench.jmh;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A writer that fills and publishes without a pause, and one or two readers that acquire without a pause and read what is new, a
 * thread each. With two readers there are three threads: on fewer cores compare contestants, not figures.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffContendedBenchmark {

    /** One contestant and so many bodies, shared by the threads of a group. */
    @State(Scope.Group)
    public abstract static class Contest {

        @Param({"0", "1000", "10000"})
        int bodies;

        private final int readers;
        private @Nullable Handoff handoff;
        private int value;

        Contest(int readers) {
            this.readers = readers;
        }

        abstract HandoffContestant contestant();

        /** Makes a new one. */
        @Setup
        public void create() {
            handoff = contestant().create(bodies, readers);
        }

        boolean write() {
            Handoff to = Objects.requireNonNull(handoff);
            Poses.fill(to.begin(), value++);
            return to.publish();
        }

        Handoff.Reader newReader() {
            return Objects.requireNonNull(handoff).newReader();
        }
    }

    /** Escapement's exchange with one reader. */
    public static class Escapement extends Contest {

        /** Made by JMH. */
        public Escapement() {
            this(1);
        }

        Escapement(int readers) {
            super(readers);
        }

        @Override
        HandoffContestant contestant() {
            return HandoffContestant.ESCAPEMENT;
        }
    }

    /** Escapement's exchange with two readers. */
    public static class EscapementTwoReaders extends Escapement {

        /** Made by JMH. */
        public EscapementTwoReaders() {
            super(2);
        }
    }

    /** What people use today, with one reader. */
    public static class Peer extends Contest {

        @Param({"LOCK", "SYNCHRONIZED", "FRESH_SNAPSHOT", "LINKED_QUEUE", "JCTOOLS", "DISRUPTOR"})
        HandoffContestant peer = HandoffContestant.LOCK;

        /** Made by JMH. */
        public Peer() {
            super(1);
        }

        @Override
        HandoffContestant contestant() {
            return peer;
        }
    }

    /** What people use today, where it can have two readers. */
    public static class PeerTwoReaders extends Contest {

        @Param({"LOCK", "FRESH_SNAPSHOT", "LINKED_QUEUE", "DISRUPTOR"})
        HandoffContestant peer = HandoffContestant.LOCK;

        /** Made by JMH. */
        public PeerTwoReaders() {
            super(2);
        }

        @Override
        HandoffContestant contestant() {
            return peer;
        }
    }

    /** A reading thread's own reader, attached when it first reads, because some belong to the thread that attached them. */
    @State(Scope.Thread)
    public static class Reading {

        private Handoff.@Nullable Reader reader;

        int read(Contest contest) {
            if (reader == null) {
                reader = contest.newReader();
            }
            return reader.acquire() ? Poses.read(reader.poses()) : 0;
        }
    }

    @Benchmark
    @Group("escapement")
    @GroupThreads(1)
    public boolean escapementWrite(Escapement contest) {
        return contest.write();
    }

    @Benchmark
    @Group("escapement")
    @GroupThreads(1)
    public int escapementRead(Escapement contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("peer")
    @GroupThreads(1)
    public boolean peerWrite(Peer contest) {
        return contest.write();
    }

    @Benchmark
    @Group("peer")
    @GroupThreads(1)
    public int peerRead(Peer contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("escapementTwoReaders")
    @GroupThreads(1)
    public boolean escapementTwoReadersWrite(EscapementTwoReaders contest) {
        return contest.write();
    }

    @Benchmark
    @Group("escapementTwoReaders")
    @GroupThreads(2)
    public int escapementTwoReadersRead(EscapementTwoReaders contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("peerTwoReaders")
    @GroupThreads(1)
    public boolean peerTwoReadersWrite(PeerTwoReaders contest) {
        return contest.write();
    }

    @Benchmark
    @Group("peerTwoReaders")
    @GroupThreads(2)
    public int peerTwoReadersRead(PeerTwoReaders contest, Reading reading) {
        return reading.read(contest);
    }
}
