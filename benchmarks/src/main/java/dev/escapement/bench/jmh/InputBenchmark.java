package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.InputContestant.InputQueue;
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
 * One input event, stamped and offered, and the drain that takes it, on one thread.
 *
 * <p>Escapement does more than the queues: it also checks the stamp against the clock, reads the clock to drain, sorts by time and
 * places the event in its tick. The queues make an object per event and hand events over as they arrived.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InputBenchmark {

    /** As a user would choose for 10,000 events a tick or fewer. */
    static final int CAPACITY = 16_384;

    /** One contestant, whose events are summed up as they are drained. */
    @State(Scope.Thread)
    public static class Contest {

        @Param
        InputContestant contestant = InputContestant.ESCAPEMENT;

        private @Nullable InputQueue queue;
        private long sum;

        /** Makes a new one. */
        @Setup
        public void create() {
            queue = contestant.create(CAPACITY, this::take);
        }

        boolean offer(int code) {
            return Objects.requireNonNull(queue).offer(System.nanoTime(), code, 1, 2);
        }

        int drain() {
            return Objects.requireNonNull(queue).drain();
        }

        /** What a tick does at least with an event: it looks at all of it. Only the thread that drains does so. */
        private void take(long timeNanos, int code, float x, float y) {
            sum += timeNanos + code + (long) (x + y);
        }
    }

    @Benchmark
    public long offerAndDrain(Contest contest) {
        contest.offer(1);
        contest.drain();
        return contest.sum;
    }
}
