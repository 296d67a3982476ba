package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.trial.WindowCheck;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.tools.Unevenness;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The readers of a service: four that draw, one of which looks ahead, one that stalls, one that comes and goes. Each checks every window,
 * when it is acquired and after its last use.
 */
final class FrameStorm {

    /** How many readers a service needs for these: four that draw, one that stalls, one that is there and two that were left. */
    static final int READERS = 8;

    private static final int[] FRAMES_PER_SECOND = {24, 60, 144, 360};
    private static final int LOOKS_AHEAD = 1;

    private static final long MAX_STALL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MAX_AWAY_NANOS = TimeUnit.SECONDS.toNanos(1) / 4;
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Unevenness in units that a histogram of whole numbers holds. */
    static final double UNEVEN_UNITS = 1e4;

    private final Trial trial;
    private final PhysicsService physics;
    private final LifePlan plan;
    private final Measures measures;
    private final List<Worker> workers = new ArrayList<>();

    /** Starts the readers. */
    FrameStorm(Trial trial, PhysicsService physics, LifePlan plan, Measures measures) {
        this.trial = trial;
        this.physics = physics;
        this.plan = plan;
        this.measures = measures;
        workers.add(Worker.start(FRAMES_PER_SECOND.length, "storm-frames", this::draw));
        workers.add(Worker.start("storm-stalls", this::stall));
        workers.add(Worker.start("storm-comes-and-goes", this::comeAndGo));
    }

