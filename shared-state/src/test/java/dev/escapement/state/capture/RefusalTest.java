package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalTest {

    private static final PoseLayout LAYOUT = new PoseLayout(
            List.of(new Channel("wheel", Channel.Blending.ANGLE), new Channel("weight", Channel.Blending.LINEAR)));
    private static final float[] PLACES = new float[9];
    private static final float[] TURNS = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 0, 0, 1};
    private static final String NOBODY = ": this tick has 7 bodies in slots 0 to 7";

    private static Arguments argument(String message, Consumer<PoseWriter> call) {
        return Arguments.of(IllegalArgumentException.class, message, call);
    }

    private static Arguments state(String message, Consumer<PoseWriter> call) {
        return Arguments.of(IllegalStateException.class, message, call);
    }

    private static Arguments bounds(String message, Consumer<PoseWriter> call) {
        return Arguments.of(IndexOutOfBoundsException.class, message, call);
    }

    static Stream<Arguments> unknownSlots() {
        return Stream.of(-1, 1, 8)
                .flatMap(slot -> Stream.<Consumer<PoseWriter>>of(
                                w -> w.set(slot, 0, 0, 0, 0, 0, 0, 1),
                                w -> w.setAll(slot, 2, PLACES, TURNS),
                                w -> w.angularVelocity(slot, 1, 1, 1),
                                w -> w.channel(slot, 0, 1),
                                w -> w.teleport(slot),
                                w -> w.teleportBy(slot, 1, 1, 1),
                                w -> w.relativeTo(slot, BodyId.of(0, 1)),
                                w -> w.centreOfMass(slot, 1, 1, 1),
                                w -> w.blended(slot, false))
                        .map(call -> bounds("there is no body " + slot + NOBODY, call)));
    }

    static Stream<Arguments> wrongIds() {
        String nobody = "there is no body ";
        String gone = " cannot be spawned in tick 3: it is gone or was released, and its slot has generation ";
        String never = " cannot be spawned in tick 3: it was never reserved";
        return Stream.of(
                argument(nobody + "1#1 in tick 3: its slot is empty", w -> w.slotOf(BodyId.of(1, 1))),
                argument(nobody + "2#1 in tick 3: its slot has generation 3 now", w -> w.despawn(BodyId.of(2, 1))),
                argument(nobody + "8#1 in tick 3: its slot is empty", w -> w.slotOf(BodyId.of(8, 1))),
                argument(nobody + "-1#-1 in tick 3: its slot is empty", w -> w.despawn(-1)),
                argument(
                        nobody + "2#2 in tick 3: its slot has generation 3 now", w -> w.relativeTo(0, BodyId.of(2, 2))),
                argument("body 2#3 cannot be spawned in tick 3: it lives already", w -> w.spawn(BodyId.of(2, 3), 77)),
                argument("body 2#1" + gone + "3 now", w -> w.spawn(BodyId.of(2, 1), 77)),
                argument("body 1#1" + gone + "2 now", w -> w.spawn(BodyId.of(1, 1), 77)),
                argument("body 1#3" + never, w -> w.spawn(BodyId.of(1, 3), 77)),
                argument("body 1#2" + never, w -> w.spawn(BodyId.of(1, 2), 77)),
                argument("body 8#1" + never, w -> w.spawn(BodyId.of(8, 1), 77)),
                argument("body -1#-1" + never, w -> w.spawn(-1, 77)));
    }

    static Stream<Arguments> badArrays() {
        String three = "3 bodies need 9 floats of position and 12 of rotation, but there are ";
        String negative = "-1 bodies need -3 floats of position and -4 of rotation, but there are 9 and 12";
        String huge = "2147483647 bodies need 6442450941 floats of position and 8589934588 of rotation, but there are"
                + " 9 and 12";
        return Stream.of(
                argument(three + "8 and 12", w -> w.setAll(3, 3, new float[8], TURNS)),
                argument(three + "9 and 11", w -> w.setAll(3, 3, PLACES, new float[11])),
                argument(negative, w -> w.setAll(3, -1, PLACES, TURNS)),
                argument(huge, w -> w.setAll(3, Integer.MAX_VALUE, PLACES, TURNS)),
                bounds("there is no body 1" + NOBODY, w -> w.setAll(0, 3, PLACES, TURNS)),
                bounds("there is no body 8" + NOBODY, w -> w.setAll(6, 3, PLACES, TURNS)));
    }

    static Stream<Arguments> wrongOrder() {
        String twice = "the pose of body 5 was already written in tick 3";
        return Stream.of(
                state(twice, w -> w.set(5, Float.NaN, 9, 9, 0, 0, 0, 1)),
                state(twice, w -> w.setAll(4, 3, PLACES, TURNS)),
                state(
                        "the angular velocity of body 0 belongs to a pose, but none was written in tick 3; set the pose"
                                + " first",
                        w -> w.angularVelocity(0, 99, 0, 0)),
                state(
                        "the origin must be set before the poses that are measured from it, but 1 were already written"
                                + " in tick 3",
                        w -> w.origin(1, 2, 3)),
                state(
                        "bodies cannot be counted from 0 while there are gaps: 7 bodies are in slots 0 to 7; use spawn"
                                + " and despawn",
                        w -> w.bodyCount(8)));
    }

    static Stream<Arguments> badValues() {
        String origin = "an origin must be finite and not beyond 1e18 m, but is ";
        String jump = "a jump must be finite and not beyond 1e18 m, but that of body 0 is ";
        String centre = "the centre of mass of body 0 must be finite and within 1e18 m, but is ";
        String offset = "; pass its offset from the position in metres";
        String outlier = "an outlier must be longer than 0 m, but is to be longer than ";
        String range = "the number of bodies must be within 0 and 268435456, but is ";
        return Stream.of(
                bounds("there is no channel 2: the layout has 2 channels", w -> w.channel(0, 2, 1)),
                bounds("there is no channel -1: the layout has 2 channels", w -> w.channel(0, -1, 1)),
                argument(origin + "(NaN, 0.0, 0.0)", w -> w.origin(Double.NaN, 0, 0)),
                argument(origin + "(1.0, 2.0, -Infinity)", w -> w.origin(1, 2, Double.NEGATIVE_INFINITY)),
                argument(origin.replace("an origin", "the zero") + "(0.0, NaN, 0.0)", w -> w.zero(0, Double.NaN, 0)),
                argument(jump + "(NaN, 0.0, 0.0)", w -> w.teleportBy(0, Float.NaN, 0, 0)),
                argument(jump + "(0.0, 0.0, 1.8446744E19)", w -> w.teleportBy(0, 0, 0, 0x1p64f)),
                argument(centre + "(NaN, 0.0, 0.0)" + offset, w -> w.centreOfMass(0, Float.NaN, 0, 0)),
                argument(centre + "(0.0, 0.0, 1.8446744E19)" + offset, w -> w.centreOfMass(0, 0, 0, 0x1p64f)),
                argument(outlier + "0.0", w -> w.findOutliers(0, (slot, dx, dy, dz, rounding, turn) -> {})),
                argument(outlier + "NaN", w -> w.findOutliers(Float.NaN, (slot, dx, dy, dz, rounding, turn) -> {})),
                argument(range + "-1", w -> w.bodyCount(-1)),
                argument(range + "268435457", w -> w.bodyCount((1 << 28) + 1)));
    }

    /** A refused call writes nothing: the world equals its twin, which never made the call. */
    @ParameterizedTest
    @MethodSource({"unknownSlots", "wrongIds", "badArrays", "wrongOrder", "badValues"})
    void shouldRefuseAMistakeAndHaveWrittenNothing(
            Class<? extends RuntimeException> type, String message, Consumer<PoseWriter> misuse) {
        List<Long> checksums = new ArrayList<>();
        for (boolean isMisused : new boolean[] {true, false}) {
            CapturedWorld world = beginning();
            long sum = world.tick(poses -> {
                        poses.set(5, 5, 5, 5, 0, 0, 0.8f, 0.6f);
                        if (isMisused) {
                            assertThatExceptionOfType(type)
                                    .isThrownBy(() -> misuse.accept(poses))
                                    .withMessage(message);
                        }
                        setTheOthers(poses);
                    })
                    .checksum();
            for (int tick = 4; tick < 14; tick++) {
                sum = 31 * sum + world.tick(RefusalTest::moveOn).checksum();
            }
            assertThat(world.capture().quarantinedPoses()).isZero();
            checksums.add(sum);
        }
        assertThat(checksums.get(0)).isEqualTo(checksums.get(1));
    }

    /** Creates a world with bodies in slots 0 and 2 to 7. Slot 1 is empty; slot 2 has its second body. */
    private static CapturedWorld beginning() {
        CapturedWorld world = new CapturedWorld(1, 4, LAYOUT);
        world.tick(poses -> {
            for (int i = 0; i < 8; i++) {
                poses.set(poses.slotOf(poses.spawn(100 + i)), i, i, i, 0, 0, 0.6f, 0.8f);
            }
        });
        world.tick(poses -> {
            poses.despawn(BodyId.of(2, 1));
            assertThat(poses.spawn(102)).isEqualTo(BodyId.of(2, 3));
            poses.despawn(BodyId.of(1, 1));
            poses.set(2, 2, 2, 2, 0, 0, 0, 1);
        });
        return world;
    }

    private static void setTheOthers(PoseWriter poses) {
        for (int slot : new int[] {0, 2, 3, 4, 6, 7}) {
            poses.set(slot, slot + 1, 0, 0, 0.6f, 0, 0, 0.8f);
        }
    }

    private static void moveOn(PoseWriter poses) {
        poses.set(5, (float) poses.tick(), 0, 0, 0, 0, 0, 1);
        poses.set(poses.slotOf(poses.spawn(77)), 1, 1, 1, 0, 0, 0, 1);
    }
}
