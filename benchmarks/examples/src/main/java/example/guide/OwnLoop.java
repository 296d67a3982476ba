package example.guide;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.render.gameloop.FrameClock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.NanoClock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs ticks in the game's own loop, without a physics thread. */
final class OwnLoop {

    private OwnLoop() {}

    static void run(Simulation simulation, NanoClock time, BooleanSupplier playing, Consumer<PoseBlocks> renderer) {
        FrameClock clock = new FrameClock(time, new Accumulator(250_000_000)); // a longer frame counts as 250 ms
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            while (playing.getAsBoolean()) {
                clock.beginFrame();
                driver.runDueTicks();
                if (view.advance(clock.nanoTime())) {
                    renderer.accept(view.poses());
                }
            }
        }
    }
}