    private void draw(Worker self, int index) {
        Interpolation how = index == LOOKS_AHEAD ? Interpolation.DEFAULT.lookAhead(1) : Interpolation.DEFAULT;
        long periodNanos = TimeUnit.SECONDS.toNanos(1) / FRAMES_PER_SECOND[index];
        // Spinning renderers would take the cores from the thread that ticks.
        Pacer pacer = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY);
        try (FrameView view = FrameView.of(physics.newReader(), how)) {
            Frames frames = new Frames(view, FRAMES_PER_SECOND[index]);
            long slotNanos = System.nanoTime();
            while (self.isRunning()) {
                slotNanos = Math.max(slotNanos + periodNanos, System.nanoTime() - periodNanos);
                pacer.awaitUntil(slotNanos);
                frames.next(slotNanos);
            }
        }
    }

    /** The frames of one thread. */
    private final class Frames {

        private final FrameView view;
        private final WindowCheck windows = WindowCheck.of(trial);
        private final BytesCheck allocated;
        private final List<byte[]> garbage = new ArrayList<>();
        private final Unevenness unevenness = new Unevenness();
        private TimeScale scale = TimeScale.ONE;
        private long shownBefore;
        private long secondEndsNanos;

        Frames(FrameView view, int framesPerSecond) {
            this.view = view;
            // A run of which no tick was judged has not checked the promise, whatever its frames do.
            allocated = new BytesCheck(
                    trial.check(Promise.ALLOCATES_NOTHING), false, "frames at " + framesPerSecond + " Hz");
        }

        void next(long slotNanos) {
            long nowNanos = System.nanoTime();
            long atLeast = physics.lastTick();
            if (view.hasWindow()) {
                windows.check(view.window()); // after its last use
            }
            long bytes = ThreadCounts.allocatedBytes();
            if (trial.isPlanted(Promise.ALLOCATES_NOTHING)) {
                garbage.add(new byte[Byte.SIZE]);
                garbage.clear();
            }
            boolean drawn = view.advance(nowNanos);
            if (!drawn) {
                return;
            }
            PoseBlocks poses = view.poses();
            int slots = poses.slotCount();
            boolean finite = true;
            Bodies bodies = view.shown().bodies();
            for (int slot = 0; slot < slots; slot++) {
                finite &= !bodies.exists(slot) || Float.isFinite(poses.blockOf(slot).px[slot & PoseBlock.MASK]);
            }
            bytes = ThreadCounts.allocatedBytes() - bytes;
            if (view.window().newestTick() != windows.newestTick()) {
                windows.taken(view.window());
            }
            windows.asked(view.window().newestTick(), atLeast);
            allocated.add(bytes);
            trial.check(Promise.WHOLE)
                    .that(finite, () -> "a frame at tick " + view.clock().tick() + " has a place that is no number");
            measure(slotNanos);
        }

        private void measure(long slotNanos) {
            Timeline timeline = view.window().timeline();
            long shown = view.clock().shownSimNanos();
            long display = view.clock().displayNanos();
            TimeScale asked = physics.timeScale();
            if (timeline.isPaused() || !asked.equals(scale) || shown == shownBefore) {
                unevenness.restart(); // nobody expects a motion of the speed before
            }
            unevenness.frame(shown, display);
            scale = asked;
            shownBefore = shown;
            measures.age().recordValue(Math.max(0, Math.min(MAX_AGE_NANOS, timeline.simNanosAt(display) - shown)));
            if (slotNanos - secondEndsNanos > 0) {
                endSecond();
                secondEndsNanos = slotNanos + TimeUnit.SECONDS.toNanos(1);
            }
        }

        private void endSecond() {
            if (unevenness.count() > 0) {
                measures.uneven().recordValue((long) (UNEVEN_UNITS * Math.min(1e3, unevenness.percentile(99))));
            }
            unevenness.reset();
        }
    }

    private void stall(Worker self) {
        SplittableRandom random = new SplittableRandom(plan.seed());
        WindowCheck windows = WindowCheck.of(trial);
        try (SnapshotReader reader = physics.newReader()) {
            while (self.isRunning()) {
                long atLeast = physics.lastTick();
                windows.acquire(reader, atLeast);
                long stallNanos = random.nextLong(MAX_STALL_NANOS >> random.nextInt(10)) + 1;
                Polling.await(stallNanos, () -> !self.isRunning());
                if (reader.hasWindow()) {
                    breakPlanted(reader.window(), windows);
                    windows.check(reader.window());
                }
            }
        }
    }

    /** Writes into the window that it holds, which is forbidden, if that fault is planted. */
    private void breakPlanted(Window window, WindowCheck windows) {
        WritableSnapshot newest = (WritableSnapshot) window.newest();
        if (trial.isPlanted(Promise.WHOLE)) {
            newest.startTick(newest.tick() + window.size(), newest.dueNanos());
            newest.seal();
        }
        if (trial.isPlanted(Promise.CONSECUTIVE)) {
            newest.startTick(newest.tick() + 1, newest.dueNanos());
        }
        if (trial.isPlanted(Promise.FORWARDS)) {
            windows.asked(windows.newestTick() - 1, windows.newestTick() - 1);
        }
        if (trial.isPlanted(Promise.FRESH)) {
            windows.asked(windows.newestTick(), windows.newestTick() + 1);
        }
    }

    /** Readers that are closed, and now and then one whose thread ends without closing it: the service has room for few of them. */
    private void comeAndGo(Worker self) {
        SplittableRandom random = new SplittableRandom(plan.seed() + 1);
        while (self.isRunning() && !physics.hasEnded()) {
            boolean leaves = random.nextInt(8) == 0;
            int frames = 1 + random.nextInt(30);
            if (trial.isPlanted(Promise.READERS_COME_BACK)) {
                visit(1, true); // of this thread, which goes on
                continue;
            }
            letVisit(trial.check(Promise.READERS_COME_BACK), () -> visit(frames, leaves));
            // Each thread leaves a trace in the JDK's flight recorder, which grows by too many.
            Polling.await(random.nextLong(MAX_AWAY_NANOS), () -> !self.isRunning());
        }
    }

    /** Lets one come on a thread of its own, and throws what it throws. */
    static void letVisit(Check comeBack, Runnable visit) {
        try (Worker visitor = Worker.start("storm-visitor", self -> visit.run())) {
            boolean ended = visitor.end();
            comeBack.that(ended, () -> "a reader that came did not go within 120 s");
        }
    }

    private void visit(int frames, boolean leaves) {
        SnapshotReader reader;
        try {
            reader = physics.newReader();
        } catch (IllegalStateException e) {
            trial.check(Promise.READERS_COME_BACK).that(physics.hasEnded(), e::toString);
            return;
        }
        WindowCheck windows = WindowCheck.of(trial);
        for (int frame = 0; frame < frames; frame++) {
            long atLeast = physics.lastTick();
            windows.acquire(reader, atLeast);
            Polling.pass(TimeUnit.MILLISECONDS.toNanos(1));
            if (reader.hasWindow()) {
                windows.check(reader.window());
            }
        }
        if (!leaves) {
            reader.close();
        }
    }

    /** The threads of the readers. */
    List<Worker> workers() {
        return workers;
    }
}
