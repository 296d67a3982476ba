package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.HandoffBenchmark.Contest;
import dev.escapement.state.snapshot.PoseBlocks;
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
import org.openjdk.jmh.annotations.State;

/**
 * A writer that fills and publishes without a pause, and one or two readers that acquire without a pause and read what is new, a
 * thread each. With two readers there are three threads: on fewer cores compare contestants, not figures.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffContendedBenchmark {

    /** With one reader. */
    @State(Scope.Group)
    public static class One extends Contest {

        @Param
        HandoffContestant contestant = HandoffContestant.ESCAPEMENT;

        @Override
        Handoff newHandoff() {
            return contestant.create(bodies, 1);
        }
    }

    /** With two readers, of those that can have two. */
    @State(Scope.Group)
    public static class Two extends Contest {

        @Param({"ESCAPEMENT", "LOCK", "FRESH_SNAPSHOT", "LINKED_QUEUE", "DISRUPTOR"})
        HandoffContestant contestant = HandoffContestant.ESCAPEMENT;

        @Override
        Handoff newHandoff() {
            return contestant.create(bodies, 2);
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
            PoseBlocks latest = reader.acquire();
            return latest == null ? 0 : Poses.read(latest);
        }
    }

    @Benchmark
    @Group("oneReader")
    public boolean oneReaderWrite(One contest) {
        return contest.write();
    }

    @Benchmark
    @Group("oneReader")
    public int oneReaderRead(One contest, Reading reading) {
        return reading.read(contest);
    }

    @Benchmark
    @Group("twoReaders")
    public boolean twoReadersWrite(Two contest) {
        return contest.write();
    }

    @Benchmark
    @Group("twoReaders")
    @GroupThreads(2)
    public int twoReadersRead(Two contest, Reading reading) {
        return reading.read(contest);
    }
}
