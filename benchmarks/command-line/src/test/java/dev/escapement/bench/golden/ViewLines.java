package dev.escapement.bench.golden;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.BodyVisitor;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Shows a seeded run in three views at 144 frames a second, and notes their poses. One view interpolates, one looks ahead, and
 * one belongs to a loop that runs the ticks itself. The run has pauses, other speeds and a single step. Ticks take 1 to
 * 5 ms, and frames come up to half a millisecond late.
 */
final class ViewLines implements BodyVisitor {

    private static final TickRate FRAMES = TickRate.hertz(144);
    private static final int COUNT = 400;
    private static final int FRAMES_PER_POSES = 20;
    private static final long MAX_LATE_NANOS = 500_000;
    private static final long LEAST_COST_NANOS = 1_000_000;
    private static final long MAX_COST_NANOS = 5_000_000;
    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("angle", Channel.Blending.ANGLE)));

    private final List<String> lines = new ArrayList<>();
    private final Bits bits = new Bits();
    private final SplittableRandom random = new SplittableRandom(5);
    private final ManualClock clock = new ManualClock(0);
    private long costNanos = LEAST_COST_NANOS;

    private ViewLines() {}

    static List<String> of() {
        ViewLines run = new ViewLines();
        run.lines.add(
                "# the frame, and a CRC32C of all poses in each of three views; some frames with the poses of three bodies");
        try (InlineDriver driver = PhysicsService.builder(new Fairground())
                .windowSize(Interpolation.MIN_SNAPSHOTS)
                .layout(LAYOUT)
                .inline(run.clock)) {
            List<FrameView> views = List.of(
                    FrameView.of(driver.newReader()),
                    FrameView.of(driver.newReader(), Interpolation.DEFAULT.lookAhead(1)),
                    FrameView.inline(driver.newReader()));
            for (int frame = 1; frame <= COUNT; frame++) {
                control(driver, frame);
                run.frame(driver, frame, views);
            }
            views.forEach(FrameView::close);
        }
        return run.lines;
    }

    private static void control(InlineDriver driver, int frame) {
        switch (frame) {
            case 180, 250 -> driver.pause();
            case 200, 275 -> driver.resume();
            case 210 -> driver.timeScale(TimeScale.of(0.3));
            case 240, 350 -> driver.timeScale(TimeScale.ONE);
            case 262 -> driver.step();
            case 300 -> driver.timeScale(TimeScale.of(2.5));
            default -> {}
        }
    }

    private void frame(InlineDriver driver, int frame, List<FrameView> views) {
        long nanos = FRAMES.nanosAt(frame) + random.nextLong(MAX_LATE_NANOS);
        driver.runDueTicks(0); // the driver applies a pause, a step or a scale
        while (driver.nextDueNanos() <= nanos - costNanos) {
            clock.advance(Math.max(0, driver.nextDueNanos() + costNanos - clock.nanoTime()));
            driver.runDueTicks(1);
            costNanos = random.nextLong(LEAST_COST_NANOS, MAX_COST_NANOS);
        }
        clock.advance(Math.max(0, nanos - clock.nanoTime()));
        StringBuilder line = new StringBuilder().append(frame);
        boolean isShown = true;
        for (FrameView view : views) {
            isShown &= view.advance(nanos);
            line.append(' ').append(isShown ? crc(view) : "-");
        }
        lines.add(line.toString());
        if (isShown && frame % FRAMES_PER_POSES == 0) {
            addPoses(views.get(0));
        }
    }

    private String crc(FrameView view) {
        bits.add(view.clock().tick()).add(view.clock().alpha()).add(view.clock().displayNanos());
        for (int slot = 0; slot < view.poses().slotCount(); slot++) {
            PoseBlock block = view.poses().blockOf(slot);
            if (view.shown().bodies().exists(slot)) {
                bits.add(slot).add(block.px[slot]).add(block.py[slot]).add(block.pz[slot]);
                bits.add(block.qx[slot]).add(block.qy[slot]).add(block.qz[slot]).add(block.qw[slot]);
                bits.add(block.channels[0][slot]);
            }
        }
        view.changes(this);
        return bits.take();
    }

    @Override
    public void appeared(long bodyId, long userData) {
        bits.add("appeared").add(bodyId).add(userData);
    }

    @Override
    public void vanished(long bodyId, long userData) {
        bits.add("vanished").add(bodyId).add(userData);
    }

    private void addPoses(FrameView view) {
        for (int slot : new int[] {Fairground.PASSENGER, Fairground.WHEEL, Fairground.FIRST_WALKER}) {
            PoseBlock block = view.poses().blockOf(slot);
            lines.add("  tick " + view.clock().tick() + " +"
                    + Bits.hex(view.clock().alpha()) + " slot " + slot + ": at"
                    + Bits.hex(block.px[slot], block.py[slot], block.pz[slot]) + " turned"
                    + Bits.hex(block.qx[slot], block.qy[slot], block.qz[slot], block.qw[slot]));
        }
    }

    /**
     * A platform that turns with a passenger, a wheel that turns by more than half a turn a tick, and walkers that teleport, spawn and
     * despawn.
     */
    private static final class Fairground implements Simulation {

        /** Slots follow the order of the spawns, the platform first. */
        private static final int PASSENGER = 1;

        private static final int WHEEL = 2;
        private static final int FIRST_WALKER = 3;
        private static final int WALKERS = 6;
        private static final double[] AXIS = {0.48, 0.6, 0.64};
        private static final double PLATFORM_RADIANS = 0.05;
        private static final double WHEEL_RADIANS = 6;

        /** The turn of a walker per tick. At this angle the slerp takes 3 to 12 terms, depending on the walkers that exist. */
        private static final double WALKER_RADIANS = 0.55;

        private static final double SEAT_METRES = 5;

        private final SplittableRandom random = new SplittableRandom(6);
        private final long[] walkers = new long[WALKERS];
        private final double[][] places = new double[WALKERS][3];
        private long platform;
        private long passenger;
        private long wheel;
        private long tick;
        private double dtSeconds;

        @Override
        public void step(Tick next) {
            tick = next.number();
            dtSeconds = next.dtSeconds();
        }

        @Override
        public void capture(PoseWriter poses) {
            if (tick == 1) {
                platform = poses.spawn(100);
                passenger = poses.spawn(101);
                wheel = poses.spawn(102);
            }
            double turn = PLATFORM_RADIANS * tick;
            turn(poses, poses.slotOf(platform), new double[] {10, 1, 2}, new double[] {0, 1, 0}, turn);
            double[] seat = {10 + SEAT_METRES * StrictMath.cos(turn), 1.5, 2 - SEAT_METRES * StrictMath.sin(turn)};
            turn(poses, poses.slotOf(passenger), seat, new double[] {0, 1, 0}, turn);
            poses.relativeTo(poses.slotOf(passenger), tick % 120 < 90 ? platform : 0);
            turn(poses, poses.slotOf(wheel), new double[] {-3, 2, 0}, AXIS, WHEEL_RADIANS * tick);
            float speed = (float) (WHEEL_RADIANS / dtSeconds);
            poses.angularVelocity(
                    poses.slotOf(wheel), (float) AXIS[0] * speed, (float) AXIS[1] * speed, (float) AXIS[2] * speed);
            for (int walker = 0; walker < WALKERS; walker++) {
                walk(poses, walker);
            }
        }

        private void walk(PoseWriter poses, int walker) {
            if (walkers[walker] != 0 && walker > 0 && random.nextInt(60) == 0) {
                poses.despawn(walkers[walker]);
                walkers[walker] = 0;
                return;
            }
            if (walkers[walker] == 0) {
                if (tick > 1 && random.nextInt(30) > 0) {
                    return;
                }
                walkers[walker] = poses.spawn(walker);
            }
            int slot = poses.slotOf(walkers[walker]);
            double[] at = places[walker];
            for (int axis = 0; axis < at.length; axis++) {
                at[axis] += random.nextDouble(-0.1, 0.12);
            }
            int jump = random.nextInt(40);
            at[0] += jump < 2 ? 7 : 0;
            turn(poses, slot, at, AXIS, WALKER_RADIANS * walker * tick);
            poses.channel(slot, 0, (float) at[1]);
            if (jump == 0) {
                poses.teleport(slot);
            } else if (jump == 1) {
                poses.teleportBy(slot, 7, 0, 0);
            }
        }

        private static void turn(PoseWriter poses, int slot, double[] at, double[] axis, double radians) {
            double sine = StrictMath.sin(radians / 2);
            float w = (float) StrictMath.cos(radians / 2);
            poses.set(
                    slot,
                    (float) at[0],
                    (float) at[1],
                    (float) at[2],
                    (float) (sine * axis[0]),
                    (float) (sine * axis[1]),
                    (float) (sine * axis[2]),
                    w);
        }
    }
}
