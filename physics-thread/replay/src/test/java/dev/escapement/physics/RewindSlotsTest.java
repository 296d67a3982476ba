package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.replay.history.Reconciled;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Slots of bodies that spawn and despawn around rewinds. */
class RewindSlotsTest extends RewindFixture {

    /** A world whose bodies spawn and despawn by commands. */
    private static final class Guests implements Simulation, Restorable {

        final Set<Long> here = new TreeSet<>();
        boolean refuses;

        /** Makes the state larger. */
        byte[] padding = {};

        private final Set<Long> shown = new TreeSet<>();

        @Override
        public void step(Tick tick) {}

        @Override
        public long hash() {
            return here.hashCode();
        }

        @Override
        public void capture(PoseWriter poses) {
            shown.removeAll(here);
            shown.forEach(poses::despawnAs);
            shown.clear();
            for (long id : here) {
                poses.spawnAs(id, 0);
                poses.set(BodyId.slot(id), 0, 0, 0, 0, 0, 0, 1);
            }
            shown.addAll(here);
        }

        @Override
        public void save(StateBuffer to) {
            to.put((long) here.size());
            here.forEach(to::put);
            to.put(padding);
        }

        @Override
        public void restore(StateBuffer from) {
            if (refuses) {
                throw new RestoreRefusedException("not now");
            }
            here.clear();
            for (long left = from.getLong(); left > 0; left--) {
                here.add(from.getLong());
            }
            padding = from.getBytes();
        }
    }

    /** Starts a run in which the first guest spawns in tick 1 and despawns in tick 6. Returns that guest after two more ticks. */
    private Spawned<Boolean> spawnAndRemove(Guests guests) {
        return spawnAndRemove(guests, StateHistory.ofTicks(100));
    }

    private Spawned<Boolean> spawnAndRemove(Guests guests, StateHistory newHistory) {
        start(guests, newHistory);
        Spawned<Boolean> first = driver.spawn((tick, id) -> guests.here.add(id));
        run(5);
        assertThat(driver.command(tick -> guests.here.remove(first.id()))).isNotNull();
        run(3);
        return first;
    }

    @Test
    void shouldNotTakeTheSlotOfAReservedBody() {
        Guests guests = new Guests();
        Spawned<Boolean> first = spawnAndRemove(guests);
        CompletableFuture<Rewound> early = history.rewind(3);
        Spawned<Boolean> second = driver.spawn((tick, id) -> guests.here.add(id));
        assertThat(BodyId.slot(second.id())).as("used again").isZero();
        run(1);
        assertThatThrownBy(early::join)
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot go back now: slots of bodies that are gone (1) are reserved for others");
        assertThat(guests.here).as("nothing was restored").containsExactly(second.id());
        CompletableFuture<Rewound> went = history.rewind(3);
        run(1);
        assertThat(went.join().to()).isEqualTo(3);
        assertThat(guests.here).containsExactly(first.id());
    }

    /** Late input that waits for a reserved slot must not copy the past at each retry between ticks. */
    @Test
    void shouldNotCopyThePastWhileASlotIsReserved() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Guests guests = new Guests();
        guests.padding = new byte[1 << 20];
        assertThat(spawnAndRemove(guests, StateHistory.ofTicks(100).rollBack(50))
                        .id())
                .isNotZero();
        assertThat(driver.spawn((tick, id) -> guests.here.add(id)).id()).isNotZero();
        assertThat(driver.input().offer(clock.nanoTime() - 5_000_000, InputKind.KEY_DOWN, 87, 0, 0))
                .isTrue();
        long before = threads.getCurrentThreadAllocatedBytes();
        run(1);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(guests.padding.length);
        assertThat(driver.stats().droppedLateInputs()).as("it waits").isZero();
    }

    /** The reconciler waits while a spawn reserves the slot that the authority's state needs, until the spawn is cancelled. */
    @Test
    void shouldTakeAnAuthoritysStateOnceNoSlotIsReserved() {
        Guests guests = new Guests();
        List<Reconciled> reconciled = new ArrayList<>();
        Reconciler reconciler = new Reconciler(StateHistory.ofTicks(100), reconciled::add);
        List<CompletableFuture<?>> cancelled = new ArrayList<>();
        TickHook canceller = new TickHook() {
            @Override
            public void between() {
                cancelled.forEach(answer -> answer.cancel(false));
            }
        };
        start(PhysicsService.builder(guests).rate(RATE).with(reconciler).with(canceller));
        Spawned<Boolean> first = driver.spawn((tick, id) -> guests.here.add(id));
        run(5);
        StateBuffer state = new StateBuffer();
        guests.save(state);
        long hash = guests.hash();
        assertThat(driver.command(tick -> guests.here.remove(first.id()))).isNotNull();
        run(3);
        Spawned<Boolean> second = driver.spawn((tick, id) -> guests.here.add(id));
        assertThat(BodyId.slot(second.id())).as("used again").isZero();
        cancelled.add(second.answer());
        reconciler.offer(8, hash, state.toBytes());
        run(1);
        assertThat(reconciled).as("while the slot is reserved").isEmpty();
        run(1);
        assertThat(reconciled).extracting(Reconciled::outcome).containsExactly(Reconciled.Outcome.CORRECTED);
        assertThat(guests.here).containsExactly(first.id());
    }
}
