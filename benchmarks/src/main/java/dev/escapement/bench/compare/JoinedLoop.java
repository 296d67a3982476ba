package dev.escapement.bench.compare;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * A loop that runs the ticks that are due when a frame begins beside the frame's drawing, which shows the state before them. The frame
 * is over when both are.
 */
final class JoinedLoop implements GameLoop, AutoCloseable {

    private static final long MOST_FRAME_NANOS = 250_000_000;

    private final WorkClock clock;
    private final Consumer<Runnable> drawsBeside;
    private final Executor physics;
    private final FrameClock released;
    private final InlineDriver driver;
    private final Picture picture;

    private JoinedLoop(
            TickedScene scene, TickRate rate, WorkClock clock, Consumer<Runnable> drawsBeside, Executor physics) {
        this.clock = clock;
        this.drawsBeside = drawsBeside;
        this.physics = physics;
        released = new FrameClock(clock, new Accumulator(MOST_FRAME_NANOS));
        driver = PhysicsService.builder(scene)
                .rate(rate)
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
        picture = TwoLatestPicture.within(driver.newReader(), scene, AlphaRule.newest());
    }

    /** On a virtual clock the ticks and the drawing follow each other, and take as long as the longer of the two. */
    static JoinedLoop virtual(TickedScene scene, TickRate rate, WorkClock.Virtual clock) {
        return new JoinedLoop(
                scene,
                rate,
                clock,
                ticks -> {
                    long beginNanos = clock.nanoTime();
                    ticks.run();
                    clock.spendUntil(Math.max(clock.nanoTime(), beginNanos + LoadProfile.DRAW_NANOS));
                },
                Runnable::run);
    }

    /** On real threads the ticks are run by a thread of their own, and waited for when the frame has been drawn. */
    static JoinedLoop real(TickedScene scene, TickRate rate, WorkClock clock) {
        Executor physics = Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "joined-physics");
            thread.setDaemon(true);
            return thread;
        });
        return new JoinedLoop(
                scene,
                rate,
                clock,
                ticks -> {
                    CompletableFuture<Void> running = CompletableFuture.runAsync(ticks, physics);
                    clock.spend(LoadProfile.DRAW_NANOS);
                    running.join();
                },
                physics);
    }

    @Override
    public void frame() {
        long beginNanos = clock.nanoTime();
        picture.frame(beginNanos, beginNanos);
        released.beginFrame();
        drawsBeside.accept(driver::runDueTicks);
    }

    @Override
    public Picture picture() {
        return picture;
    }

    /** Closes the driver in the thread that ran the ticks, then ends that thread. */
    @Override
    public void close() {
        CompletableFuture.runAsync(driver::close, physics).join();
        if (physics instanceof ExecutorService threads) {
            threads.shutdown();
        }
    }
}
