package dev.escapement.bench.jmh;

import dev.escapement.bench.handoff.Contestant;
import dev.escapement.bench.jmh.ContendedHandoff.Contest;
import dev.escapement.bench.jmh.ContendedHandoff.Reading;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * A writer that fills and publishes without a pause, and a reader that acquires without a pause and reads what is new, a
 * thread each.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffContendedBenchmark {

    /** The escapement contestant with one reader. */
    public static class Escapement extends Contest {
        /** Made by JMH. */
        public Escapement() {
            super(Contestant.ESCAPEMENT, 1);
        }
    }

    /** The lock contestant with one reader. */
    public static class Lock extends Contest {
        /** Made by JMH. */
        public Lock() {
            super(Contestant.LOCK, 1);
        }
    }

    /** The synchronized contestant with one reader. */
    public static class Synchronized extends Contest {
        /** Made by JMH. */
        public Synchronized() {
            super(Contestant.SYNCHRONIZED, 1);
        }
    }

    /** The freshSnapshot contestant with one reader. */
    public static class FreshSnapshot extends Contest {
        /** Made by JMH. */
        public FreshSnapshot() {
            super(Contestant.FRESH_SNAPSHOT, 1);
        }
    }

    /** The linkedQueue contestant with one reader. */
    public static class LinkedQueue extends Contest {
        /** Made by JMH. */
        public LinkedQueue() {
            super(Contestant.LINKED_QUEUE, 1);
        }
    }

    /** The jctools contestant with one reader. */
    public static class Jctools extends Contest {
        /** Made by JMH. */
        public Jctools() {
            super(Contestant.JCTOOLS, 1);
        }
    }

    /** The disruptor contestant with one reader. */
    public static class Disruptor extends Contest {
        /** Made by JMH. */
        public Disruptor() {
            super(Contestant.DISRUPTOR, 1);
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
    @Group("lock")
    @GroupThreads(1)
    public boolean lockWrite(Lock contest) {
        return contest.write();
    }

    @Benchmark
    @Group("lock")
    @GroupThreads(1)
    public int lockRead(Lock contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("synchronized")
    @GroupThreads(1)
    public boolean synchronizedWrite(Synchronized contest) {
        return contest.write();
    }

    @Benchmark
    @Group("synchronized")
    @GroupThreads(1)
    public int synchronizedRead(Synchronized contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("freshSnapshot")
    @GroupThreads(1)
    public boolean freshSnapshotWrite(FreshSnapshot contest) {
        return contest.write();
    }

    @Benchmark
    @Group("freshSnapshot")
    @GroupThreads(1)
    public int freshSnapshotRead(FreshSnapshot contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("linkedQueue")
    @GroupThreads(1)
    public boolean linkedQueueWrite(LinkedQueue contest) {
        return contest.write();
    }

    @Benchmark
    @Group("linkedQueue")
    @GroupThreads(1)
    public int linkedQueueRead(LinkedQueue contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("jctools")
    @GroupThreads(1)
    public boolean jctoolsWrite(Jctools contest) {
        return contest.write();
    }

    @Benchmark
    @Group("jctools")
    @GroupThreads(1)
    public int jctoolsRead(Jctools contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("disruptor")
    @GroupThreads(1)
    public boolean disruptorWrite(Disruptor contest) {
        return contest.write();
    }

    @Benchmark
    @Group("disruptor")
    @GroupThreads(1)
    public int disruptorRead(Disruptor contest, Reading reading) {
        return reading.read(contest);
    }
}
