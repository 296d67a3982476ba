package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessWatchTest {

    private static final long END_NANOS = 200_000_000;

    @Test
    void shouldFindAThreadThatIsLeft() throws InterruptedException {
        ProcessWatch watch = new ProcessWatch(END_NANOS);
        CountDownLatch end = new CountDownLatch(1);
        Thread left = start("escapement-left", end);
        assertThat(watch.threadsLeft())
                .singleElement()
                .asString()
                .contains("escapement-left")
                .contains("awaitUninterrupted");
        end.countDown();
        left.join();
        assertThat(watch.threadsLeft()).isEmpty();
    }

    private static Thread start(String name, CountDownLatch end) {
        Thread thread = new Thread(() -> awaitUninterrupted(end), name);
        thread.start();
        return thread;
    }

    private static void awaitUninterrupted(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldFindAHandleThatIsLeft() throws IOException {
        ProcessWatch watch = new ProcessWatch(END_NANOS);
        assumeThat(watch.sample().handles()).isPositive();
        watch.setBase();
        try (ServerSocket left = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(left.isBound()).isTrue();
            assertThat(watch.handlesMore()).hasSize(1);
        }
        assertThat(watch.handlesMore()).isEmpty();
    }

    @Test
    void shouldMeasureTheHeapWithoutGarbage() {
        ProcessWatch watch = new ProcessWatch(END_NANOS);
        assertThat(watch.sample().heapAfterGcBytes()).isZero();
        watch.collected(); // other tests have left what only a second collection takes
        long before = watch.collected().heapAfterGcBytes();
        byte[][] kept = new byte[64][1 << 20];
        long garbage = 0;
        for (int i = 0; i < 64; i++) {
            garbage += new byte[1 << 20].length;
        }
        ProcessWatch.Sample after = watch.collected();
        assertThat(garbage).isEqualTo(64L << 20);
        assertThat(after.heapAfterGcBytes() - before).isBetween(56L << 20, 72L << 20);
        assertThat(kept).hasDimensions(64, 1 << 20);
        assertThat(watch.sample().heapAfterGcBytes()).isEqualTo(after.heapAfterGcBytes());
        assertThat(after.threads()).isPositive();
    }
}
