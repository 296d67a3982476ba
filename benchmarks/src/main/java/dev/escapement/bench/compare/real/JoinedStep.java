package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.loop.GameLoop;
import dev.escapement.bench.compare.picture.AlphaRule;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.picture.TwoLatestPicture;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.bench.compare.scene.WorkClock;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The ticks that are due when a frame begins are submitted to another thread, and waited for when the frame has been drawn. */
final class JoinedStep implements GameLoop, AutoCloseable {

    private final ExecutorService physics = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "joined-physics");
        thread.setDaemon(true);
        return thread;
    });
    private final WorkClock clock;
    private final FrameClock released;
    private final InlineDriver driver;
    private final Picture picture;

    JoinedStep(TickedScene scene, TickRate rate, WorkClock clock) {
        this.clock = clock;
        released = new FrameClock(clock, new Accumulator(250_000_000));
        driver = PhysicsService.builder(scene)
                .rate(rate)
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
        picture = TwoLatestPicture.within(driver.newReader(), scene, AlphaRule.newest());
    }

    @Override
    public void frame() {
        long beginNanos = clock.nanoTime();
        picture.frame(beginNanos, beginNanos);
        released.beginFrame();
        CompletableFuture<Integer> ticks = CompletableFuture.supplyAsync(driver::runDueTicks, physics);
        clock.spend(LoadProfile.DRAW_NANOS);
        ticks.join();
    }

    @Override
    public Picture picture() {
        return picture;
    }

    @Override
    public void close() {
        CompletableFuture.runAsync(driver::close, physics).join(); // by the thread that stepped
        physics.shutdown();
    }
}
