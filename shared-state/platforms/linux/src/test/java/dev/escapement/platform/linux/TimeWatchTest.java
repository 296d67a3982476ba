package dev.escapement.platform.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.ChildJvm;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a watch with the recorder and the garbage collector of this JVM. */
@Timeout(60)
class TimeWatchTest {

    private static final long SLACK_NANOS =
            100_000; // the tolerance between the recorder's clock and ours, in the best of several readings

    private static final int COLLECTIONS = 5;

    private final MetricRing<TickMetric> ring = new MetricRing<>(16, TickMetric.class);
    private final ConcurrentLinkedQueue<long[]> pauses = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> late = new ConcurrentLinkedQueue<>();

    /** An application's event, which the watch must not enable. */
    private static final class OfAnApplication extends Event {}

    /** In each tick the JVM collects garbage. By the tick's metrics, the thread neither runs nor waits for a core meanwhile. */
    @Test
    void shouldReportPausesAndEnableNoOtherEvents() {
        OfAnApplication event = new OfAnApplication();
        TimeWatch watch = TimeWatch.start(ring, new TimeWatch.Listener() {
            @Override
            public void paused(long fromNanos, long toNanos, String name) {
                pauses.add(new long[] {fromNanos, toNanos});
                assertThat(name).isNotEmpty();
            }

            @Override
            public void late(long tick, long fromNanos, long toNanos, TakenTime taken) {
                late.add(tick);
            }
        });
        long[][] asked = new long[COLLECTIONS][];
        for (int tick = 0; tick < COLLECTIONS; tick++) {
            long fromNanos = System.nanoTime();
            System.gc();
            asked[tick] = new long[] {fromNanos, System.nanoTime()};
            late(tick, asked[tick]);
        }
        assertThat(event.isEnabled()).isFalse();
        watch.close();
        watch.close();
        assertThat(late).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(List.of(asked))
                .allMatch(
                        call -> pauses.stream()
                                .anyMatch(
                                        pause -> call[0] - pause[0] < SLACK_NANOS && pause[1] - call[1] < SLACK_NANOS),
                        "within the call, to which the recorder's clock is fitted");
        assertThat(pauses).isNotEmpty().allMatch(pause -> pause[1] > pause[0], "begins before it ends");
        TakenTime lost = watch.lost();
        long askedNanos =
                List.of(asked).stream().mapToLong(call -> call[1] - call[0]).sum();
        assertThat(lost.totalNanos()).isEqualTo(askedNanos);
        assertThat(lost.jvmNanos())
                .as("the pauses, clipped to the calls; a busy machine adds other time to these: %s", lost.inPercent())
                .isPositive();
        assertThat(Thread.getAllStackTraces().keySet())
                .isNotEmpty()
                .noneMatch(thread -> thread.getName().equals("escapement-time-watch"));
    }

    @Test
    void shouldJudgeTicksOnAJavaRuntimeWithoutJfr() throws Exception {
        assertThat(ChildJvm.output("--limit-modules=java.logging,java.management,jdk.unsupported", Main.class, ""))
                .isEqualTo("lost 5000 ns");
    }

    static final class Main {

        public static void main(String[] args) {
            TimeWatchTest test = new TimeWatchTest();
            TimeWatch watch = TimeWatch.start(test.ring, TimeWatch.Listener.NONE);
            test.late(1, new long[] {0, 5000});
            watch.close();
            System.out.println("lost " + watch.lost().totalNanos() + " ns");
        }
    }

    private void late(int tick, long[] fromTo) {
        ring.begin();
        ring.set(TickMetric.TICK, tick);
        ring.set(TickMetric.DUE_NANOS, fromTo[0]);
        ring.set(TickMetric.STARTED_NANOS, fromTo[0]);
        ring.set(TickMetric.ENDED_NANOS, fromTo[1]);
        ring.set(TickMetric.SKIPPED_NANOS, fromTo[1] - fromTo[0]);
        ring.set(TickMetric.PERIOD_NANOS, 1);
        ring.set(TickMetric.WAITED_BEFORE_NANOS, -1);
        ring.set(TickMetric.RAN_BEFORE_NANOS, -1);
        ring.end();
    }
}
