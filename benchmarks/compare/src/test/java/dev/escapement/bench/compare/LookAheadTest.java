package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what the look-ahead recipe promises, at 144 frames a second on a virtual clock. */
class LookAheadTest {

    private static final RefreshCase REFRESH = RefreshCase.FPS_144;
    private static final LoadProfile LOAD = LoadProfile.HEAVY;
    private static final long WARM_UP_NANOS = VirtualContest.WARM_UP_SECONDS * 1_000_000_000L;
    private static final long END_NANOS = WARM_UP_NANOS + 5_990_000_000L;

    /** The pile starts to fall only after the warm-up. Three views look 0, 1 and 2 ticks ahead. */
    @Test
    void shouldBeNearlyRightInAFallingPile() {
        WorkClock clock = new WorkClock();
        JoltBodies boxes = new JoltBodies(new BoxPile(1000).scene(false));
        for (int box = 0; box < 1000; box++) {
            boxes.body(box).setRestitution(0.4f);
        }
        Simulation pile = new ForwardingSimulation(boxes) {
            @Override
            public void step(Tick tick) throws Exception {
                if (tick.number() * tick.dtSeconds() > VirtualContest.WARM_UP_SECONDS) {
                    super.step(tick);
                }
                clock.spend(LOAD.costNanos(tick.number()));
            }
        };
        Timeline trueTime = new Timeline(REFRESH.tickRate());
        trueTime.startAt(0, 0, TimeScale.ONE);
        List<FrameView> views = new ArrayList<>();
        List<Errors> errors = new ArrayList<>();
        List<AnimationError> uneven = new ArrayList<>();
        try (InlineDriver driver = PhysicsService.builder(pile)
                .windowSize(Interpolation.MIN_SNAPSHOTS)
                .maxReaders(3)
                .inline(clock)) {
            for (int ahead = 0; ahead <= 2; ahead++) {
                Interpolation how = Interpolation.DEFAULT.lookAhead(ahead);
                views.add(FrameView.of(driver.newReader(), how));
                errors.add(new Errors());
                uneven.add(new AnimationError("look ahead"));
            }
            VirtualPhysics physics = new VirtualPhysics(driver, clock, LOAD);
            for (long frame = 0; REFRESH.display().nanosAt(frame) < END_NANOS; frame++) {
                long beginNanos = REFRESH.display().nanosAt(frame);
                long slotNanos = REFRESH.display().nanosAt(frame + 1);
                physics.runUntil(beginNanos);
                for (int i = 0; i < views.size(); i++) {
                    FrameView view = views.get(i);
                    if (view.advance(beginNanos, slotNanos) && slotNanos >= WARM_UP_NANOS) {
                        errors.get(i).frame(view);
                        uneven.get(i).frame(view.clock().shownSimNanos(), trueTime, slotNanos);
                        double ageMillis = (slotNanos - view.clock().shownSimNanos()) / 1e6;
                        assertThat(ageMillis).isCloseTo(25.44 - 10 * i, within(0.2));
                    }
                }
            }
        }
        assertThat(uneven).isNotEmpty().allMatch(error -> error.meanNanos() < 10_000);
        assertThat(errors.get(0).p99Millimetres()).isZero();
        assertThat(errors.get(1).p99Millimetres()).isBetween(4.0, 5.0);
        assertThat(errors.get(2).p99Millimetres()).isBetween(13.0, 16.0);
    }

    /** The distances between drawn and simulated positions of moving bodies, at the time that the picture shows. */
    private static final class Errors {

        /** The poses that a frame drew. They are compared once the ticks before and after the drawn time have been simulated. */
        private static final class Drawn {
            final long simNanos;
            final PoseBlocks poses = new PoseBlocks(0);

            Drawn(long simNanos, PoseBlocks shown) {
                this.simNanos = simNanos;
                poses.resize(shown.slotCount());
                for (int b = 0; b < shown.blockCount(); b++) {
                    poses.block(b).copyFrom(shown.block(b), 0, shown.slotsIn(b));
                }
            }
        }

        private final Deque<Drawn> unknown = new ArrayDeque<>();
        private final Distribution nanometres = new Distribution();
        private final Interpolator truth = new Interpolator(Interpolation.DEFAULT);

        void frame(FrameView view) {
            unknown.add(new Drawn(view.clock().shownSimNanos(), view.poses()));
            Window window = view.window();
            TickRate rate = window.timeline().rate();
            while (!unknown.isEmpty() && unknown.peek().simNanos < rate.nanosAt(window.newestTick())) {
                Drawn drawn = unknown.remove();
                long tick = rate.tickAt(drawn.simNanos);
                Snapshot previous = window.snapshot((int) (tick - window.oldestTick()));
                Snapshot current = window.snapshot((int) (tick + 1 - window.oldestTick()));
                float alpha =
                        (float) (drawn.simNanos - rate.nanosAt(tick)) / (rate.nanosAt(tick + 1) - rate.nanosAt(tick));
                truth.show(previous, current, alpha);
                for (int body = 0; body < drawn.poses.slotCount(); body++) {
                    PoseBlock p = previous.poses().blockOf(body);
                    PoseBlock q = current.poses().blockOf(body);
                    int i = body & PoseBlock.MASK;
                    if (p.px[i] != q.px[i]
                            || p.py[i] != q.py[i]
                            || p.pz[i] != q.pz[i]) { // resting bodies have no error and would lower the percentile
                        PoseBlock is = drawn.poses.blockOf(body);
                        PoseBlock was = truth.block(body >>> PoseBlock.SHIFT);
                        double x = is.px[i] - was.px[i];
                        double y = is.py[i] - was.py[i];
                        double z = is.pz[i] - was.pz[i];
                        nanometres.record(Math.round(1e9 * Math.sqrt(x * x + y * y + z * z)));
                    }
                }
            }
        }

        double p99Millimetres() {
            return nanometres.summary().p99() / 1e3;
        }
    }
}
