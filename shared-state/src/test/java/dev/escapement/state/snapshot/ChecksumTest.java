package dev.escapement.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.MotionBreaks.Kind;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChecksumTest {

    private static final PoseLayout LAYOUT = new PoseLayout(
            List.of(new Channel("wheel", Channel.Blending.ANGLE), new Channel("weight", Channel.Blending.STEP)));
    private static final int SLOTS = 1500;
    private static final int LAST = (SLOTS - 1) & PoseBlock.MASK;

    /** A large world's checksum covers a share of the blocks in each tick, and every block once in {@code SHARES} ticks. */
    @Test
    void shouldCoverEachBlockOfALargeWorldInTurn() {
        WritableSnapshot large = new WritableSnapshot(0, PoseLayout.PLAIN);
        large.resize((Snapshot.WHOLE_BLOCKS + 1) * PoseBlock.CAPACITY);
        int[] covered = new int[Snapshot.WHOLE_BLOCKS + 1];
        for (int tick = 1; tick <= Snapshot.SHARES; tick++) {
            large.startTick(tick, 0);
            long before = large.computeChecksum();
            for (int b = 0; b < covered.length; b++) {
                large.poses().block(b).px[7]++;
                covered[b] += large.computeChecksum() == before ? 0 : 1;
                large.poses().block(b).px[7]--;
            }
        }
        assertThat(covered).containsOnly(1);
    }

    static Stream<Consumer<WritableSnapshot>> changes() {
        return Stream.concat(
                Stream.of(
                        s -> s.startTick(8, 0),
                        s -> s.resize(SLOTS + 1),
                        s -> s.resize(SLOTS - 1),
                        s -> s.origin(Math.nextUp(0.0), 0, 0),
                        s -> s.origin(0, 1e-300, 0),
                        s -> s.origin(0, 0, -1),
                        s -> s.motion(1).resetMotion(6, PoseBlock.CAPACITY),
                        s -> s.motion(0).resetMotion(4, PoseBlock.CAPACITY),
                        s -> s.bodyBlock(0).changedAt(6),
                        s -> s.motion(1).breaks().clear(),
                        s -> s.motion(1).breaks().add(MotionBreaks.Kind.BROKEN, 0, 0, 0, 0),
                        s -> motionBreak(s, MotionBreaks.Kind.BROKEN, 3, 1, 2, 3),
                        s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 4, 1, 2, 3),
                        s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 3, 0, 2, 3),
                        s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 3, 1, 0, 3),
                        s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 3, 1, 2, 0)),
                IntStream.of(0, 17, LAST).boxed().flatMap(ChecksumTest::changesOf));
    }

    private static Stream<Consumer<WritableSnapshot>> changesOf(int i) {
        return Stream.of(
                s -> s.poses().block(1).px[i] = 0.5f,
                s -> s.poses().block(1).py[i] = 0.5f,
                s -> s.poses().block(1).pz[i] = 0.5f,
                s -> s.poses().block(1).qx[i] = 0.5f,
                s -> s.poses().block(1).qy[i] = 0.5f,
                s -> s.poses().block(1).qz[i] = 0.5f,
                s -> s.poses().block(1).qw[i] = 0.5f,
                s -> s.poses().block(1).channels[0][i] = 0.5f,
                s -> s.poses().block(1).channels[1][i] = 0.5f,
                s -> s.motion(1).turn[i] = -0.5f,
                s -> s.bodyBlock(1).generation[i]++,
                s -> s.bodyBlock(1).sinceTick[i]++,
                s -> s.bodyBlock(1).userData[i]++,
                s -> s.bodyBlock(1).teleports[i]++,
                s -> s.bodyBlock(1).reshape(i, 6),
                s -> s.bodyBlock(1).parent(i, BodyId.of(7, 1)),
                s -> s.bodyBlock(1).centreOfMass(i, 1, 0, 0),
                s -> s.bodyBlock(1).centreOfMass(i, 0, 1, 0),
                s -> s.bodyBlock(1).centreOfMass(i, 0, 0, 1),
                s -> s.bodyBlock(1).quarantined[i] = true);
    }

    private static void motionBreak(Snapshot snapshot, MotionBreaks.Kind kind, int index, float x, float y, float z) {
        snapshot.motion(1).breaks().clear();
        snapshot.motion(1).breaks().add(kind, index, x, y, z);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldNoticeAChange(Consumer<WritableSnapshot> change) {
        WritableSnapshot changed = written();
        changed.seal();
        changed.motion(0).turn[3] = -1; // stale, because only the second block changed
        changed.poses().block(1).px[LAST + 1] = 1; // of no slot
        assertThat(changed.computeChecksum()).isEqualTo(changed.checksum());
        change.accept(changed);
        assertThat(changed.computeChecksum()).isNotEqualTo(written().computeChecksum());
    }

    /** Returns a snapshot of tick 7, in which the second block changed. The first block changed two ticks before. */
    private static WritableSnapshot written() {
        WritableSnapshot snapshot = new WritableSnapshot(SLOTS, LAYOUT);
        snapshot.startTick(7, 0);
        snapshot.resize(SLOTS);
        for (int slot = 0; slot < SLOTS; slot++) {
            int i = slot & PoseBlock.MASK;
            snapshot.poses().blockOf(slot).set(i, slot, slot + 1, slot + 2, 0.1f, 0.2f, 0.3f, 0.4f);
            snapshot.bodyBlock(slot >>> PoseBlock.SHIFT).spawn(i, 3, 5, slot);
        }
        snapshot.motion(0).resetMotion(5, PoseBlock.CAPACITY);
        snapshot.motion(1).resetMotion(7, PoseBlock.CAPACITY);
        motionBreak(snapshot, MotionBreaks.Kind.SHIFTED, 3, 1, 2, 3);
        return snapshot;
    }

    /** A simulation may report many teleports of each body in one tick. */
    @Test
    void shouldFindThoseOfABodyBehindFortyThousandOthers() {
        MotionBreaks breaks = new MotionBreaks(PoseBlock.CAPACITY);
        breaks.add(Kind.SHIFTED, 7, 1, 2, 3);
        for (int i = 0; i < 40_000; i++) {
            breaks.add(Kind.BROKEN, i & PoseBlock.MASK, 0, 0, 0);
        }
        breaks.shift(7, 1, 1, 1);
        assertThat(breaks.x(0)).isEqualTo(2);
        assertThat(breaks.last(39_999 & PoseBlock.MASK)).isEqualTo(40_000);
        assertThat(breaks.before(40_000)).isEqualTo(40_000 - PoseBlock.CAPACITY);
        assertThat(breaks.before(breaks.last(7))).isGreaterThan(0);
        breaks.clear();
        assertThat(breaks.last(7)).isEqualTo(-1);
        breaks.add(Kind.SHIFTED, 9, 1, 0, 0);
        assertThat(breaks.last(9)).isZero();
        assertThat(breaks.before(0)).isEqualTo(-1);
    }
}
