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
 * {@link HandoffContendedBenchmark} with a second reader, for those that can have one. Three threads: on fewer cores compare
 * contestants, not figures.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffTwoReadersBenchmark {

    /** The escapement contestant with two readers. */
    public static class EscapementTwoReaders extends Contest {
        /** Made by JMH. */
        public EscapementTwoReaders() {
            super(Contestant.ESCAPEMENT, 2);
        }
    }

    /** The lock contestant with two readers. */
    public static class LockTwoReaders extends Contest {
        /** Made by JMH. */
        public LockTwoReaders() {
            super(Contestant.LOCK, 2);
        }
    }

    /** The freshSnapshot contestant with two readers. */
    public static class FreshSnapshotTwoReaders extends Contest {
        /** Made by JMH. */
        public FreshSnapshotTwoReaders() {
            super(Contestant.FRESH_SNAPSHOT, 2);
        }
    }

    /** The linkedQueue contestant with two readers. */
    public static class LinkedQueueTwoReaders extends Contest {
        /** Made by JMH. */
        public LinkedQueueTwoReaders() {
            super(Contestant.LINKED_QUEUE, 2);
        }
    }

    /** The disruptor contestant with two readers. */
    public static class DisruptorTwoReaders extends Contest {
        /** Made by JMH. */
        public DisruptorTwoReaders() {
            super(Contestant.DISRUPTOR, 2);
        }
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
    @Group("lockTwoReaders")
    @GroupThreads(1)
    public boolean lockTwoReadersWrite(LockTwoReaders contest) {
        return contest.write();
    }

    @Benchmark
    @Group("lockTwoReaders")
    @GroupThreads(2)
    public int lockTwoReadersRead(LockTwoReaders contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("freshSnapshotTwoReaders")
    @GroupThreads(1)
    public boolean freshSnapshotTwoReadersWrite(FreshSnapshotTwoReaders contest) {
        return contest.write();
    }

    @Benchmark
    @Group("freshSnapshotTwoReaders")
    @GroupThreads(2)
    public int freshSnapshotTwoReadersRead(FreshSnapshotTwoReaders contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("linkedQueueTwoReaders")
    @GroupThreads(1)
    public boolean linkedQueueTwoReadersWrite(LinkedQueueTwoReaders contest) {
        return contest.write();
    }

    @Benchmark
    @Group("linkedQueueTwoReaders")
    @GroupThreads(2)
    public int linkedQueueTwoReadersRead(LinkedQueueTwoReaders contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("disruptorTwoReaders")
    @GroupThreads(1)
    public boolean disruptorTwoReadersWrite(DisruptorTwoReaders contest) {
        return contest.write();
    }

    @Benchmark
    @Group("disruptorTwoReaders")
    @GroupThreads(2)
    public int disruptorTwoReadersRead(DisruptorTwoReaders contest, Reading reading) {
        return reading.read(contest);
    }
}
