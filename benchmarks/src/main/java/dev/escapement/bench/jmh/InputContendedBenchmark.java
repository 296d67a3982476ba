package dev.escapement.bench.jmh;

import dev.escapement.bench.input.Contestant;
import dev.escapement.bench.jmh.InputStates.Contest;
import dev.escapement.bench.jmh.InputStates.Drains;
import dev.escapement.bench.jmh.InputStates.Offers;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

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

    /** The escapement contestant. */
    public static class Escapement extends Contest {
        /** Made by JMH. */
        public Escapement() {
            super(Contestant.ESCAPEMENT);
        }
    }

    /** The jctools contestant. */
    public static class Jctools extends Contest {
        /** Made by JMH. */
        public Jctools() {
            super(Contestant.JCTOOLS);
        }
    }

    /** The linkedQueue contestant. */
    public static class LinkedQueue extends Contest {
        /** Made by JMH. */
        public LinkedQueue() {
            super(Contestant.LINKED_QUEUE);
        }
    }

    @Benchmark
    @Group("escapementOne")
    @GroupThreads(1)
    public boolean escapementOneOffer(Escapement contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("escapementOne")
    @GroupThreads(1)
    public int escapementOneDrain(Escapement contest, Drains drains) {
        return drains.drain(contest);
    }

    @Benchmark
    @Group("jctoolsOne")
    @GroupThreads(1)
    public boolean jctoolsOneOffer(Jctools contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("jctoolsOne")
    @GroupThreads(1)
    public int jctoolsOneDrain(Jctools contest, Drains drains) {
        return drains.drain(contest);
    }

    @Benchmark
    @Group("linkedQueueOne")
    @GroupThreads(1)
    public boolean linkedQueueOneOffer(LinkedQueue contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("linkedQueueOne")
    @GroupThreads(1)
    public int linkedQueueOneDrain(LinkedQueue contest, Drains drains) {
        return drains.drain(contest);
    }

    @Benchmark
    @Group("escapementFour")
    @GroupThreads(4)
    public boolean escapementFourOffer(Escapement contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("escapementFour")
    @GroupThreads(1)
    public int escapementFourDrain(Escapement contest, Drains drains) {
        return drains.drain(contest);
    }

    @Benchmark
    @Group("jctoolsFour")
    @GroupThreads(4)
    public boolean jctoolsFourOffer(Jctools contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("jctoolsFour")
    @GroupThreads(1)
    public int jctoolsFourDrain(Jctools contest, Drains drains) {
        return drains.drain(contest);
    }

    @Benchmark
    @Group("linkedQueueFour")
    @GroupThreads(4)
    public boolean linkedQueueFourOffer(LinkedQueue contest, Offers offers) {
        return offers.offerTo(contest);
    }

    @Benchmark
    @Group("linkedQueueFour")
    @GroupThreads(1)
    public int linkedQueueFourDrain(LinkedQueue contest, Drains drains) {
        return drains.drain(contest);
    }
}
