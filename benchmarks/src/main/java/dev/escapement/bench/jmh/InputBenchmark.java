package dev.escapement.bench.jmh;

import dev.escapement.bench.input.Contestant;
import dev.escapement.bench.jmh.InputStates.Contest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
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

    /** The escapement contestant. */
    @State(Scope.Thread)
    public static class Escapement extends Contest {
        /** Made by JMH. */
        public Escapement() {
            super(Contestant.ESCAPEMENT);
        }
    }

    /** The jctools contestant. */
    @State(Scope.Thread)
    public static class Jctools extends Contest {
        /** Made by JMH. */
        public Jctools() {
            super(Contestant.JCTOOLS);
        }
    }

    /** The linkedQueue contestant. */
    @State(Scope.Thread)
    public static class LinkedQueue extends Contest {
        /** Made by JMH. */
        public LinkedQueue() {
            super(Contestant.LINKED_QUEUE);
        }
    }

    @Benchmark
    public long escapementOfferAndDrain(Escapement contest) {
        return contest.offerAndDrain();
    }

    @Benchmark
    public long jctoolsOfferAndDrain(Jctools contest) {
        return contest.offerAndDrain();
    }

    @Benchmark
    public long linkedQueueOfferAndDrain(LinkedQueue contest) {
        return contest.offerAndDrain();
    }
}
