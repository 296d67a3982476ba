package dev.escapement.bench.jmh;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the one-way latency of a publish: from its call until a reader that spins on another core has the window. The benchmark measures
 * half of a round trip, in which another thread answers each window by publishing its own. The floor sends a number back and forth in the
 * same way. To choose the two cores, start Java with {@code taskset -c A,B}.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OneWayBenchmark {

    private static final int WAYS = 2;

    interface Way {

        void send();

        boolean take();
    }

    /**
     * Both directions of a round trip. The calling thread sends by {@link #there}, and a thread that this object starts answers by {@link
     * #back}.
     */
    @State(Scope.Thread)
    public abstract static class RoundTrip {

        private final Way there;
        final Way back;
        private Thread echo = Thread.currentThread();

        /** Ends the answering thread. Volatile: that thread reads this field in a loop, and would else never see the write. */
        private volatile boolean ended;

        RoundTrip(Way there, Way back) {
            this.there = there;
            this.back = back;
        }

        private void echo() {
            while (!ended) {
                if (there.take()) {
                    back.send();
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        @Setup
        public void start() {
            echo = new Thread(this::echo, "echo");
            echo.start();
        }

        final void run() {
            there.send();
            while (!back.take()) {
                Thread.onSpinWait();
            }
        }

        @TearDown
        public void end() throws InterruptedException {
            ended = true;
            echo.join();
        }
    }

    public static class Exchanges extends RoundTrip {

        public Exchanges() {
            super(new ExchangeWay(), new ExchangeWay());
        }
    }

    /** A round trip of numbers, each in its own cache line. */
    public static class Words extends RoundTrip {

        public Words() {
            super(new WordWay(), new WordWay());
        }
    }

    /**
     * One direction, through an exchange. The exchange of {@link HandoffContendedBenchmark} cannot be used, because it also reads where the
     * poses are, which is one more cache miss of 50 ns.
     */
    private static final class ExchangeWay implements Way {

        private static final int WINDOW = 3;

        private final Timeline timeline = new Timeline(TumblingBodies.RATE);
        private final SnapshotExchange exchange;
        private final SnapshotWriter writer;
        private @Nullable SnapshotReader reader;
        private long tick;

        ExchangeWay() {
            timeline.start(0);
            exchange = new SnapshotExchange(WINDOW, 1, 0, timeline.rate(), PoseLayout.PLAIN, null);
            writer = exchange.writer();
        }

        @Override
        public void send() {
            do {
                tick++;
                writer.nextSnapshot().startTick(tick, tick);
                writer.publish(timeline, tick);
                // The first window needs several publishes, because readers acquire whole windows only.
            } while (tick < WINDOW);
        }

        @Override
        public boolean take() {
            if (reader == null) {
                reader = exchange.attach(); // attached here, because a reader belongs to the thread that attaches it
            }
            return reader.acquire();
        }
    }

    private static final class WordWay implements Way {

        private static final int PADDED = 32;

        private final AtomicIntegerArray words = new AtomicIntegerArray(2 * PADDED);
        private int sent;
        private int taken;

        /**
         * Sends a number. Release: pairs with the acquire of {@link #take()}, so that a reader of the number also sees all earlier writes,
         * as with a publish.
         */
        @Override
        public void send() {
            words.setRelease(PADDED, ++sent);
        }

        @Override
        public boolean take() {
            int value = words.getAcquire(PADDED);
            boolean isNew = value != taken;
            taken = value;
            return isNew;
        }
    }

    @Benchmark
    @OperationsPerInvocation(WAYS)
    public void escapementPublish(Exchanges trip) {
        trip.run();
    }

    @Benchmark
    @OperationsPerInvocation(WAYS)
    public void floorRelease(Words trip) {
        trip.run();
    }
}
