package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalTest {

    private static final List<Channel> CHANNELS =
            List.of(new Channel("wheel", Channel.Blending.ANGLE), new Channel("weight", Channel.Blending.LINEAR));
    private static final PoseLayout CHANNELLED = new PoseLayout(CHANNELS);
    private static final PoseLayout PLAIN = PoseLayout.PLAIN;

    private static final float[] PLACES = new float[9];
    private static final float[] TURNS = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 0, 0, 1};

    private static final String NOBODY = ": this tick has 7 bodies in slots 0 to 7";

    static Stream<Named<Misuse>> unknownSlots() {
        return Stream.of(-1, 1, 8, 5000, Integer.MIN_VALUE, Integer.MAX_VALUE)
                .flatMap(slot -> Stream.of(
                        unknown("set", slot, w -> w.set(slot, 0, 0, 0, 0, 0, 0, 1)),
                        unknown("setAll", slot, w -> w.setAll(slot, 2, PLACES, TURNS)),
                        unknown("angularVelocity", slot, w -> w.angularVelocity(slot, 1, 1, 1)),
                        unknown("channel", slot, w -> w.channel(slot, 0, 1)),
                        unknown("teleport", slot, w -> w.teleport(slot)),
                        unknown("teleportBy", slot, w -> w.teleportBy(slot, 1, 1, 1)),
                        unknown("relativeTo", slot, w -> w.relativeTo(slot, BodyId.of(0, 1))),
                        unknown("centreOfMass", slot, w -> w.centreOfMass(slot, 1, 1, 1)),
                        unknown("blended", slot, w -> w.blended(slot, false))));
    }

    private static Named<Misuse> unknown(String what, int slot, Consumer<PoseWriter> call) {
        return Misuse.bounds(what + " of body " + slot, CHANNELLED, "there is no body " + slot + NOBODY, call);
    }

    static Stream<Named<Misuse>> staleIds() {
        return Stream.of(
                        stale("despawned", BodyId.of(1, 1), "1#1 in tick 3: its slot is empty"),
                        stale("respawned", BodyId.of(2, 1), "2#1 in tick 3: its slot has generation 3 now"),
                        stale("yet to come", BodyId.of(2, 5), "2#5 in tick 3: its slot has generation 3 now"),
                        stale("of no body", BodyId.of(1, 2), "1#2 in tick 3: its slot is empty"),
                        stale("beyond all slots", BodyId.of(8, 1), "8#1 in tick 3: its slot is empty"),
                        stale("nonsense", -1, "-1#-1 in tick 3: its slot is empty"))
                .flatMap(List::stream);
    }

    private static List<Named<Misuse>> stale(String what, long id, String message) {
        return List.of(
                Misuse.argument("slotOf " + what, CHANNELLED, "there is no body " + message, w -> w.slotOf(id)),
                Misuse.argument("despawn " + what, CHANNELLED, "there is no body " + message, w -> w.despawn(id)));
    }

    static Stream<Named<Misuse>> badReservations() {
        return Stream.of(
                unreserved("spawned", BodyId.of(2, 3), "2#3 cannot be spawned in tick 3: it lives already"),
                unreserved(
                        "gone",
                        BodyId.of(2, 1),
                        "2#1 cannot be spawned in tick 3: it is gone or was released, and its slot has generation 3 now"),
                unreserved(
                        "gone from an empty slot",
                        BodyId.of(1, 1),
                        "1#1 cannot be spawned in tick 3: it is gone or was released, and its slot has generation 2 now"),
                unreserved("of a free slot", BodyId.of(1, 3), "1#3 cannot be spawned in tick 3: it was never reserved"),
                unreserved("of no body", BodyId.of(1, 2), "1#2 cannot be spawned in tick 3: it was never reserved"),
                unreserved("of a new slot", BodyId.of(8, 1), "8#1 cannot be spawned in tick 3: it was never reserved"),
                unreserved("nonsense", -1, "-1#-1 cannot be spawned in tick 3: it was never reserved"),
                unreserved("nobody", 0, "0#0 cannot be spawned in tick 3: it was never reserved"));
    }

    private static Named<Misuse> unreserved(String what, long id, String message) {
        return Misuse.argument("spawn " + what, CHANNELLED, "body " + message, w -> w.spawn(id, 77));
    }

    static Stream<Named<Misuse>> badArrays() {
        String three = "3 bodies need 9 floats of position and 12 of rotation, but there are ";
        String negative = "-1 bodies need -3 floats of position and -4 of rotation, but there are 9 and 12";
        String huge = "2147483647 bodies need 6442450941 floats of position and 8589934588 of rotation, but there are"
                + " 9 and 12";
        return Stream.of(
                Misuse.argument("positions", PLAIN, three + "8 and 12", w -> w.setAll(3, 3, new float[8], TURNS)),
                Misuse.argument("rotations", PLAIN, three + "9 and 11", w -> w.setAll(3, 3, PLACES, new float[11])),
                Misuse.argument("negative count", PLAIN, negative, w -> w.setAll(3, -1, PLACES, TURNS)),
                Misuse.argument("huge count", PLAIN, huge, w -> w.setAll(3, Integer.MAX_VALUE, PLACES, TURNS)),
                Misuse.bounds("empty slot", PLAIN, "there is no body 1" + NOBODY, w -> w.setAll(0, 3, PLACES, TURNS)),
                Misuse.bounds("beyond all", PLAIN, "there is no body 8" + NOBODY, w -> w.setAll(6, 3, PLACES, TURNS)));
    }

    static Stream<Named<Misuse>> wrongOrder() {
        String twice = "the pose of body 5 was already written in tick 3";
        String noPose = " of body 0 belongs to a pose, but none was written in tick 3; set the pose first";
        String origin = "the origin must be set before the poses that are measured from it, but 1 were already written"
                + " in tick 3";
        return Stream.of(
                Misuse.state("set twice", PLAIN, twice, w -> w.set(5, 9, 9, 9, 0, 0, 0, 1)),
                Misuse.state("set twice, NaN", PLAIN, twice, w -> w.set(5, Float.NaN, 9, 9, 0, 0, 0, 1)),
                Misuse.state("set twice amid others", PLAIN, twice, w -> w.setAll(4, 3, PLACES, TURNS)),
                Misuse.state("spin first", PLAIN, "the angular velocity" + noPose, w -> w.angularVelocity(0, 99, 0, 0)),
                Misuse.state("origin last", PLAIN, origin, w -> w.origin(1, 2, 3)));
    }

    static Stream<Named<Misuse>> badValues() {
        String origin = "an origin must be finite and not beyond 1e18 m, but is ";
        double minusInfinity = Double.NEGATIVE_INFINITY;
        return Stream.of(
                badChannel(CHANNELLED, 2, 2),
                badChannel(CHANNELLED, -1, 2),
                badChannel(PLAIN, 0, 0),
                Misuse.argument("origin", PLAIN, origin + "(NaN, 0.0, 0.0)", w -> w.origin(Double.NaN, 0, 0)),
                Misuse.argument("origin", PLAIN, origin + "(1.0E300, 0.0, 0.0)", w -> w.origin(1e300, 0, 0)),
                Misuse.argument("origin", PLAIN, origin + "(1.0, 2.0, -Infinity)", w -> w.origin(1, 2, minusInfinity)),
                badJump("NaN, 0.0, 0.0", w -> w.teleportBy(0, Float.NaN, 0, 0)),
                badJump("0.0, Infinity, 0.0", w -> w.teleportBy(0, 0, Float.POSITIVE_INFINITY, 0)),
                badJump("0.0, 0.0, 1.8446744E19", w -> w.teleportBy(0, 0, 0, 0x1p64f)),
                badCentre("NaN, 0.0, 0.0", w -> w.centreOfMass(0, Float.NaN, 0, 0)),
                badCentre("0.0, -Infinity, 0.0", w -> w.centreOfMass(0, 0, Float.NEGATIVE_INFINITY, 0)),
                badCentre("0.0, 0.0, 1.8446744E19", w -> w.centreOfMass(0, 0, 0, 0x1p64f)));
    }

    private static Named<Misuse> badCentre(String offset, Consumer<PoseWriter> call) {
        String message = "the centre of mass of body 0 must be finite and within 1e18 m, but is (" + offset
                + "); pass its offset from the position in metres";
        return Misuse.argument("centre of mass", PLAIN, message, call);
    }

    private static Named<Misuse> badChannel(PoseLayout layout, int channel, int channels) {
        String message = "there is no channel " + channel + ": the layout has " + channels + " channels";
        return Misuse.bounds("channel " + channel, layout, message, w -> w.channel(0, channel, 1));
    }

    private static Named<Misuse> badJump(String jump, Consumer<PoseWriter> call) {
        String message = "a jump must be finite and not beyond 1e18 m, but that of body 0 is (" + jump + ")";
        return Misuse.argument("jump", CHANNELLED, message, call);
    }

    static Stream<Named<Misuse>> badCounts() {
        String range = "the number of bodies must be within 0 and 268435456, but is ";
        String gaps =
                "bodies cannot be counted from 0 while there are gaps: 7 bodies are in slots 0 to 7; use spawn and"
                        + " despawn";
        return Stream.of(
                Misuse.argument("negative", PLAIN, range + "-1", w -> w.bodyCount(-1)),
                Misuse.argument("too large", PLAIN, range + "268435457", w -> w.bodyCount((1 << 28) + 1)),
                Misuse.state("with gaps", PLAIN, gaps, w -> w.bodyCount(8)),
                Misuse.state("with gaps, none", CHANNELLED, gaps, w -> w.bodyCount(0)));
    }

    @ParameterizedTest
    @MethodSource({"unknownSlots", "staleIds", "badReservations", "badArrays", "wrongOrder", "badValues", "badCounts"})
    void shouldRefuseAMistakeAndHaveWrittenNothing(Misuse misuse) {
        misuse.assertRefusedAndNothingWritten();
    }
}
