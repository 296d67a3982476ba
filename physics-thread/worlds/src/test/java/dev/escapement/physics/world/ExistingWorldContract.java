package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.TickDriver;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for shown bodies: readers see the attached bodies at the engine's poses, and no other
 * bodies, hashes cover their states, and each command acts in its tick. A test per engine extends this class, and the other contracts of
 * worlds.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
public abstract class ExistingWorldContract<W, B> extends ExistingWorldFixture<W, B> {

    /** The offset of the engine's name in a saved state: after three numbers. */
    private static final int NAME_AT = 3 * Long.BYTES;

    @Test
    void onlyAttachedBodiesAreShownAtTheEnginesPoses() {
        B low = attach(game.addBox(0, 0.8), 5);
        B high = attach(game.addBox(0.6, 2.5), 6); // topples off the lower box
        game.addBox(5, 3);
        tick(2);
        boolean turned = false;
        for (int tick = 0; tick < 300; tick++) {
            tick(1);
            assertShown(low);
            assertShown(high);
            assertThat(newest().bodies().count()).isEqualTo(2);
            turned |= game.pose(high)[6] < 0.99;
        }
        assertThat(turned).as("a rotation was compared").isTrue();
        assertThat(newest().bodies().userData(BodyId.slot(simulation.idOf(low))))
                .isEqualTo(5);
        assertThat(newest().bodies().userData(BodyId.slot(simulation.idOf(high))))
                .isEqualTo(6);
    }

    @Test
    void sleepingBodiesAreShownWhereTheyAreAndCostNothing() {
        B box = attach(game.addBox(0, 1), 1);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        assertShown(box);
        assertThat(newest().motion(0).changedTick()).isLessThan(ASLEEP_TICK - 10);
        double[] pose = game.pose(box);
        command(() -> {
            game.place(box, pose[0] + 1, pose[1]);
            simulation.worldRestored();
        });
        tick(1);
        assertShown(box);
        assertThat(newest().motion(0).changedTick())
                .as("after the world was put back")
                .isEqualTo(ASLEEP_TICK + 1);
        assertThat(foundJumps()).as("it has not jumped").isZero();
        tick(1);
        command(() -> game.setVelocity(box, 0, 3));
        tick(1);
        assertShown(box);
        assertThat(newest().motion(0).changedTick()).isEqualTo(ASLEEP_TICK + 3);
    }

    /** No frame shows a teleported body on its way, even if the body slept. The motion is broken only in the tick of the teleport. */
    @Test
    void aTeleportedBodyLeavesNoStreak() {
        B box = attach(game.addBox(0, 1), 1);
        tick(ASLEEP_TICK);
        int slot = BodyId.slot(simulation.idOf(box));
        assertThat(newest().bodies().teleports(slot)).isZero();
        command(() -> {
            game.place(box, 4, 3);
            game.setVelocity(box, 0, 1); // the box wakes up, and moves from now on
            simulation.teleported(box);
            simulation.blended(box, false);
        });
        tick(1);
        assertShown(box);
        assertThat(newest().bodies().teleports(slot)).isEqualTo(1);
        tick(2);
        assertThat(foundJumps()).as("it was announced").isZero();
        assertThat(newest().bodies().teleports(slot)).isEqualTo(1);
        assertThat(newest().motion(0).breaks().count())
                .as("it is not blended, though it moves")
                .isEqualTo(1);
        command(() -> simulation.blended(box, true));
        tick(1);
        assertThat(newest().motion(0).breaks().count()).isZero();
    }

    @Test
    void aBodyThatIsNotInTheWorldIsRefused() {
        attach(game.addBox(0, 5), 1);
        B removed = game.addBox(3, 5);
        game.remove(removed);
        try (GameWorld<W, B> another = createGame()) {
            B foreign = another.addBox(0, 5); // in Jolt with the id of the first box
            assertThat(List.of(removed, foreign))
                    .allSatisfy(body -> assertThatIllegalArgumentException()
                            .isThrownBy(() -> simulation.attach(body, 2))
                            .withMessageContaining("add it to the world first"));
        }
    }

    /** A host moves late worlds to a thread that has time. */
    @Test
    void hostsMayMoveTheWorldsOfMostEngines() {
        assertThat(simulation.capability(Movable.class).isPresent()).isEqualTo(can(Ability.MOVABLE));
    }

    @Test
    void theHashCoversTheAttachedBodies() {
        try (GameWorld<W, B> other = createGame();
                WorldSimulation<W, B> twin = wrap(other)) {
            B box = attach(game.addBox(0, 3), 1);
            B same = other.addBox(0, 3);
            twin.attach(same, 9);
            game.addBox(5, 5);
            tick(1);
            other.step(DT_SECONDS);
            assertThat(simulation.hash()).isEqualTo(twin.hash());
            game.setVelocity(box, 1, 0);
            assertThat(simulation.hash()).isNotEqualTo(twin.hash());
            other.setVelocity(same, 1, 0);
            assertThat(simulation.hash()).isEqualTo(twin.hash());
            game.place(box, 4, 4);
            assertThat(simulation.hash()).isNotEqualTo(twin.hash());
        }
    }

