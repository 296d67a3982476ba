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

/**
 * Draws a passenger and a fast wheel as a viewer in another process does. The seat is 5 m from the axis and turns by 0.5 rad per tick, as
 * at 10 rad/s and 20 Hz.
 */
class RemoteRidersTest {

    private static final long STEP_NANOS = 700_000; // no divisor of a tick, so that frames have many alphas
    private static final int PLATFORM = 0;
    private static final int PASSENGER = 1;
    private static final int WHEEL = 2;
    private static final long STARTS = 50; // the wheel turns from this tick on, after the viewer has seen it at rest
    private static final float RADIANS_A_TICK = 0.5f;
    private static final Vector3f AXIS = new Vector3f(0.48f, 0.6f, 0.64f);
    private static final Interest ALL = (body, kind, x, y, z) -> 1;

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
    private int frames;

    private void write(long tick, PoseWriter poses) {
        poses.bodyCount(3);
        Quaternionf turn = new Quaternionf().rotationY(tick * RADIANS_A_TICK);
        poses.set(PLATFORM, 100, 2, 3, turn.x, turn.y, turn.z, turn.w);
        Vector3f seat = seat(new Vector3f(100, 2, 3), turn);
        poses.set(PASSENGER, seat.x, seat.y, seat.z, turn.x, turn.y, turn.z, turn.w);
        poses.relativeTo(PASSENGER, rides ? BodyId.of(PLATFORM, 1) : 0);
        Quaternionf wheel = wheel((double) tick);
        poses.set(WHEEL, 0, 0, 0, wheel.x, wheel.y, wheel.z, wheel.w);
        float speed = tick <= STARTS ? 0 : (float) (2 * Math.PI * turnsATick / PublishedWorld.RATE.dtSeconds());
        poses.angularVelocity(WHEEL, AXIS.x * speed, AXIS.y * speed, AXIS.z * speed);
    }

    private static Vector3f seat(Vector3f at, Quaternionf turn) {
        return turn.transform(new Vector3f(5, 0, 0)).add(at);
    }

    private Quaternionf wheel(double ticks) {
        double turns = Math.max(0, ticks - STARTS) * turnsATick;
        return new Quaternionf().rotationAxis((float) (2 * Math.PI * (turns % 1)), AXIS);
    }

    private void watch(@Nullable Interest interest) {
        SnapshotSender sender = new SnapshotSender(world.newReader(), new WireFormat(1e-5f, 1e-4f), 1)
                .interests(address -> interest, InterestSettings.DEFAULT);
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
        double ticks = view.clock().tick()
                - receiver.tickShift()
                + (double) view.clock().alpha();
        Quaternionf off =
                view.rotationOfSlot(WHEEL, new Quaternionf()).conjugate().mul(wheel(ticks));
        wildest = Math.max(wildest, 2 * Math.asin(Math.min(1, new Vector3f(off.x, off.y, off.z).length())));
    }

    /** A viewer with an interest gets only three ticks of ten, between which the platform turns by 1.5 to 2 rad. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDrawAPassengerOnItsSeat(boolean hasInterest) {
        watch(hasInterest ? ALL : null);
        assertThat(farthest).isBetween(0.0, 0.001);
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
    @CsvSource({
        "0.500001, 2147483647, false, 1e-3",
        "2.7, 2147483647, false, 1e-3",
        "0.9, 5, false, 3e-3",
        "20, 5, false, 3e-3",
        "0.49, 2147483647, true, 2e-3",
        "2.7, 2147483647, true, 2e-3"
    })
    void shouldTurnAWheelRightDespiteLostPackets(double turns, int lost, boolean hasInterest, double radians) {
        turnsATick = turns;
        rides = hasInterest; // a child would make the sender copy all bodies in each tick
        lostOf = lost;
        watch(hasInterest ? ALL : null);
        assertThat(wildest).isLessThan(radians);
    }
}
