package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.InputBenchmark.Contest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One or four producers that stamp and offer without a pause, and a consumer that drains without a pause, a thread each. All queues
 * hold as many events and refuse what is too much; the counters {@code accepted}, {@code refused} and {@code drained} tell which
 * offers were worth something. Compare {@code drained}: a score alone can be won by refusing.
 *
 * <p>Escapement also checks each stamp against the clock and sorts by time what is drained, in a heap that costs more the more waits;
 * the queues hand over as events arrived. Where there are fewer cores than threads, it is the operating system that decides who is
 * measured.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class InputContendedBenchmark {

    /** What a producer was told. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Offers {

        /** Events that were accepted. */
        public long accepted;

        /** Events that were refused. */
        public long refused;

        private int code;

        /** JMH counts per iteration. */
        @Setup(Level.Iteration)
        public void reset() {
            accepted = 0;
            refused = 0;
        }

        boolean offerTo(Contest contest) {
            boolean isAccepted = contest.offer(code++);
            if (isAccepted) {
                accepted++;
            } else {
                refused++;
            }
            return isAccepted;
        }
    }

    /** What the consumer took. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Drains {

        /** Events that were drained. */
        public long drained;

        /** JMH counts per iteration. */
        @Setup(Level.Iteration)
        public void reset() {
            drained = 0;
        }

        int drain(Contest contest) {
            int events = contest.drain();
            drained += events;
            return events;
        }
    }

    /** The queue that the threads of a group share. */
    @State(Scope.Group)
    public static class Shared extends Contest {}

    @Benchmark
    @Group("oneProducer")
    public boolean oneProducerOffer(Shared contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("oneProducer")
    public int oneProducerDrain(Shared contest, Drains drains) {
        return drains.drain(contest);
    }

    @Benchmark
    @Group("fourProducers")
    @GroupThreads(4)
    public boolean fourProducersOffer(Shared contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("fourProducers")
    public int fourProducersDrain(Shared contest, Drains drains) {
        return drains.drain(contest);
    }
}
