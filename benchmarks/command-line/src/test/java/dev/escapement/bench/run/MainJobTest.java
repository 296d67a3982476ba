package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.MeddledSprings;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.run.MainJob.Performance;
import dev.escapement.bench.run.RunResult.Recorded;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.FullDisk;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole job for a second, on real threads. The checks hold on any machine, however slow. */
class MainJobTest {

    /** The bound of a run that ends when its player has done everything. */
    private static final int MAX_SECONDS = 600;

    @Test
    void shouldKeepEveryPromiseAndMeasureWhatReallyHappens() {
        RunOptions options = new RunOptions("spring", 500, 1, TickRate.hertz(100));
        Performance performance;
        try (Stage stage = new Stage(TickRate.hertz(144))) {
            performance = run(options, World.create(Engine.SPRING, 500), stage);
        }
        RunResult result = performance.result();
        assertThat(result.faults()).isEmpty();
        assertThat(result.ticks()).isPositive();
        assertThat(result.picture().frames()).isPositive();
        assertThat(result.picture().windowsChecked()).isPositive();
        assertThat(result.inputsApplied()).isPositive();
        assertThat(result.stepMicros().p50()).isPositive();
        assertThat(result.publishDelayMicros().p50())
                .isGreaterThanOrEqualTo(result.stepMicros().p50());
        assertThat(result.tickLatenessMicros().max()).isPositive();
        assertThat(result.picture().frameIntervalMicros().max()).isPositive().isLessThan(3_000_000);
        // The look-behind is at least one tick of interpolation and a delay for late ticks.
        assertThat(result.picture().lookBehindMicros().mean()).isGreaterThan(10_000);
        assertThat(result.inputToSnapshotMicros().mean())
                .isGreaterThan(result.publishDelayMicros().p50());
        assertThat(result.inputToFrameMicros().mean())
                .isGreaterThan(result.inputToSnapshotMicros().mean());
        assertThat(result.physicsCorePercent()).isPositive();
        assertThat(result.metrics().text())
                .contains("animation error when drawn", "state hash")
                .doesNotContain("FAULT", "recording");

        String page = performance.page();
        assertThat(page)
                .contains("<div class=\"verdict\">Library: every promise held")
                .doesNotContain("{{", "src=\"http", "<link", "Fault:");
        assertThat(page).as("no page above 2 MB").hasSizeLessThan(2_000_000);
        assertThat(page.split("<canvas", -1)).as("plots").hasSize(1 + 2);
        assertThat(page).as("the script finds them").contains("<figure>", "querySelectorAll('figure > script')");
    }

    /** A person's actions break no promise, also if time stands still at the end. */
    @Test
    void shouldKeepEveryPromiseWhileSomebodyPlaysWithTime() {
        RunOptions options = new RunOptions("spring", 20, MAX_SECONDS, TickRate.hertz(100));
        Stage played = new PlayedStage() {
            @Override
            void waitWhile(BooleanSupplier running, InputRing input) {
                PhysicsService world = Objects.requireNonNull(physics);
                await(running, () -> world.lastTick() >= 20);
                DragInput.hold(input, System.nanoTime(), BodyId.of(0, 1));
                await(running, () -> world.pendingInputs() == 0);
                world.pause();
                await(running, () -> world.state() == ServiceState.PAUSED);
                input.offer(System.nanoTime(), InputKind.KEY_DOWN, 300, 0, 0);
                DragInput.end(input, System.nanoTime());
                await(running, () -> input.droppedWhilePaused() == 2);
                long before = world.lastTick();
                world.step();
                await(running, () -> world.lastTick() == before + 1);
                world.resume();
                world.timeScale(TimeScale.of(2));
                await(running, () -> world.lastTick() >= before + 20);
                DragInput.hold(input, System.nanoTime(), BodyId.of(0, 1));
                await(running, () -> world.pendingInputs() == 0);
                world.pause();
                await(running, () -> world.state() == ServiceState.PAUSED);
                DragInput.end(input, System.nanoTime()); // no tick follows
                await(running, () -> input.droppedWhilePaused() == 3);
            }
        };
        try (Stage stage = played) {
            RunResult result =
                    run(options, World.create(Engine.SPRING, 20), stage).result();
            assertThat(result.faults()).isEmpty();
            assertThat(result.inputsWhilePaused()).isEqualTo(3);
            assertThat(result.inputsAccepted()).isEqualTo(5);
        }
    }

