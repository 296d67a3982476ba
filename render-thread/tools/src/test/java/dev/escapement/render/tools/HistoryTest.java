package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.render.PublishedWorld;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static final int BLOCK_BYTES = PoseBlock.CAPACITY * 8 * Float.BYTES;

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final WritableSnapshot past = new WritableSnapshot(0, PoseLayout.PLAIN);

    @Test
    void shouldGiveBackEveryTickAsItWas() {
        History history = new History(100, 1 << 30);
        long[] id = new long[1];
        history.add(world.tick(poses -> {
            poses.origin(1e6, 0, -3);
            id[0] = poses.spawn(77);
            set(poses, id[0], 1);
        }));
        history.add(world.tick(poses -> {
            set(poses, id[0], 2);
            poses.reshape(poses.slotOf(id[0]));
        }));
        history.add(world.tick(poses -> {
            poses.despawn(id[0]);
            set(poses, poses.spawn(78), 3);
        }));
        assertThat(history.read(2, past)).isTrue();
        assertThat(past.tick()).isEqualTo(2);
        assertThat(past.dueNanos()).isEqualTo(20_000_000);
        assertThat(past.publishedNanos()).isEqualTo(25_000_000);
        assertThat(past.originX()).isEqualTo(1e6);
        assertThat(past.originZ()).isEqualTo(-3);
        int slot = BodyId.slot(id[0]);
        assertThat(past.bodies().id(slot)).isEqualTo(id[0]);
        assertThat(past.bodies().userData(slot)).isEqualTo(77);
        assertThat(past.bodyBlock(0).reshapedTick(slot)).isEqualTo(2);
        PoseBlock block = past.poses().block(0);
        assertThat(new float[] {block.px[slot], block.py[slot], block.pz[slot], block.qw[slot]})
                .containsExactly(2, 3, 4, 1);
        assertThat(history.read(3, past)).isTrue();
        assertThat(past.bodies().exists(id[0])).isFalse();
        assertThat(history.read(1, past)).isTrue();
        assertThat(past.bodies().exists(id[0])).isTrue();
        assertThat(past.bodyBlock(0).reshapedTick(slot)).isZero();
        assertThat(past.poses().block(0).px[slot]).isEqualTo(1);
    }

    /** The slot of the last body is beyond the room of a snapshot that always had fewer bodies. */
    @Test
    void shouldReadATickInWhichTheWorldShrank() {
        History history = new History(100, 1 << 30);
        long[] ids = new long[17];
        history.add(world.tick(poses -> {
            for (int i = 0; i < ids.length; i++) {
                ids[i] = poses.spawn(i);
                set(poses, ids[i], i);
            }
        }));
        history.add(world.tick(poses -> poses.despawn(ids[16])));
        assertThat(history.read(2, past)).isTrue();
        assertThat(past.bodies().count()).isEqualTo(16);
        assertThat(history.at(1, 0.5f).shown().bodies().count()).isEqualTo(17);
    }

    @Test
    void shouldKeepWhatStoodStillOnce() {
        History history = new History(100, 1 << 30);
        history.add(world.tick(poses -> spawn(poses, 2 * PoseBlock.CAPACITY)));
        long oneTick = history.bytes();
        for (int tick = 0; tick < 10; tick++) {
            history.add(world.tick());
        }
        assertThat(history.bytes()).isEqualTo(oneTick);
        history.add(world.tick(poses -> poses.set(0, 9, 9, 9, 0, 0, 0, 1)));
        assertThat(history.bytes()).isEqualTo(oneTick + BLOCK_BYTES);
        assertThat(history.read(11, past)).isTrue();
        assertThat(past.poses().block(0).px[0]).isZero();
        assertThat(history.read(12, past)).isTrue();
        assertThat(past.poses().block(0).px[0]).isEqualTo(9);
    }

    @Test
    void shouldDropTheOldestTicksByNumberOrSize() {
        History few = new History(3, 1 << 30);
        History small = new History(1000, 5L * BLOCK_BYTES);
        History tiny = new History(10, 1);
        world.tick(poses -> spawn(poses, PoseBlock.CAPACITY));
        for (int tick = 2; tick <= 50; tick++) {
            Snapshot snapshot = world.tick(poses -> poses.set(5, (float) world.ticks(), 0, 0, 0, 0, 0, 1));
            few.add(snapshot);
            small.add(snapshot);
            tiny.add(snapshot);
            assertThat(small.bytes()).isLessThanOrEqualTo(5L * BLOCK_BYTES);
        }
        assertThat(tiny.oldestTick())
                .as("the newest, however large")
                .isEqualTo(50)
                .isEqualTo(tiny.newestTick());
        assertThat(few.oldestTick()).isEqualTo(48);
        assertThat(few.read(47, past)).isFalse();
        assertThat(past.tick()).isEqualTo(Snapshot.NEVER_WRITTEN);
        for (long tick = small.oldestTick(); tick <= 50; tick++) {
            assertThat(small.read(tick, past)).isTrue();
            assertThat(past.poses().block(0).px[5]).isEqualTo((float) tick);
        }
        assertThat(small.newestTick() - small.oldestTick()).isEqualTo(3); // 4 ticks, not 5: ids take memory, too
    }

    @Test
    void shouldShowPastMomentsAsTheyWereBlended() {
        float quarter = (float) Math.sqrt(0.5); // x and w of 90 degrees about x
        PublishedWorld ticking = new PublishedWorld(3, tick -> 0, (tick, poses) -> {
            if (tick == 1) {
                poses.spawn(0);
                poses.spawn(0);
            }
            poses.origin(tick < 8 ? 0 : 1e5, 0, 0);
            float from = tick < 8 ? 0 : -1e5f;
            poses.set(0, from + tick * tick, 2, 3, tick % 2 * quarter, 0, 0, tick % 2 == 0 ? 1 : quarter);
            poses.set(1, from + 100 + (tick < 5 ? 0 : 50), 0, 0, 0, 0, 0, 1);
            if (tick == 5) {
                poses.teleport(1);
            }
        });
        History history = new History(100, 1 << 24);
        Interpolator interpolator = new Interpolator(Interpolation.DEFAULT);
        List<float[]> shown = new ArrayList<>();
        try (SnapshotReader reader = ticking.newReader()) {
            for (int tick = 3; tick <= 13; tick++) {
                ticking.runUntil(tick * PublishedWorld.TICK_NANOS);
                reader.acquire();
                Window window = reader.window();
                assertThat(window.newestTick()).isEqualTo(tick);
                if (tick % 2 == 1) {
                    history.add(window);
                }
                interpolator.show(window.snapshot(1), window.newest(), tick % 4 / 4f);
                shown.add(allOf(interpolator));
            }
        }
        for (int tick = 13; tick >= 3; tick--) { // backwards, because no moment may depend on the one shown before
            ShownWorld moment = history.at(tick - 1, tick % 4 / 4f);
            assertThat(allOf(moment)).containsExactly(shown.get(tick - 3));
        }
        assertThat(allOf(history.at(13, 0))).containsExactly(allOf(history.at(12, 1)));
    }

    private static float[] allOf(ShownWorld moment) {
        float[] all = new float[15];
        all[14] = (float) moment.shown().originX();
        PoseBlock block = moment.poses().block(0);
        for (int i = 0; i < 2; i++) {
            float[] pose = {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
            System.arraycopy(pose, 0, all, 7 * i, 7);
        }
        return all;
    }

    @Test
    void shouldKeepParentsAndCentresOfMass() {
        History history = new History(10, 1 << 30);
        history.add(world.tick(poses -> spawn(poses, 3)));
        long oneTick = history.bytes();
        history.add(world.tick(poses -> {
            poses.relativeTo(2, BodyId.of(0, 1));
            poses.centreOfMass(2, 1, 2, 3);
        }));
        assertThat(history.bytes() - oneTick)
                .as("poses, bodies, parents, offsets")
                .isEqualTo(3 * (32 + 16 + 8 + 12));
        history.add(world.tick(poses -> {
            poses.relativeTo(2, 0);
            poses.centreOfMass(2, 0, 0, 0);
        }));
        for (int tick = 1; tick <= 3; tick++) {
            assertThat(history.read(tick, past)).isTrue();
            BodyBlock bodies = past.bodyBlock(0);
            assertThat(bodies.parent(2)).isEqualTo(tick == 2 ? BodyId.of(0, 1) : 0);
            assertThat(bodies.offCentreCount()).isEqualTo(tick == 2 ? 1 : 0);
            assertThat(List.of(bodies.centreOfMass(2, 0), bodies.centreOfMass(2, 1), bodies.centreOfMass(2, 2)))
                    .isEqualTo(tick == 2 ? List.of(1f, 2f, 3f) : List.of(0f, 0f, 0f));
        }
    }

    @Test
    void shouldRefuseMomentsThatAreNotKept() {
        History history = new History(3, 1 << 30);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.at(1, 0))
                .withMessageContaining(
                        "tick 1 + 0.0 needs ticks 1 and 2, but none was added yet; add(window) those that come");
        history.add(world.tick(poses -> spawn(poses, 3)));
        history.add(world.tick());
        world.tick(poses -> poses.set(1, 4, 0, 0, 0, 0, 0, 1)); // which history misses
        history.add(world.tick());
        assertThat(history.read(3, past)).isFalse();
        assertThat(history.read(4, past)).isTrue();
        assertThat(past.poses().block(0).px[1]).isEqualTo(4);
        assertThat(history.at(1, 0.5f).shown().tick()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.at(2, 0.5f))
                .withMessageContaining("needs ticks 2 and 3, but kept are 3 of 1 to 4; keep more, or add every tick");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.at(1, 1.5f))
                .withMessageContaining("within 0 and 1, but is 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new History(0, 1))
                .withMessage("maxTicks must be at least 1, but is 0");
    }

    @Test
    void shouldBeginAnewWithAWindowOfEarlierTicks() {
        History history = new History(10, 1 << 30);
        world.tick(poses -> spawn(poses, 3));
        for (int tick = 2; tick < 9; tick++) {
            history.add(world.tick());
        }
        PublishedWorld another = new PublishedWorld(3, tick -> 0);
        another.runUntil(4 * PublishedWorld.TICK_NANOS);
        try (SnapshotReader reader = another.newReader()) {
            reader.acquire();
            history.add(reader.window());
            history.add(reader.window());
        }
        assertThat(history.oldestTick()).isEqualTo(2);
        assertThat(history.newestTick()).isEqualTo(4);
        assertThat(history.bytes()).as("a body that moves, for 3 ticks").isEqualTo(3 * 32 + 16);
    }

    @Test
    void shouldKeepTheSimulationTick() {
        WritableSnapshot wentBack = new WritableSnapshot(0, PoseLayout.PLAIN);
        wentBack.startTick(50, 0);
        wentBack.simulationTick(31);
        History history = new History(10, 1 << 30);
        history.add(wentBack);
        assertThat(history.read(50, past)).isTrue();
        assertThat(past.simulationTick()).isEqualTo(31);
    }

    private static void spawn(PoseWriter poses, int bodies) {
        for (int body = 0; body < bodies; body++) {
            poses.set(BodyId.slot(poses.spawn(body)), 0, 0, 0, 0, 0, 0, 1);
        }
    }

    private static void set(PoseWriter poses, long id, float x) {
        poses.set(BodyId.slot(id), x, x + 1, x + 2, 0, 0, 0, 1);
    }
}
