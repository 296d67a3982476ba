package dev.escapement.bench.jmh;

import dev.escapement.bench.handoff.Contestant;
import dev.escapement.bench.handoff.Handoff;
import dev.escapement.bench.handoff.Poses;
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
 * One publish and the acquire that takes it, on one thread. Everybody fills all poses before publishing and reads all poses
 * after acquiring; with 0 bodies the handover alone is left. And an acquire that finds nothing new.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffBenchmark {

    /** One contestant, a reader, and so many bodies. */
    @State(Scope.Thread)
    public abstract static class Contest {

        /** How many. */
        @Param({"0", "1000", "10000"})
        private int bodies;

        private final Contestant contestant;
        private @Nullable Handoff handoff;
        private Handoff.@Nullable Reader reader;
        private int value;

        Contest(Contestant contestant) {
            this.contestant = contestant;
        }

        /** Makes a new one and hands over often enough that the reader holds something. */
        @Setup
        public void create() {
            handoff = contestant.create(bodies, 1);
            reader = handoff.newReader();
            for (int i = 0; i < 4; i++) {
                handOver();
            }
        }

        /** Everything has been taken. */
        boolean nothingNew() {
            return Objects.requireNonNull(reader).acquire();
        }

        int handOver() {
            Handoff to = Objects.requireNonNull(handoff);
            Handoff.Reader from = Objects.requireNonNull(reader);
            Poses.fill(to.begin(), value++);
            to.publish();
            return from.acquire() ? Poses.read(from.poses()) : 0;
        }
    }

    /** The escapement contestant. */
    public static class Escapement extends Contest {
        /** Made by JMH. */
        public Escapement() {
            super(Contestant.ESCAPEMENT);
        }
    }

    /** The lock contestant. */
    public static class Lock extends Contest {
        /** Made by JMH. */
        public Lock() {
            super(Contestant.LOCK);
        }
    }

    /** The synchronized contestant. */
    public static class Synchronized extends Contest {
        /** Made by JMH. */
        public Synchronized() {
            super(Contestant.SYNCHRONIZED);
        }
    }

    /** The freshSnapshot contestant. */
    public static class FreshSnapshot extends Contest {
        /** Made by JMH. */
        public FreshSnapshot() {
            super(Contestant.FRESH_SNAPSHOT);
        }
    }

    /** The linkedQueue contestant. */
    public static class LinkedQueue extends Contest {
        /** Made by JMH. */
        public LinkedQueue() {
            super(Contestant.LINKED_QUEUE);
        }
    }

    /** The jctools contestant. */
    public static class Jctools extends Contest {
        /** Made by JMH. */
        public Jctools() {
            super(Contestant.JCTOOLS);
        }
    }

    /** The disruptor contestant. */
    public static class Disruptor extends Contest {
        /** Made by JMH. */
        public Disruptor() {
            super(Contestant.DISRUPTOR);
        }
    }

    @Benchmark
    public int escapementHandover(Escapement contest) {
        return contest.handOver();
    }

    @Benchmark
    public int lockHandover(Lock contest) {
        return contest.handOver();
    }

    @Benchmark
    public int synchronizedHandover(Synchronized contest) {
        return contest.handOver();
    }

    @Benchmark
    public int freshSnapshotHandover(FreshSnapshot contest) {
        return contest.handOver();
    }

    @Benchmark
    public int linkedQueueHandover(LinkedQueue contest) {
        return contest.handOver();
    }

    @Benchmark
    public int jctoolsHandover(Jctools contest) {
        return contest.handOver();
    }

    @Benchmark
    public int disruptorHandover(Disruptor contest) {
        return contest.handOver();
    }

    @Benchmark
    public boolean escapementNothingNew(Escapement contest) {
        return contest.nothingNew();
    }

    @Benchmark
    public boolean lockNothingNew(Lock contest) {
        return contest.nothingNew();
    }

    @Benchmark
    public boolean synchronizedNothingNew(Synchronized contest) {
        return contest.nothingNew();
    }

    @Benchmark
    public boolean freshSnapshotNothingNew(FreshSnapshot contest) {
        return contest.nothingNew();
    }

    @Benchmark
    public boolean linkedQueueNothingNew(LinkedQueue contest) {
        return contest.nothingNew();
    }

    @Benchmark
    public boolean jctoolsNothingNew(Jctools contest) {
        return contest.nothingNew();
    }

    @Benchmark
    public boolean disruptorNothingNew(Disruptor contest) {
        return contest.nothingNew();
    }
}
