package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads that reserve while another ticks; every wait is for an event, never for a time. */
@Timeout(60)
class ReservationThreadsTest {

    private static final int THREADS = 3;
    private static final int EACH = 30_000;

    /** How many reserved ids and bodies of a thread exist at most, so that slots are used again. */
    private static final int AT_A_TIME = 70;

    private final BodySlots slots = new BodySlots(0, BodySlots.MAX_SLOTS, 0);
    private final ConcurrentLinkedQueue<Long> toSpawn = new ConcurrentLinkedQueue<>();
    private final Semaphore permits = new Semaphore(THREADS * AT_A_TIME);

    @Test
    void shouldGiveEveryIdOnceAndLoseNoSlot() throws Exception {
        List<FutureTask<long[]>> reservers = start(this::reserveMany);
        Deque<Long> bodies = new ArrayDeque<>();
        while (!reservers.stream().allMatch(FutureTask::isDone) || !toSpawn.isEmpty()) {
            tick(bodies, 40);
        }
        tick(bodies, 0);

        Set<Long> all = new HashSet<>();
        for (FutureTask<long[]> reserver : reservers) {
            for (long id : reserver.get()) {
                int generation = BodyId.generation(id);
                if (!all.add(id) || !BodyId.isLive(generation)) {
                    throw new AssertionError(BodyId.toString(id) + " was given before, or is no body's");
                }
            }
        }
        assertThat(all).hasSize(THREADS * EACH);
        assertThat(slots.liveCount()).isZero();
        assertThat(slots.slotCount()).isZero();
        slots.offerFree(); // the ids released last
        Set<Integer> left = new HashSet<>();
        int used = slots.everUsed();
        for (long id = slots.reserve(); BodyId.slot(id) < used; id = slots.reserve()) {
            assertThat(left.add(BodyId.slot(id))).isTrue();
            assertThat(all.contains(id)).as("waits and was given").isFalse();
        }
        while (left.size() < used) {
            assertThat(left.add(slots.spawn())).as("a free slot").isTrue();
        }
        assertThat(slots.everUsed())
                .as("every slot is free or waits, and only the one at the end is new")
                .isEqualTo(used + 1);
    }

    @Test
    void shouldGiveNoMoreSlotsThanThereAreToThreadsThatRace() throws Exception {
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
     * Rounds of threads that reserve while a capture begins to count: one of the two is refused, and all slots from 0 are used. In every
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

    /** Threads reserve slots while ids that were chosen elsewhere claim new ones and waiting ones among these: each goes to one of them. */
    @Test
    void shouldGiveASlotToAReservationOrToAnIdChosenElsewhere() throws Exception {
        for (int round = 0; round < 100; round++) {
            BodySlots table = new BodySlots(0, 3_000, 0);
            List<FutureTask<long[]>> reservers = start(() -> reserveUntilRefused(table, EACH, "all 3000 slots"));
            Set<Long> chosen = new HashSet<>();
            for (int slot = table.everUsed(); slot < 2_000; slot = table.everUsed() + slot % 3) {
                long id = BodyId.of(slot, 1);
                if (table.claim(id)) {
                    table.spawnAs(id);
                    chosen.add(id);
                    table.despawn(slot);
                    table.offerFree(); // the slot waits, in the queue
                    if (table.claim(id)) { // unless a thread took it first
                        assertThat(chosen.add(BodyId.of(slot, 3))).isTrue();
                        table.spawnAs(id);
                    }
                }
                table.offerFree(); // finds all that is free
            }
            for (FutureTask<long[]> reserver : reservers) {
                for (long id : reserver.get()) {
                    assertThat(chosen.contains(id)).as(BodyId.toString(id)).isFalse();
                }
            }
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

    /** One id in seven is released, the others become bodies. */
    private long[] reserveMany() throws InterruptedException {
        long[] ids = new long[EACH];
        for (int i = 0; i < EACH; i++) {
            permits.acquire();
            ids[i] = slots.reserve();
            if (i % 7 == 0) {
                slots.release(ids[i]);
                permits.release();
            } else {
                toSpawn.add(ids[i]);
            }
        }
        return ids;
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

    /** What a capture does: exchange, spawn what was reserved and some of its own, despawn the oldest. */
    private void tick(Deque<Long> bodies, int stay) {
        slots.offerFree();
        for (Long id = toSpawn.poll(); id != null; id = toSpawn.poll()) {
            slots.requireReserved(id, 0);
            slots.spawnAs(id);
            assertThat(slots.isReserved(id)).isFalse();
            bodies.add(id);
        }
        while (bodies.size() > stay) {
            slots.despawn(BodyId.slot(bodies.remove()));
            permits.release();
        }
        int own = slots.spawn();
        slots.despawn(own);
    }
}
