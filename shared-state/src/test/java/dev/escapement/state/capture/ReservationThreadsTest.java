package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads reserve ids while another thread ticks. Every wait is for an event, never for a time. */
@Timeout(60)
class ReservationThreadsTest {

    private static final int THREADS = 3;
    private static final int EACH = 30_000;

    @Test
    void shouldNotExceedTheSlotsWhenThreadsRace() throws Exception {
        BodySlots few = new BodySlots(0, 10_007, 0);
        Set<Long> all = new HashSet<>();
        for (FutureTask<long[]> reserver : start(() -> reserveUntilRefused(few, EACH, "all 10007 slots"))) {
            for (long id : reserver.get()) {
                assertThat(all.add(id)).as(BodyId.toString(id)).isTrue();
            }
        }
        assertThat(all)
                .hasSize(10_007)
                .allSatisfy(id -> assertThat(BodyId.slot(id)).isBetween(0, 10_006));
        assertThat(few.everUsed()).isEqualTo(10_007);
    }

    /**
     * Threads reserve ids while a capture begins to count. One of the two sides is refused, and all slots from 0 are used. In every
     * second round a thread reserves first; in the others counting mostly wins.
     */
    @Test
    void shouldEitherCountOrReserve() throws Exception {
        int counted = 0;
        for (int round = 0; round < 200; round++) {
            BodySlots table = new BodySlots(0, BodySlots.MAX_SLOTS, 0);
            CountDownLatch go = new CountDownLatch(1);
            List<FutureTask<long[]>> reservers = start(() -> {
                go.await();
                return reserveUntilRefused(table, 1_000, "counts its bodies");
            });
            go.countDown();
            while (round % 2 == 1 && table.everUsed() == 0) {
                Thread.onSpinWait();
            }
            boolean counts = begins(table);
            counted += counts ? 1 : 0;
            int reserved = 0;
            for (FutureTask<long[]> reserver : reservers) {
                reserved += reserver.get().length;
            }
            assertThat(reserved == 0)
                    .as("reserved %d, counts %s", reserved, counts)
                    .isEqualTo(counts);
            assertThat(table.spawn()).isEqualTo(reserved);
        }
        assertThat(counted).as("rounds in which counting won").isBetween(1, 100);
    }

    private static boolean begins(BodySlots table) {
        try {
            table.beginCounting();
            return true;
        } catch (IllegalStateException reserved) {
            assertThat(reserved).hasMessageContaining("once an id was reserved");
            return false;
        }
    }

    private static List<FutureTask<long[]>> start(Callable<long[]> reserving) {
        List<FutureTask<long[]>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<long[]> task = new FutureTask<>(reserving);
            tasks.add(task);
            Thread thread = new Thread(task, "reserver-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        return tasks;
    }

    private static long[] reserveUntilRefused(BodySlots table, int most, String why) {
        List<Long> ids = new ArrayList<>();
        try {
            while (ids.size() < most) {
                ids.add(table.reserve());
            }
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining(why);
        }
        return ids.stream().mapToLong(Long::longValue).toArray();
    }
}
