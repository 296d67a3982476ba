package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.measure.FrameMeter;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.PredictionError;
import dev.escapement.render.clock.LookAhead;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolation.Positions;
import dev.escapement.render.interpolation.Interpolation.Rotations;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the recipe of looking ahead promises, at 144 frames a second on a virtual clock. */
class LookAheadTest {

    private static final RefreshCase REFRESH = RefreshCase.FPS_144;
    private static final LoadProfile LOAD = LoadProfile.HEAVY;
    private static final long SECOND = 1_000_000_000;
    private static final long WARM_UP_NANOS = VirtualContest.WARM_UP_SECONDS * SECOND;
    private static final long END_NANOS = WARM_UP_NANOS + 6 * SECOND - 10_000_000;
    private static final int BODIES = 100;

    @Test
    void shouldBeYoungAndEvenAndNearlyRightInFreeFlight() {
        View known = new View(Positions.LINEAR, 0);
        View half = new View(Positions.LINEAR, 0.5);
        View one = new View(Positions.LINEAR, 1);
        View two = new View(Positions.LINEAR, 2);
        View byVelocities = new View(Positions.HERMITE, 1);
        List<View> views = List.of(known, half, one, two, byVelocities);
        run(new Paths(LookAheadTest::fly), views);
        for (View view : views) {
            assertThat(view.ageMillis()).isCloseTo(25.44 - 10 * view.ahead, within(0.1));
            assertThat(view.meter.bySlot().meanNanos()).isLessThan(10_000);
        }
        assertThat(known.error.millimetres(100)).isZero();
        assertThat(known.error.milliradians(100)).isZero();
        assertThat(one.error.millimetres(99)).isCloseTo(1.22, within(0.01));
        assertThat(two.error.millimetres(99)).isCloseTo(3.17, within(0.01));
        assertThat(byVelocities.error.millimetres(99)).isCloseTo(0.73, within(0.01));
    }

    @Test
    void shouldBeNearlyRightWhereBodiesRoll() {
        View one = new View(Positions.LINEAR, 1);
        View two = new View(Positions.LINEAR, 2);
        run(new Paths(LookAheadTest::roll), List.of(one, two));
        assertThat(one.error.millimetres(99)).isCloseTo(0.34, within(0.01));
        assertThat(one.error.milliradians(99)).isLessThan(1);
        assertThat(two.error.millimetres(99)).isCloseTo(1.08, within(0.01));
    }

    @Test
    void shouldBeNearlyRightInAPileThatFallsAndBounces() {
        JoltNatives.load();
        View one = new View(Positions.LINEAR, 1);
        View two = new View(Positions.LINEAR, 2);
        run(new FallingPile(new JoltPile(new BoxPile(1000))), List.of(one, two));
        assertThat(one.error.millimetres(99)).isBetween(4.0, 5.0);
        assertThat(one.error.largestTicks()).isLessThan(2);
        assertThat(two.error.millimetres(99)).isBetween(13.0, 16.0);
    }

    /** Thrown bodies that tumble at 1 to 5 rad/s and meet nothing. */
    private static void fly(int body, double seconds, PoseWriter poses) {
        double up = 150 + body;
        double spin = seconds * (1 + body % 5) / 2;
        float x = (float) (seconds * body / 10);
        float y = (float) (seconds * (up - 9.81 / 2 * seconds));
        double sine = Math.sin(spin);
        poses.set(body, x, y, 0, 0, (float) (0.6 * sine), (float) (0.8 * sine), (float) Math.cos(spin));
    }

    /** Balls of half a metre that roll on circles at 1 to 5 m/s: first they turn about z, then about y. */
    private static void roll(int body, double seconds, PoseWriter poses) {
        double radius = 5 + body / 10.0;
        double angle = seconds * (1 + body % 5) / radius;
        double rolled = angle * radius;
        double turn = angle / 2;
        float rx = (float) (Math.sin(turn) * Math.sin(rolled));
        float ry = (float) (Math.sin(turn) * Math.cos(rolled));
        float rz = (float) (Math.cos(turn) * Math.sin(rolled));
        float rw = (float) (Math.cos(turn) * Math.cos(rolled));
        poses.set(body, (float) (radius * Math.cos(angle)), 0.5f, (float) (radius * Math.sin(angle)), rx, ry, rz, rw);
    }

    /** Draws one run of a world by all views at once. */
    private static void run(Simulation world, List<View> views) {
        TickRate rate = REFRESH.tickRate();
        WorkClock clock = WorkClock.virtual();
        Simulation loaded = new ForwardingSimulation(world) {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                clock.spend(LOAD.costNanos(tick.number()));
            }
        };
        try (InlineDriver driver = PhysicsService.builder(loaded)
                .rate(rate)
                .layout(new PoseLayout(PoseLayout.Tangents.DERIVED, List.of()))
                .windowSize(LookAhead.LEAST_SNAPSHOTS)
                .maxReaders(views.size())
                .inline(clock)) {
            VirtualPhysics physics = new VirtualPhysics(driver, clock, rate, LOAD);
            List<FrameView> drawn = views.stream()
                    .map(view -> FrameView.of(driver.newReader(), view.how))
                    .toList();
            for (long frame = 0; REFRESH.display().nanosAt(frame) < END_NANOS; frame++) {
                long beginNanos = REFRESH.display().nanosAt(frame);
                long slotNanos = REFRESH.display().nanosAt(frame + 1);
                physics.runUntil(beginNanos);
                for (int i = 0; i < views.size(); i++) {
                    if (drawn.get(i).advance(beginNanos, slotNanos)) {
                        views.get(i).frame(drawn.get(i), slotNanos);
                    }
                }
            }
        }
    }

    /** A view that looks ahead by so many ticks, and what is measured of it after the warm-up. */
    private static final class View {

        private final double ahead;
        private final Interpolation how;
        private final FrameMeter meter = new FrameMeter("look ahead");
        private final PredictionError error;
        private final Timeline trueTime = new Timeline(REFRESH.tickRate());

        View(Positions predictor, double ahead) {
            this.ahead = ahead;
            how = new Interpolation(predictor, Rotations.SLERP, 0).lookAhead(ahead);
            error = new PredictionError(how);
            trueTime.startAt(0, 0, TimeScale.ONE);
        }

        void frame(FrameView view, long slotNanos) {
            if (slotNanos >= WARM_UP_NANOS) {
                meter.frame(view.clock().shownSimNanos(), trueTime, slotNanos, slotNanos);
                error.frame(view);
            }
        }

        double ageMillis() {
            return meter.lookBehind().summary().mean() / 1e3;
        }
    }

    /** Where a body is. */
    @FunctionalInterface
    private interface Path {
        void write(int body, double seconds, PoseWriter poses);
    }

    /** Bodies of which is known where they are. */
    private static final class Paths implements Simulation {

        private final Path path;
        private double seconds;

        Paths(Path path) {
            this.path = path;
        }

        @Override
        public void step(Tick tick) {
            seconds = tick.number() * tick.dtSeconds();
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(BODIES);
            for (int body = 0; body < BODIES; body++) {
                path.write(body, seconds, poses);
            }
        }
    }

    /** A pile that falls when frames are measured, and not before. */
    private static final class FallingPile extends ForwardingSimulation {

        FallingPile(JoltPile pile) {
            super(pile);
            for (int box = 0; box < 1000; box++) {
                pile.box(box).setRestitution(0.4f);
            }
        }

        @Override
        public void step(Tick tick) throws Exception {
            if (tick.number() * tick.dtSeconds() > VirtualContest.WARM_UP_SECONDS) {
                super.step(tick);
            }
        }
    }
}
