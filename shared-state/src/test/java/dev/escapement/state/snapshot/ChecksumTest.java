package dev.escapement.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the checksum covers all contents of a snapshot and no stale values. */
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

    static Stream<Named<Consumer<WritableSnapshot>>> changes() {
        return Stream.of(
                        Stream.of(
                                change("another tick", s -> s.startTick(8, 0)),
                                change("another slot", s -> s.resize(SLOTS + 1)),
                                change("one slot less", s -> s.resize(SLOTS - 1)),
                                change("origin x", s -> s.origin(Math.nextUp(0.0), 0, 0)),
                                change("origin y", s -> s.origin(0, 1e-300, 0)),
                                change("origin z", s -> s.origin(0, 0, -1)),
                                change("version of the poses", s -> s.motion(1).resetMotion(6, PoseBlock.CAPACITY)),
                                change(
                                        "older version of the poses",
                                        s -> s.motion(0).resetMotion(4, PoseBlock.CAPACITY)),
                                change(
                                        "version of the bodies",
                                        s -> s.bodyBlock(0).changedAt(6))),
                        IntStream.of(0, 17, LAST).boxed().flatMap(ChecksumTest::changesOf),
                        motionBreakChanges())
                .flatMap(changes -> changes);
    }

    private static Stream<Named<Consumer<WritableSnapshot>>> changesOf(int i) {
        return Stream.of(
                change("px " + i, s -> s.poses().block(1).px[i] = 0.5f),
                change("py " + i, s -> s.poses().block(1).py[i] = 0.5f),
                change("pz " + i, s -> s.poses().block(1).pz[i] = 0.5f),
                change("qx " + i, s -> s.poses().block(1).qx[i] = 0.5f),
                change("qy " + i, s -> s.poses().block(1).qy[i] = 0.5f),
                change("qz " + i, s -> s.poses().block(1).qz[i] = 0.5f),
                change("qw " + i, s -> s.poses().block(1).qw[i] = 0.5f),
                change("first channel " + i, s -> s.poses().block(1).channels[0][i] = 0.5f),
                change("second channel " + i, s -> s.poses().block(1).channels[1][i] = 0.5f),
                change("turn " + i, s -> s.motion(1).turn[i] = -0.5f),
                change("generation " + i, s -> s.bodyBlock(1).generation[i]++),
                change("sinceTick " + i, s -> s.bodyBlock(1).sinceTick[i]++),
                change("userData " + i, s -> s.bodyBlock(1).userData[i]++),
                change("teleports " + i, s -> s.bodyBlock(1).teleports[i]++),
                change("parent " + i, s -> s.bodyBlock(1).parent(i, BodyId.of(7, 1))),
                change("centre of mass, x " + i, s -> s.bodyBlock(1).centreOfMass(i, 1, 0, 0)),
                change("centre of mass, y " + i, s -> s.bodyBlock(1).centreOfMass(i, 0, 1, 0)),
                change("centre of mass, z " + i, s -> s.bodyBlock(1).centreOfMass(i, 0, 0, 1)),
                change("quarantined " + i, s -> s.bodyBlock(1).quarantined[i] = true));
    }

    private static Stream<Named<Consumer<WritableSnapshot>>> motionBreakChanges() {
        return Stream.of(
                change("no motion break", s -> s.motion(1).breaks().clear()),
                change("more motion breaks", s -> s.motion(1).breaks().add(MotionBreaks.Kind.BROKEN, 0, 0, 0, 0)),
                change("kind of a motion break", s -> motionBreak(s, MotionBreaks.Kind.BROKEN, 3, 1, 2, 3)),
                change("index of a motion break", s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 4, 1, 2, 3)),
                change("x of a motion break", s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 3, 0, 2, 3)),
                change("y of a motion break", s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 3, 1, 0, 3)),
                change("z of a motion break", s -> motionBreak(s, MotionBreaks.Kind.SHIFTED, 3, 1, 2, 0)));
    }

    private static void motionBreak(Snapshot snapshot, MotionBreaks.Kind kind, int index, float x, float y, float z) {
        snapshot.motion(1).breaks().clear();
        snapshot.motion(1).breaks().add(kind, index, x, y, z);
    }

    private static Named<Consumer<WritableSnapshot>> change(String what, Consumer<WritableSnapshot> change) {
        return Named.of(what, change);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldNoticeAChange(Consumer<WritableSnapshot> change) {
        WritableSnapshot changed = written();
        changed.seal();
        change.accept(changed);
        assertThat(changed.computeChecksum()).isNotEqualTo(written().computeChecksum());
    }

    /** Changes to stale values. Turns and motion breaks are valid only in the tick that changed their block. */
    static Stream<Named<Consumer<WritableSnapshot>>> leftovers() {
        return Stream.of(
                change("turn", s -> s.motion(0).turn[3] = -1),
                change("motion break", s -> s.motion(0).breaks().add(MotionBreaks.Kind.BROKEN, 3, 0, 0, 0)),
                change("pose of no slot", s -> s.poses().block(1).px[LAST + 1] = 1),
                change("body of no slot", s -> s.bodyBlock(1).userData[LAST + 1] = 1),
                change("centre of mass that no body has any more", s -> {
                    s.bodyBlock(1).centreOfMass(3, 1, 2, 3);
                    s.bodyBlock(1).centreOfMass(3, 0, 0, 0);
                }));
    }

    @ParameterizedTest
    @MethodSource("leftovers")
    void shouldIgnoreStaleValues(Consumer<WritableSnapshot> change) {
        WritableSnapshot changed = written();
        change.accept(changed);
        assertThat(changed.computeChecksum()).isEqualTo(written().computeChecksum());
    }

    @Test
    void shouldBeStoredBySealUntilTheNextTick() {
        WritableSnapshot snapshot = written();
        assertThat(snapshot.checksum()).isZero();
        snapshot.seal();
        assertThat(snapshot.checksum()).isEqualTo(snapshot.computeChecksum()).isNotZero();
        snapshot.startTick(8, 0);
        assertThat(snapshot.checksum()).isZero();
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
}
