package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.Await;
import dev.escapement.state.StackEnd;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests ids that exist before their bodies: reserved ones, and those that another world or run has chosen. */
class ReservationTest {

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
    private final Reservations reservations = world.capture().reservations();

    private static void spawn(PoseWriter poses, long id) {
        poses.spawn(id, 100 + id);
        poses.set(BodyId.slot(id), 1, 2, 3, 0, 0, 0, 1);
    }

    private Snapshot spawnAll(long... ids) {
        return world.tick(poses -> {
            for (long id : ids) {
                spawn(poses, id);
            }
        });
    }

    private void despawnAll(long... ids) {
        world.tick(poses -> {
            for (long id : ids) {
                poses.despawn(id);
            }
        });
    }

    @Test
    void shouldSayThatAReservedBodyDoesNotExistYet() {
        long id = reservations.reserve();
        world.tick(poses -> assertThatIllegalArgumentException()
                .isThrownBy(() -> poses.slotOf(id))
                .withMessage("there is no body 0#1 in tick 1: it is reserved; spawn it first"));
    }

    /** A late or repeated release of an id must not allow a second body in its slot. */
    @Test
    void shouldIgnoreWhatIsGivenBackAndNotReserved() {
        long id = reservations.reserve();
        long twice = reservations.reserve();
        spawnAll(id);
        reservations.release(id);
        reservations.release(twice);
        reservations.release(twice);
        reservations.release(BodyId.of(77, 1));
        assertThat(world.tick().bodies().exists(id)).isTrue();
        assertThat(reservations.reserve()).isEqualTo(BodyId.of(1, 3));
        assertThat(reservations.reserve()).isEqualTo(BodyId.of(2, 1));
    }

    /** An id that was never reserved gives no access to its slot, even if it is the slot's next id. */
    @Test
    void shouldNotSpawnWhatStillWaitsToBeReserved() {
        long first = reservations.reserve();
        spawnAll(first);
        despawnAll(first);
        world.tick(); // slot 0 waits for a reservation from now on
        long madeUp = BodyId.of(0, 3);
        world.tick(poses -> assertThatIllegalArgumentException()
                .isThrownBy(() -> poses.spawn(madeUp, 7))
                .withMessage("body 0#3 cannot be spawned in tick 4: it was never reserved"));
        assertThat(reservations.reserve()).isEqualTo(madeUp);
        assertThat(spawnAll(madeUp).bodies().exists(madeUp)).isTrue();
    }

    /** While the world is paused, no capture comes that would free released ids, so {@code freeReleased} must. */
    @Test
    void shouldUseSlotsAgainBetweenTwoCaptures() {
        long kept = reservations.reserve();
        spawnAll(kept);
        Set<Long> given = new HashSet<>();
        for (int round = 0; round < 500; round++) {
            long id = reservations.reserve();
            assertThat(BodyId.slot(id)).isEqualTo(1);
            assertThat(given.add(id)).isTrue();
            reservations.release(id);
            reservations.freeReleased();
        }
        long last = reservations.reserve();
        Bodies bodies = spawnAll(last).bodies();
        assertThat(bodies.count()).isEqualTo(2);
        assertThat(given).hasSize(500).noneMatch(bodies::exists);
    }

    /** Slots of despawned bodies are soon reused, however many bodies spawn and despawn between two ticks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 1000})
    void shouldUseSlotsAgain(int bodies) {
        long[] ids = new long[bodies];
        Set<Long> given = new HashSet<>();
        int max = 0;
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < bodies; i++) {
                ids[i] = reservations.reserve();
                assertThat(given.add(ids[i])).isTrue();
            }
            int slots = spawnAll(ids).bodies().slotCount();
            if (round < 10) {
                max = Math.max(max, slots);
            }
            assertThat(slots).isLessThanOrEqualTo(max);
            despawnAll(ids);
            world.tick();
        }
        assertThat(max).isLessThan(4 * bodies + 1);
    }

    /**
     * A reservation polls the queue of free slots. If the poll ends with an error, an empty place blocks the queue until the physics thread
     * replaces it.
     */
    @Test
    void shouldLoseAtMostOneSlotToAFailedReservation() throws Exception {
        BodySlots slots = new BodySlots(100, BodySlots.MAX_SLOTS, 0);
        long[] ids = new long[100]; // more than the first queue has places, so that each round reaches earlier failures
        StackEnd stackEnd = new StackEnd(() -> ids[0] = slots.reservations.reserve());
        for (int round = 0; round < 100; round++) {
            slots.reservations.freeReleased();
            stackEnd.reach(round);
            Arrays.setAll(ids, i -> i == 0 ? ids[0] : slots.reservations.reserve());
            Arrays.stream(ids).forEach(slots::spawnAs);
            assertThat(slots.liveCount()).as("each its own slot").isEqualTo(100);
            while (slots.liveCount() > 0) {
                slots.despawn(slots.slotCount() - 1);
            }
        }
        assertThat(stackEnd.errors()).isGreaterThan(100);
        assertThat(slots.reservations.everUsed())
                .as("in use, waiting and lost")
                .isLessThanOrEqualTo(200 + stackEnd.errors());
    }

