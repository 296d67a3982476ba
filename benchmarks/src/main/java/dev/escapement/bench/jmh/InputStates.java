package dev.escapement.bench.jmh;

import dev.escapement.bench.input.Contestant;
import dev.escapement.bench.input.InputQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the threads of the input benchmarks share, and what each has of its own. */
public final class InputStates {

    /** As a user would choose for 10,000 events a tick or fewer. */
    static final int CAPACITY = 16_384;

    private InputStates() {}

    /** One contestant, whose events are summed up as they are drained. */
    @State(Scope.Group)
    public abstract static class Contest {

        private final Contestant contestant;
        private @Nullable InputQueue queue;
        private long sum;

        /** A contestant. */
        protected Contest(Contestant contestant) {
            this.contestant = contestant;
        }

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

        long offerAndDrain() {
            offer(1);
            drain();
            return sum;
        }

        /** What a tick does at least with an event: it looks at all of it. Only the thread that drains does so. */
        private void take(long timeNanos, int code, float x, float y) {
            sum += timeNanos + code + (long) (x + y);
        }
    }

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
}
