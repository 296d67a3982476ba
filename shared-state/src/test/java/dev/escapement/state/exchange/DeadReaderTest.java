package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** A dead thread loses its reader; a living thread keeps it. */
class DeadReaderTest {

    private final ExchangeFixture fixture = new ExchangeFixture(3, 1);

    @Test
    void shouldLetAnyThreadCloseADeadThreadsReader() throws Exception {
        SnapshotReader reader = fixture.exchange.attach();
        onADyingThread(reader::acquire);
        reader.close();
        assertThat(fixture.exchange.attach()).isNotNull();
    }

    @Test
    void shouldAttachInThePlaceOfADeadReader() throws Exception {
        fixture.publish(3);
        SnapshotReader dead = fixture.exchange.attach();
        onADyingThread(dead::acquire);
        SnapshotReader next = fixture.exchange.attach();
        assertThat(next.acquire()).isTrue();
        assertThat(next.window().newestTick()).isEqualTo(3);
        dead.close(); // Closing is idempotent. The place now belongs to the next reader.
        assertThatIllegalStateException().isThrownBy(dead::acquire).withMessageContaining("was detached");
        assertThatIllegalStateException()
                .isThrownBy(fixture.exchange::attach)
                .withMessageContaining("all 1 readers are attached");
    }

    @Test
    void shouldLeaveALivingThreadItsReader() throws Exception {
        SnapshotReader reader = fixture.exchange.attach();
        CountDownLatch used = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        Thread owner = new Thread(() -> {
            reader.acquire();
            used.countDown();
            awaitUninterrupted(tried);
            reader.close(); // the living thread still owns it
        });
        owner.start();
        used.await();
        assertThatIllegalStateException().isThrownBy(reader::close).withMessageContaining("belongs to one thread");
        assertThatIllegalStateException().isThrownBy(fixture.exchange::attach);
        tried.countDown();
        owner.join();
        assertThat(fixture.exchange.attach()).isNotNull();
    }

    @Test
    void shouldKeepAReaderThatNoThreadHasUsedYet() {
        SnapshotReader unused = fixture.exchange.attach();
        assertThatIllegalStateException().isThrownBy(fixture.exchange::attach);
        unused.acquire();
    }

    /** Two threads attach until no place is free. If both got the same place, each would take windows from the other. */
    @Test
    void shouldGiveADeadReadersPlaceToOneThread() throws Exception {
        int places = 20;
        for (int round = 0; round < 1_000; round++) {
            SnapshotExchange contended = new ExchangeFixture(3, places).exchange;
            onADyingThread(() -> {
                for (int i = 0; i < places; i++) {
                    contended.attach().acquire();
                }
            });
            CyclicBarrier both = new CyclicBarrier(2);
            FutureTask<Integer> other = new FutureTask<>(() -> attachAll(contended, both));
            new Thread(other).start();
            assertThat(attachAll(contended, both) + other.get()).isEqualTo(places);
        }
    }

    private static int attachAll(SnapshotExchange exchange, CyclicBarrier both) throws Exception {
        both.await();
        int attached = 0;
        try {
            while (true) {
                exchange.attach();
                attached++;
            }
        } catch (IllegalStateException full) {
            return attached;
        }
    }

    private static void onADyingThread(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