    @Test
    void shouldRefuseTheOneIdTooMany() {
        BodySlots few = new BodySlots(0, 2, 0);
        assertThat(List.of(few.reservations.reserve(), few.reservations.reserve()))
                .containsExactly(BodyId.of(0, 1), BodyId.of(1, 1));
        assertThatIllegalStateException()
                .isThrownBy(few.reservations::reserve)
                .withMessage("all 2 slots have a body or are reserved for one");
        assertThat(few.reservations.everUsed()).isEqualTo(2);
    }

    /**
     * Threads reserve ids while a capture begins to number the bodies itself. Its bodies get the lowest slots, and no reserved id. In every
     * second round a thread reserves first.
     */
    @Test
    @Timeout(60)
    void shouldCountHoweverManyIdsAreReserved() throws Exception {
        int counted = 0;
        for (int round = 0; round < 200; round++) {
            BodySlots table = new BodySlots(0, BodySlots.MAX_SLOTS, 0);
            CountDownLatch go = new CountDownLatch(1);
            List<FutureTask<Integer>> reservers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                reservers.add(new FutureTask<>(() -> reserveUntilRefused(table, go)));
                new Thread(reservers.get(i)).start();
            }
            go.countDown();
            if (round % 2 == 1) {
                Await.until(() -> table.reservations.everUsed() > 0);
            }
            table.countFromZero();
            int used = table.reservations.everUsed();
            int reserved = 0;
            for (FutureTask<Integer> reserver : reservers) {
                reserved += reserver.get();
            }
            counted += reserved == 0 ? 1 : 0;
            assertThat(reserved).isEqualTo(used).isEqualTo(table.reservations.everUsed());
            for (int slot = 0; slot <= reserved; slot++) {
                assertThat(table.reservations.isReserved(BodyId.of(slot, 1))).isFalse();
                assertThat(table.spawn()).isEqualTo(slot);
                assertThat(table.generation(slot)).isEqualTo(slot < reserved ? 3 : 1);
            }
        }
        assertThat(counted).as("rounds in which counting won").isBetween(1, 100);
    }

    @Test
    void shouldNotCountBodiesThatLiveBesideReservedIds() {
        BodySlots table = new BodySlots(0, 8, 0);
        table.reservations.reserve();
        table.spawn();
        assertThatIllegalStateException()
                .isThrownBy(table::countFromZero)
                .withMessageStartingWith("bodies cannot be counted from 0");
    }

    private static int reserveUntilRefused(BodySlots table, CountDownLatch go) throws InterruptedException {
        go.await();
        int reserved = 0;
        try {
            for (; reserved < 20_000; reserved++) {
                table.reservations.reserve();
            }
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining("counts its bodies");
        }
        return reserved;
    }

    private static void spawnAs(PoseWriter poses, long id) {
        poses.spawnAs(id, 7);
        poses.set(BodyId.slot(id), 1, 2, 3, 0, 0, 0, 1);
    }

    @Test
    void shouldHaveTheIdsThatWereChosen() {
        long far = BodyId.of(5, 41);
        long[] own = new long[3];
        Snapshot first = world.tick(poses -> {
            spawnAs(poses, far);
            spawnAs(poses, BodyId.of(1, 9));
            Arrays.setAll(own, i -> CapturedWorld.spawn(poses, 0));
            for (long id : new long[] {BodyId.of(1, 7), BodyId.of(3, 2), BodyId.of(-1, 1)}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> poses.spawnAs(id, 0))
                        .withMessageContaining(BodyId.toString(id))
                        .withMessageContaining("not free");
            }
        });
        assertThat(first.bodies().exists(far)).isTrue();
        assertThat(first.bodies().exists(BodyId.of(1, 9))).isTrue();
        assertThat(Arrays.stream(own).mapToInt(BodyId::slot)).containsExactly(0, 2, 3);
        assertThat(first.bodies().count()).isEqualTo(5);
        Snapshot second = world.tick(poses -> poses.despawn(far));
        assertThat(second.bodies().exists(far)).isFalse();
        assertThat(second.poses().slotCount()).isEqualTo(4);
        // The id has an older generation, as after a restart of the other world.
        Snapshot third = world.tick(poses -> spawnAs(poses, BodyId.of(5, 3)));
        assertThat(third.bodies().exists(BodyId.of(5, 3))).isTrue();
    }

    private long[] comeAndGo(int bodies) {
        long[] ids = new long[bodies];
        Arrays.setAll(ids, i -> reservations.reserve());
        spawnAll(ids);
        despawnAll(ids);
        return ids;
    }

    /** The slot of the body is in the queue from which threads reserve, because the body was despawned. */
    @Test
    void shouldRestoreABodyInASlotOfTheQueue() {
        long[] ids = comeAndGo(3);
        world.tick();
        Snapshot restored = world.tick(poses -> {
            assertThat(poses.spawnAs(ids[1], 7)).isTrue();
            assertThat(poses.spawnAs(ids[1], 7)).as("it is there").isFalse();
            poses.set(1, 1, 2, 3, 0, 0, 0, 1);
        });
        assertThat(restored.bodies().exists(ids[1])).isTrue();
        assertThat(reservations.reserve()).isEqualTo(BodyId.of(0, 3));
        assertThat(reservations.reserve()).isEqualTo(BodyId.of(2, 3));
        assertThat(reservations.reserve()).as("a new slot").isEqualTo(BodyId.of(3, 1));
        world.tick(poses -> poses.despawn(ids[1]));
        world.tick();
        assertThat(reservations.reserve()).as("waits again").isEqualTo(BodyId.of(1, 3));
    }

    /** More slots are free than the queue for reservations has places. So the next body takes a slot that did not fit into the queue. */
    @Test
    void shouldUseASlotThatDidNotFitTheQueue() {
        comeAndGo(70);
        Snapshot snapshot = world.tick(poses -> {
            long id = CapturedWorld.spawn(poses, 0);
            assertThat(id).isEqualTo(BodyId.of(64, 3));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> poses.spawnAs(BodyId.of(64, 9), 7))
                    .withMessageContaining("body 64#9 cannot be spawned in tick 3");
            poses.despawnAs(BodyId.of(64, 1));
            assertThat(poses.slotOf(id)).isEqualTo(64);
        });
        assertThat(snapshot.bodies().count()).isEqualTo(1);
        assertThat(snapshot.bodies().exists(BodyId.of(64, 3))).isTrue();
    }

    /** A re-simulation must give every body the id of its first simulation. */
    @Test
    void shouldGiveTheSameIdsAgainAfterARestore() {
        long[] last = new long[1];
        world.tick(poses -> last[0] = CapturedWorld.spawn(poses, 0));
        for (int tick = 0; tick < 5; tick++) {
            world.tick(poses -> {
                poses.despawn(last[0]);
                last[0] = CapturedWorld.spawn(poses, 0);
            });
        }
        assertThat(last[0]).isEqualTo(BodyId.of(0, 11));
        world.tick(poses -> {
            poses.despawnAs(last[0]); // restores the id of the saved state
            poses.despawnAs(BodyId.of(0, 5));
            assertThat(CapturedWorld.spawn(poses, 0)).isEqualTo(BodyId.of(0, 7));
        });
    }

    /** Free slots wait for the reserving threads, so the next body gets a new slot. After a restore, the body must get this slot again. */
    @Test
    void shouldGiveTheSameIdsAgainAlsoWhenThreadsReserve() {
        long reserved = reservations.reserve();
        long[] own = new long[2];
        world.tick(poses -> {
            poses.spawn(reserved, 7);
            poses.set(BodyId.slot(reserved), 0, 0, 0, 0, 0, 0, 1);
            Arrays.setAll(own, i -> CapturedWorld.spawn(poses, 0));
        });
        world.tick(poses -> poses.despawn(own[0]));
        long[] first = repeated(own[1]);
        assertThat(first).containsExactly(BodyId.of(2, 3), BodyId.of(3, 1), BodyId.of(4, 1));
        for (int again = 0; again < 2; again++) {
            assertThat(reservations.hold()).isZero();
            world.tick(
                    poses -> { // restores the state before the ticks of repeated()
                        Arrays.stream(first).forEach(poses::despawnAs);
                        for (int slot = 3; slot <= 4; slot++) {
                            poses.despawnAs(BodyId.of(slot, -1));
                        }
                        poses.spawnAs(own[1], 0);
                        poses.set(BodyId.slot(own[1]), 0, 0, 0, 0, 0, 0, 1);
                    });
            reservations.hold(); // restores the same tick once more
            assertThat(repeated(own[1])).isEqualTo(first);
        }
        assertThat(reservations.reserve()).as("still waits").isEqualTo(BodyId.of(1, 3));
        assertThat(reservations.reserve()).as("a new slot").isEqualTo(BodyId.of(5, 1));
    }

    /** Returns the ids of three bodies: one replaces {@code going} in the first tick, one is new there, one is new two ticks later. */
    private long[] repeated(long going) {
        long[] ids = new long[3];
        world.tick(poses -> {
            poses.despawn(going);
            ids[0] = CapturedWorld.spawn(poses, 0);
            ids[1] = CapturedWorld.spawn(poses, 0);
        });
        world.tick();
        world.tick(poses -> ids[2] = CapturedWorld.spawn(poses, 0));
        return ids;
    }
}