    /** Bindings of native engines return some values as objects, which the JIT compiler removes. */
    @Test
    void compiledTicksAllocateNothing() throws Exception {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<B> boxes = new ArrayList<>();
        for (int box = 0; box < 20; box++) {
            boxes.add(attach(game.addBox(1.2 * box - 12, 0.6), box));
        }
        TickDriver ticks = new TickDriver(simulation, TickRate.hertz(100));
        InputSampler noInput = new InputSampler(new InputRing(4, clock));
        Tick wanted = Tick.of(TickRate.hertz(100), 1, 0, 0, noInput.sample(0, 0), true);
        long sum = 0;
        long fewestBytes = Long.MAX_VALUE;
        for (int round = 0; round < 100_000 && fewestBytes > 0; round++) { // a busy machine compiles late
            game.setVelocity(boxes.get(round % boxes.size()), 0, 1); // awake; the others may sleep
            ticks.step(1);
            long before = threads.getCurrentThreadAllocatedBytes();
            sum += simulation.hash();
            ticks.capture();
            simulation.closing.begin(wanted); // the additional work of a step whose contacts are wanted
            simulation.closing.reported();
            fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(sum).isNotZero();
        assertThat(fewestBytes).isZero();
    }

    @Test
    void aDamagedOrForeignSaveIsRefusedAndChangesNothing() {
        if (!can(Ability.SAVE, simulation.capability(Restorable.class).isPresent())) {
            return;
        }
        Restorable restorable = simulation.capability(Restorable.class).orElseThrow();
        for (int box = 0; box < 3; box++) {
            attach(game.addBox(0.1 * box, 1 + 1.2 * box), box);
        }
        tick(60); // a pile with contacts, still moving
        byte[] saved = saved(restorable);
        tick(20);
        byte[] now = saved(restorable);
        for (int at = 0; at < saved.length; at += 23) {
            byte[] flipped = saved.clone();
            flipped[at] ^= (byte) (1 << (at & 7));
            refuses(restorable, flipped, at < saved.length - 12 ? "is damaged" : "");
            refuses(restorable, Arrays.copyOf(saved, at), at + " bytes");
        }
        refuses(restorable, Arrays.copyOf(saved, saved.length + 1), "seal");
        StateBuffer foreign = new StateBuffer().putHeader("another engine 1.0", 5);
        refuses(restorable, foreign.toBytes(), "saved by another engine 1.0, but is to be restored by ");
        refuses(restorable, new StateBuffer().put(5L).toBytes(), "saved by another simulation");
        byte[] otherVersion = Arrays.copyOf(saved, saved.length - 12);
        otherVersion[NAME_AT + 1]++;
        refuses(restorable, StateBuffer.unsealed(otherVersion).toBytes(), "restored by ");
        assertThat(saved(restorable)).isEqualTo(now);
        B more = attach(game.addBox(5, 3), 7);
        tick(1);
        refuses(restorable, saved, "1 bodies were attached and 0 detached");
        byte[] larger = saved(restorable);
        removeDetached(more);
        tick(1);
        refuses(restorable, larger, "0 bodies were attached and 1 detached");
        restorable.restore(new StateBuffer(saved));
        assertThat(saved(restorable)).isEqualTo(saved);
    }

    @Test
    void aCommandActsInItsTick() {
        try (GameWorld<W, B> twin = createGame()) {
            List<B> boxes = new ArrayList<>();
            List<B> twins = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                boxes.add(attach(game.addBox(0.3 * (i % 3), 0.7 + 1.1 * i), i));
                twins.add(twin.addBox(0.3 * (i % 3), 0.7 + 1.1 * i));
            }
            for (int tick = 1; tick <= 300; tick++) {
                if (tick % 40 == 0) {
                    int pushed = tick / 40;
                    command(() -> game.setVelocity(boxes.get(pushed), 4, 2));
                    twin.setVelocity(twins.get(pushed), 4, 2);
                }
                tick(1);
                twin.step(DT_SECONDS);
                for (int i = 0; i < boxes.size(); i++) {
                    assertThat(game.pose(boxes.get(i)))
                            .as("box %s in tick %s", i, tick)
                            .isEqualTo(twin.pose(twins.get(i)));
                }
            }
        }
    }

    private static byte[] saved(Restorable restorable) {
        StateBuffer saved = new StateBuffer();
        restorable.save(saved);
        return saved.toBytes();
    }

    private void refuses(Restorable restorable, byte[] state, String reason) {
        long before = simulation.hash();
        assertThatThrownBy(() -> restorable.restore(new StateBuffer(state)))
                .isInstanceOf(RestoreRefusedException.class)
                .hasMessageContaining(reason);
        assertThat(simulation.hash()).isEqualTo(before);
    }
}
