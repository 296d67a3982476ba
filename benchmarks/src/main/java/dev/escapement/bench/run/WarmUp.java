package dev.escapement.bench.run;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.BodyPath;
import dev.escapement.bench.measure.FrameRecorder;
import dev.escapement.bench.measure.MeasuredSimulation;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.InstanceBuffer;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;

/**
 * Lets the JIT compiler see a tick and a frame often enough before either is measured: ten minutes of ticks of a small
 * world, on a manual clock, in a fraction of a second.
 */
final class WarmUp {

    private static final int BODIES = 16;
    private static final int TICKS = 60_000;
    private static final TickRate RATE = TickRate.hertz(100);

    private WarmUp() {}

    static void run() {
        ManualClock clock = new ManualClock(0);
        Metronome metronome = new Metronome(10);
        TickRecorder ticks = new TickRecorder(0);
        MeasuredSimulation simulation = new MeasuredSimulation(new SpringSimulation(BODIES), BODIES, metronome, ticks);
        FrameRecorder frames = new FrameRecorder(metronome, BODIES, 0, new BodyPath(0, TICKS, TICKS), TICKS, TICKS);
        InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
        try (InlineDriver driver = PhysicsService.builder(simulation)
                        .checksums(true)
                        .listener(ticks)
                        .inline(clock);
                FrameView view = FrameView.of(driver.newReader())) {
            for (int tick = 0; tick < TICKS; tick++) {
                clock.advance(RATE.nanosAt(1));
                long now = clock.nanoTime();
                driver.input().offer(now, InputKind.APPLICATION, PushControls.PUSH_ONE, tick % BODIES, 1);
                driver.runDueTicks();
                frames.beforeAcquire(view);
                if (view.advance(now)) {
                    instances.write(view.interpolator(), 0, 0, 0);
                    frames.drawn(view, now, now);
                }
            }
        }
    }
}
