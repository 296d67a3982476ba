package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static final int BLOCK_BYTES = PoseBlock.CAPACITY * 7 * Float.BYTES;

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
        history.add(world.tick(poses -> set(poses, id[0], 2)));
        history.add(world.tick(poses -> {
            poses.despawn(id[0]);
            set(poses, poses.spawn(78), 3);
        }));

        assertThat(history.oldestTick()).isEqualTo(1);
        assertThat(history.newestTick()).isEqualTo(3);
        assertThat(history.read(2, past)).isTrue();
        assertThat(past.tick()).isEqualTo(2);
        assertThat(past.dueNanos()).isEqualTo(20_000_000);
        assertThat(past.publishedNanos()).isEqualTo(25_000_000);
        assertThat(past.originX()).isEqualTo(1e6);
        assertThat(past.originZ()).isEqualTo(-3);
        int slot = BodyId.slot(id[0]);
        assertThat(past.bodies().id(slot)).isEqualTo(id[0]);
        assertThat(past.bodies().userData(slot)).isEqualTo(77);
        PoseBlock block = past.poses().block(0);
        assertThat(new float[] {block.px[slot], block.py[slot], block.pz[slot], block.qw[slot]})
                .containsExactly(2, 3, 4, 1);

        assertThat(history.read(3, past)).isTrue();
        assertThat(past.bodies().exists(id[0])).isFalse();
        assertThat(past.bodies().count()).isEqualTo(1);
        assertThat(history.read(1, past)).isTrue();
        assertThat(past.bodies().exists(id[0])).isTrue();
        assertThat(past.poses().block(0).px[slot]).isEqualTo(1);
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
    void shouldDropTheOldestTicksWhenThereAreTooManyOrTheyAreTooLarge() {
        History few = new History(3, 1 << 30);
        History small = new History(1000, 5L * BLOCK_BYTES);
        for (int tick = 1; tick <= 50; tick++) {
            Snapshot snapshot = world.tick(poses -> {
                if (world.ticks() == 1) {
                    spawn(poses, PoseBlock.CAPACITY);
                }
                if (world.ticks() > 1) {
                    poses.set(5, (float) world.ticks(), 0, 0, 0, 0, 0, 1);
                }
            });
            few.add(snapshot);
            small.add(snapshot);
            assertThat(small.bytes()).isLessThanOrEqualTo(5L * BLOCK_BYTES);
        }
        assertThat(few.oldestTick()).isEqualTo(48);
        assertThat(few.read(47, past)).isFalse();
        assertThat(past.tick()).isEqualTo(Snapshot.NEVER_WRITTEN);
        for (long tick = small.oldestTick(); tick <= 50; tick++) {
            assertThat(small.read(tick, past)).isTrue();
            assertThat(past.poses().block(0).px[5]).isEqualTo((float) tick);
        }
        assertThat(small.newestTick() - small.oldestTick()).isEqualTo(3); // the ids take a part of a block
    }

    @Test
    void shouldKeepTheNewestTickHoweverLargeItIs() {
        History history = new History(10, 1);
        history.add(world.tick(poses -> spawn(poses, 10)));
        history.add(world.tick(poses -> poses.set(0, 9, 9, 9, 0, 0, 0, 1)));
        assertThat(history.oldestTick()).isEqualTo(2).isEqualTo(history.newestTick());
        assertThat(history.read(2, past)).isTrue();
        assertThat(past.bodies().count()).isEqualTo(10);
    }

    @Test
    void shouldBeginAnewAtATickThatIsNotAfterTheNewest() {
        History history = new History(10, 1 << 30);
        Snapshot first = world.tick(poses -> spawn(poses, 3));
        history.add(first);
        history.add(world.tick());
        history.add(first);
        assertThat(history.oldestTick()).isEqualTo(1).isEqualTo(history.newestTick());
        assertThat(history.bytes()).isEqualTo(3 * (7 * Float.BYTES + 16));
    }

    @Test
    void shouldAllowMissingTicks() {
        History history = new History(10, 1 << 30);
        history.add(world.tick(poses -> spawn(poses, 3)));
        world.tick(poses -> poses.set(1, 4, 0, 0, 0, 0, 0, 1));
        history.add(world.tick());
        assertThat(history.read(2, past)).isFalse();
        assertThat(history.read(3, past)).isTrue();
        assertThat(past.poses().block(0).px[1]).isEqualTo(4);
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
