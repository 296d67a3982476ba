package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.DoubleSummaryStatistics;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mouse look of the page of recipes: a mouse of 1000 Hz turns the view by half a turn a second, ticks take 1 to 8 ms. */
class MouseLookTest {

    private static final long EVENT_NANOS = 1_000_000;
    private static final double RADIANS_A_SECOND = Math.PI;
    private static final double RADIANS_AN_EVENT = RADIANS_A_SECOND / 1000;
    private static final float ROUNDING_RADIANS = Math.ulp(100f);
    private static final int LOOK = 7;
    private static final int PLAYER = 0;
    private static final float PLAYER_METRES_A_TICK = 0.05f;
    private static final long WARM_UP_NANOS = 8_000_000_000L;
    private static final long END_NANOS = 28_000_000_000L;

    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(1024, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final PublishedWorld world =
            new PublishedWorld(3, tick -> 1_000_000 + tick * 1_435_761 % 7_000_000, this::tick);
    private final FrameView view = FrameView.of(world.newReader());

    private long events;
    private float latestYaw;
    private float playersYaw;

    @ParameterizedTest
    @ValueSource(ints = {60, 144})
    void shouldDrawWithEveryEventUpToTheFrameWhereTheTicksInputIsLate(int framesPerSecond) {
        TickRate fps = TickRate.hertz(framesPerSecond);
        DoubleSummaryStatistics steps = new DoubleSummaryStatistics();
        DoubleSummaryStatistics blendedMillis = new DoubleSummaryStatistics();
        DoubleSummaryStatistics newestMillis = new DoubleSummaryStatistics();
        float previousYaw = 0;
        for (long frame = 1; fps.nanosAt(frame) < END_NANOS; frame++) {
            long now = fps.nanosAt(frame);
            runUntil(now);
            if (view.advance(now) && now >= WARM_UP_NANOS) {
                double mouse = now / 1e9 * RADIANS_A_SECOND;
                assertThat(mouse - latestYaw)
                        .as("less than one event behind the mouse")
                        .isBetween((double) -ROUNDING_RADIANS, RADIANS_AN_EVENT + ROUNDING_RADIANS);
                steps.accept(latestYaw - previousYaw);
                blendedMillis.accept(lateMillis(mouse, view.rotationOfSlot(PLAYER, new Quaternionf())));
                newestMillis.accept(lateMillis(mouse, newestRotation()));
                assertThat(seenFromBehind())
                        .as("the player's place on the screen")
                        .matches(seen -> seen.equals(new Vector3f(0, -2, -5), 1e-4f));
            }
            previousYaw = latestYaw;
        }
        assertThat(steps.getMax() - steps.getMin()).isCloseTo(RADIANS_AN_EVENT, within(4.0 * ROUNDING_RADIANS));

        assertThat(blendedMillis.getMin()).as("smooth, but late").isGreaterThan(18.4);
        assertThat(blendedMillis.getMax()).isLessThan(18.6);
        assertThat(newestMillis.getMin()).as("jumps by a tick, and is late").isLessThan(3.4);
        assertThat(newestMillis.getMax()).isGreaterThan(16.6);
    }

    /** Time passes: the mouse turns, and ticks run. */
    private void runUntil(long nanos) {
        clock.advance(nanos - clock.nanoTime());
        while ((events + 1) * EVENT_NANOS <= nanos) {
            events++;
            latestYaw = (float) (events * RADIANS_AN_EVENT);
            assertThat(ring.offer(events * EVENT_NANOS, InputKind.APPLICATION, LOOK, latestYaw, 0))
                    .isTrue();
        }
        world.runUntil(nanos);
    }

    private void tick(long tick, PoseWriter poses) {
        InputFrame input = sampler.sample(
                world.timeline().dueNanos(tick - 1), world.timeline().dueNanos(tick));
        if (input.size() > 0) {
            playersYaw = input.event(input.size() - 1).x();
        }
        Quaternionf turned = new Quaternionf().rotationY(playersYaw);
        poses.bodyCount(1);
        poses.set(PLAYER, tick * PLAYER_METRES_A_TICK, 0, 0, turned.x, turned.y, turned.z, turned.w);
    }

    /** A camera behind and above the player: the place of the frame's interpolated body, turned by the latest event. */
    private Vector3f seenFromBehind() {
        Vector3f player = view.positionOfSlot(PLAYER, new Vector3f());
        Vector3f eye = new Vector3f(0, 2, 5).rotateY(latestYaw).add(player);
        return player.sub(eye).rotateY(-latestYaw);
    }

    private Quaternionf newestRotation() {
        var newest = view.window().newest().poses().block(0);
        return new Quaternionf(newest.qx[PLAYER], newest.qy[PLAYER], newest.qz[PLAYER], newest.qw[PLAYER]);
    }

    private static double lateMillis(double mouse, Quaternionf drawn) {
        double behind = Math.IEEEremainder(mouse - 2 * Math.atan2(drawn.y, drawn.w), 2 * Math.PI);
        return 1e3 * behind / RADIANS_A_SECOND;
    }
}