    /** Rewinds twice, as from a page. The metronome continues. */
    @Test
    void shouldKeepEveryPromiseWhereTheWorldGoesBack() {
        RunOptions options = new RunOptions("spring", 20, MAX_SECONDS, TickRate.hertz(100));
        List<Rewound> rewound = new ArrayList<>();
        Stage live = new PlayedStage() {
            @Override
            void waitWhile(BooleanSupplier running, InputRing input) {
                PhysicsService world = Objects.requireNonNull(physics);
                for (int tick = 30; tick <= 60; tick += 30) {
                    long until = tick;
                    await(running, () -> world.lastTick() >= until);
                    DragInput.hold(input, System.nanoTime(), BodyId.of(0, 1)); // the drag ends when the world rewinds
                    rewound.add(Objects.requireNonNull(history).rewind(10).join());
                }
                await(running, () -> world.lastTick() >= 90);
            }

            @Override
            boolean mayRewind() {
                return true;
            }
        };
        try (Stage stage = live) {
            RunResult result =
                    run(options, World.create(Engine.SPRING, 20), stage).result();
            assertThat(rewound).hasSize(2).allMatch(back -> back.to() == 10);
            assertThat(result.faults()).isEmpty();
        }
    }

    /** A run that fails in its first tick has shown nothing, but no person has ended it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void shouldReportWhatTheSimulationThrew(int tick) {
        RunOptions options = new RunOptions("spring", 3, 5, TickRate.hertz(100));
        World healthy = World.create(Engine.SPRING, 3);
        Simulation failing = new MeddledSprings(new SpringSimulation(3), tick, () -> {
            throw new IllegalStateException("bodies overlap");
        });
        World world = new World(failing, healthy.scene(), false);
        try (Stage stage = new Stage(TickRate.hertz(144))) {
            Performance performance = run(options, world, stage);
            assertThat(performance.endedUnseen()).isFalse();
            assertThat(performance.result().ticks()).isEqualTo(tick - 1);
            assertThat(performance.result().faults())
                    .anySatisfy(fault -> assertThat(fault).contains("bodies overlap"));
            assertThat(performance.page())
                    .contains("<div class=\"verdict fault\">Library: ", "Fault: the run ended early");
        }
    }

    /** A stage without a window, whose waiting thread has access to the world. */
    private static class PlayedStage extends Stage {

        @Nullable
        PhysicsService physics;

        @Nullable
        StateHistory history;

        PlayedStage() {
            super(TickRate.hertz(144));
        }

        @Override
        RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
            physics = drawn.physics();
            history = drawn.history();
            return super.startDrawing(drawn, view, listener);
        }

        @Override
        boolean hasPlayer() {
            return true;
        }

        static void await(BooleanSupplier running, BooleanSupplier condition) {
            while (running.getAsBoolean() && !condition.getAsBoolean()) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldResumeAndReportWhereARecordingEndedEarly(@TempDir Path folder) throws IOException {
        RunOptions options = new RunOptions("spring", 3, 1, TickRate.hertz(100));
        SpringSimulation springs = new SpringSimulation(3);
        SceneView scene = World.create(Engine.SPRING, 3).scene();
        Path file = folder.resolve("log");
        try (LogFile log = LogFile.create(file, World.describe(Engine.SPRING, 3, TickRate.hertz(100)));
                Stage stage = new Stage(TickRate.hertz(144))) {
            Recording recording = log.recording();
            Simulation filling = new MeddledSprings(springs, 20, () -> FullDisk.fail(recording, 20));
            RunResult result = new MainJob(options, new World(filling, scene, false), stage, log, null, null)
                    .run(ticks -> {})
                    .result();
            assertThat(result.ticks()).as("the run went on").isGreaterThan(20);
            assertThat(result.faults()).containsExactly("recording ended before tick 20: No space left on device");
            assertThat(result.recording()).extracting(Recorded::ticks).isEqualTo(19L);
            assertThat(result.metrics().text()).contains("FAULT: recording ended before tick 20", "recording: ticks");
            assertThat(InputLog.open(file).ticks()).isEqualTo(19);
        }
    }

    private static Performance run(RunOptions options, World world, Stage stage) {
        return new MainJob(options, world, stage, null, null, null).run(ticks -> {});
    }
}
