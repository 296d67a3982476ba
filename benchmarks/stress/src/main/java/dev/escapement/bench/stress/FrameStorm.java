package dev.escapement.bench.stress;

import dev.escapement.bench.stress.AllocationCheck.Fifties;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The readers of a service: four that draw, one of which looks ahead; one that stalls; and some that attach and detach. Each checks every
 * window when it is acquired, and again after its last use.
 */
final class FrameStorm extends StormThreads {

    /**
     * The maximum number of readers at a time: four that draw, one that stalls, one that attaches and detaches, and two whose threads have
     * ended without closing them.
     */
    static final int READERS = 8;

    private static final int[] FRAMES_PER_SECOND = {24, 60, 144, 360};
    private static final int LOOKS_AHEAD = 1;
    private static final int STALLS = FRAMES_PER_SECOND.length;
    private static final long MAX_STALL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MAX_AWAY_NANOS = TimeUnit.SECONDS.toNanos(1) / 4;

    private final Trial trial;

    /** Allocated as a planted fault. A field, because the JIT compiler would remove an unused allocation. */
    private byte[] garbage = {};

    FrameStorm(Life life) {
        super(life, FRAMES_PER_SECOND.length + 2);
        trial = life.trial;
    }

    @Override
    void work(Worker self, int index) {
        if (index < STALLS) {
            draw(self, index);
        } else if (index == STALLS) {
            stall(self, random(index));
        } else {
            comeAndGo(self, random(index));
        }
    }

    private void draw(Worker self, int index) {
        Interpolation how = index == LOOKS_AHEAD ? Interpolation.DEFAULT.lookAhead(1) : Interpolation.DEFAULT;
        long periodNanos = TimeUnit.SECONDS.toNanos(1) / FRAMES_PER_SECOND[index];
        // Parks without spinning, because spinning threads would take the cores from the physics thread.
        Pacer pacer = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY);
        try (FrameView view = FrameView.of(life.physics().newReader(), how)) {
            WindowCheck windows = new WindowCheck(trial);
            // False: frames without allocations are not counted as checks, because only ticks can prove the promise.
            Fifties allocated = new Fifties(
                    trial.check(Promise.ALLOCATES_NOTHING), false, "frames at " + FRAMES_PER_SECOND[index] + " Hz");
            long slotNanos = System.nanoTime();
            while (self.isRunning()) {
                slotNanos = Math.max(slotNanos + periodNanos, System.nanoTime() - periodNanos);
                pacer.awaitUntil(slotNanos);
                drawOne(view, windows, allocated);
            }
        }
    }

    private void drawOne(FrameView view, WindowCheck windows, Fifties allocated) {
        long atLeast = life.physics().lastPublishedTick();
        if (view.hasWindow()) {
            windows.check(view.window()); // checks the window again after its last use
        }
        long bytes = ThreadCounts.allocatedBytes();
        if (trial.isPlanted(Promise.ALLOCATES_NOTHING)) {
            garbage = new byte[garbage.length == 0 ? 1 : garbage.length];
        }
        if (!view.advance(System.nanoTime())) {
            return;
        }
        boolean finite = true;
        PoseBlocks poses = view.poses();
        Bodies bodies = view.shown().bodies();
        for (int slot = 0; slot < poses.slotCount(); slot++) {
            finite &= !bodies.exists(slot) || Float.isFinite(poses.blockOf(slot).px[slot & PoseBlock.MASK]);
        }
        allocated.add(ThreadCounts.allocatedBytes() - bytes);
        if (view.window().newestTick() != windows.newestTick()) {
            windows.taken(view.window());
        }
        windows.asked(view.window().newestTick(), atLeast);
        trial.check(Promise.WHOLE)
                .that(finite, () -> "a frame at tick " + view.clock().tick() + " has a place that is no number");
    }

    private void stall(Worker self, SplittableRandom random) {
        WindowCheck windows = new WindowCheck(trial);
        try (SnapshotReader reader = life.physics().newReader()) {
            while (self.isRunning()) {
                windows.acquire(reader, life.physics().lastPublishedTick());
                long stallNanos = random.nextLong(MAX_STALL_NANOS >> random.nextInt(10)) + 1;
                self.pause(stallNanos);
                if (reader.hasWindow()) {
                    windows.plant(reader.window());
                    windows.check(reader.window());
                }
            }
        }
    }

    /**
     * Attaches readers and closes them. Now and then, the thread of a reader ends without closing the reader. The service has room for few
     * readers, so it must get each one back.
     */
    private void comeAndGo(Worker self, SplittableRandom random) {
        Check comeBack = trial.check(Promise.READERS_COME_BACK);
        while (self.isRunning() && !life.physics().hasEnded()) {
            boolean leaves = random.nextInt(8) == 0;
            int frames = 1 + random.nextInt(30);
            if (trial.isPlanted(Promise.READERS_COME_BACK)) {
                visit(1, true); // a planted leak: this thread leaves the reader open and does not end
                continue;
            }
            try (Worker visitor = Worker.start("storm-visitor", unused -> visit(frames, leaves))) {
                comeBack.that(visitor.end(), () -> "a reader that came did not go within 120 s");
            }
            // Pauses, because each started thread leaves a trace in the JDK's flight recorder. The traces of too many
            // threads would look like growing memory.
            self.pause(random.nextLong(MAX_AWAY_NANOS));
        }
    }

    private void visit(int frames, boolean leaves) {
        PhysicsService physics = life.physics();
        SnapshotReader reader;
        try {
            reader = physics.newReader();
        } catch (IllegalStateException e) {
            trial.check(Promise.READERS_COME_BACK).that(physics.hasEnded(), e::toString);
            return;
        }
        WindowCheck windows = new WindowCheck(trial);
        for (int frame = 0; frame < frames; frame++) {
            windows.acquire(reader, physics.lastPublishedTick());
            Polling.pass(TimeUnit.MILLISECONDS.toNanos(1));
            if (reader.hasWindow()) {
                windows.check(reader.window());
            }
        }
        if (!leaves) {
            reader.close();
        }
    }
}
