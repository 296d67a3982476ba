package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.FrameView;
import dev.escapement.render.PublishedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.wire.Interest;
import dev.escapement.state.wire.InterestSettings;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Draws passengers and fast wheels as a viewer in another process does. The seat turns as at 10 rad/s and 20 Hz, 5 m from the axis. */
class RemoteRidersTest {

    private static final long STEP_NANOS = 700_000; // frames at many alphas
    private static final int PLATFORM = 0;
    private static final int PASSENGER = 1;
    private static final int WHEEL = 2;

    /** A bar that turns about its centre of mass, which rests 1.5 m from its position. */
    private static final int BAR = 3;

    private static final float BAR_METRES = 1.5f;
    private static final Vector3f CENTRE = new Vector3f(-7, 1, 4);
    private static final long STARTS = 50; // the wheel turns after this tick, so that the viewer knows that it stood
    private static final double RADIANS_A_TICK = 0.5;
    private static final float SEAT_METRES = 5;
    private static final double[] AXIS = {0.48, 0.6, 0.64};
    private static final Interest ALL = (body, kind, x, y, z) -> 1;
    private static final WireFormat FINE = new WireFormat(1e-5f, 1e-4f);

    private long nanos;
    private double turnsATick;
    private boolean rides = true;
    private final PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000, this::write);
    private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> nanos);
    private final ByteBuffer packet = ByteBuffer.allocate(2048);
    private int lostOf = Integer.MAX_VALUE;
    private long outageNanos;
    private double farthest;
    private double wildest;
    private double unbalanced;
    private int frames;

    private void write(long tick, PoseWriter poses) {
        poses.bodyCount(4);
        double half = tick * RADIANS_A_TICK / 2;
        float sine = (float) Math.sin(half);
        float cosine = (float) Math.cos(half);
        poses.set(PLATFORM, 100, 2, 3, 0, sine, 0, cosine);
        Vector3f seat = seat(new Vector3f(100, 2, 3), new Quaternionf(0, sine, 0, cosine));
        poses.set(PASSENGER, seat.x, seat.y, seat.z, 0, sine, 0, cosine);
        poses.relativeTo(PASSENGER, rides ? BodyId.of(PLATFORM, 1) : 0);
        Vector3f bar = barCentre(CENTRE, new Quaternionf(0, sine, 0, cosine), -1);
        poses.set(BAR, bar.x, bar.y, bar.z, 0, sine, 0, cosine);
        poses.centreOfMass(BAR, BAR_METRES, 0, 0);
        Quaternionf wheel = wheel((double) tick);
        poses.set(WHEEL, 0, 0, 0, wheel.x, wheel.y, wheel.z, wheel.w);
        float speed = tick <= STARTS ? 0 : (float) (2 * Math.PI * turnsATick / PublishedWorld.RATE.dtSeconds());
        poses.angularVelocity(WHEEL, (float) AXIS[0] * speed, (float) AXIS[1] * speed, (float) AXIS[2] * speed);
    }

    private static Vector3f seat(Vector3f at, Quaternionf turn) {
        return turn.transform(new Vector3f(SEAT_METRES, 0, 0)).add(at);
    }

    private static Vector3f barCentre(Vector3f at, Quaternionf turn, int sign) {
        return turn.transform(new Vector3f(sign * BAR_METRES, 0, 0)).add(at);
    }

    private Quaternionf wheel(double ticks) {
        double half = Math.PI * (Math.max(0, ticks - STARTS) * turnsATick % 2);
        double sine = Math.sin(half);
        return new Quaternionf(
                (float) (sine * AXIS[0]), (float) (sine * AXIS[1]), (float) (sine * AXIS[2]), (float) Math.cos(half));
    }

    private void watch(@Nullable Interest interest) {
        SnapshotSender sender =
                new SnapshotSender(world.newReader(), FINE, 1).interests(address -> interest, InterestSettings.DEFAULT);
        SenderSession session = sender.newReceiver(InetSocketAddress.createUnresolved("viewer", 1));
        FrameView view = null;
        int sends = 0;
        while (nanos < 4_000_000_000L) {
            nanos += STEP_NANOS;
            world.runUntil(nanos);
            sender.run(nanos);
            while (session.write(packet.clear(), nanos)) {
                if (++sends % lostOf != 0 && nanos % 500_000_000 >= outageNanos) {
                    receiver.packet(packet.flip(), nanos);
                }
            }
            receiver.run(nanos);
            receiver.writeFeedback(packet.clear());
            session.feedback(packet.flip(), nanos);
            view = view == null && receiver.isReady() ? FrameView.of(receiver.newReader()) : view;
            if (view != null && view.advance(nanos) && nanos > 2_000_000_000L) {
                look(view);
            }
        }
        assertThat(frames).isGreaterThan(2_000);
    }

    private void look(FrameView view) {
        frames++;
        Quaternionf turn = view.rotationOfSlot(PLATFORM, new Quaternionf());
        Vector3f seat = seat(view.positionOfSlot(PLATFORM, new Vector3f()), turn);
        farthest = Math.max(farthest, seat.distance(view.positionOfSlot(PASSENGER, new Vector3f())));
        Vector3f centre =
                barCentre(view.positionOfSlot(BAR, new Vector3f()), view.rotationOfSlot(BAR, new Quaternionf()), 1);
        unbalanced = Math.max(unbalanced, centre.distance(CENTRE));
        Quaternionf drawn = view.rotationOfSlot(WHEEL, new Quaternionf());
        Quaternionf right = wheel(view.clock().tick()
                - receiver.tickShift()
                + (double) view.clock().alpha());
        double chord = Math.min(length(drawn, right, 1), length(drawn, right, -1));
        wildest = Math.max(wildest, 4 * Math.asin(Math.min(1, chord / 2)));
    }

    private static double length(Quaternionf a, Quaternionf b, int sign) {
        double x = a.x - sign * b.x;
        double y = a.y - sign * b.y;
        double z = a.z - sign * b.z;
        double w = a.w - sign * b.w;
        return Math.sqrt(x * x + y * y + z * z + w * w);
    }

    /** A viewer with an interest gets only three ticks of ten, between which the platform turns by 1.5 to 2 rad. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDrawAPassengerOnItsSeat(boolean hasInterest) {
        watch(hasInterest ? ALL : null);
        assertThat(farthest).isBetween(0.0, 0.001);
        assertThat(hasInterest ? 0 : unbalanced)
                .as("a body about its centre of mass")
                .isLessThan(5e-4);
    }

    /** Stops the packets for less time than bodies are extrapolated, then continues. */
    @Test
    void shouldDrawAPassengerOnItsSeatWhileNothingArrives() {
        outageNanos = 90_000_000;
        watch(null);
        assertThat(receiver.metric(ReceiverMetric.FILLED_TICKS)).isPositive();
        assertThat(farthest).isBetween(0.0, 0.005);
    }

    @ParameterizedTest
    @CsvSource({"0.500001, 0", "2.7, 0", "0.9, 5", "20, 5"})
    void shouldTurnAWheelRightDespiteLostPackets(double turns, int lost) {
        turnsATick = turns;
        rides = false; // else the test compares each tick's bodies
        lostOf = lost > 0 ? lost : lostOf;
        watch(null);
        assertThat(wildest).isLessThan(lost > 0 ? 3e-3 : 1e-3);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.49, 2.7})
    void shouldTurnAWheelRightDespiteMissingTicks(double turns) {
        turnsATick = turns;
        watch(ALL);
        assertThat(wildest).isLessThan(2e-3);
    }
}
