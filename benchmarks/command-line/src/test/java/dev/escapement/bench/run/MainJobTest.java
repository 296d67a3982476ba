package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.MeddledSprings;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.run.MainJob.Performance;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.Await;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the whole main job on real threads. The checks hold on any machine, however slow. */
class MainJobTest {

    /** What a person does breaks no promise, even if time is paused at the end of the run. */
    @Test
    void shouldKeepEveryPromiseWhileSomebodyPlaysWithTime() {
        RunResult result = play((world, history) -> {
            InputRing input = world.input();
            await(world, () -> world.lastPublishedTick() >= 20);
            DragInput.hold(input, System.nanoTime(), BodyId.of(0, 1));
            await(world, () -> world.pendingInputs() == 0);
            world.pause();
            await(world, () -> world.state() == ServiceState.PAUSED);
            input.offer(System.nanoTime(), InputKind.KEY_DOWN, 300, 0, 0);
            await(world, () -> input.droppedWhilePaused() == 1);
            long before = world.lastPublishedTick();
            world.step();
            await(world, () -> world.lastPublishedTick() == before + 1);
            world.resume();
            world.timeScale(TimeScale.of(2));
            await(world, () -> world.lastPublishedTick() >= before + 20);
            world.pause();
            await(world, () -> world.state() == ServiceState.PAUSED);
            DragInput.end(input, System.nanoTime()); // no later tick applies this event
            await(world, () -> input.droppedWhilePaused() == 2);
        });
        assertThat(result.faults()).isEmpty();
        assertThat(result.inputsWhilePaused()).isEqualTo(2);
        assertThat(result.inputsAccepted()).isEqualTo(3);
    }

    @Test
    void shouldKeepEveryPromiseWhereTheWorldGoesBack() {
        RunResult result = play((world, history) -> {
            for (long tick : new long[] {30, 60}) {
                await(world, () -> world.lastPublishedTick() >= tick);
                // The rewind lets go of the body held here.
                DragInput.hold(world.input(), System.nanoTime(), BodyId.of(0, 1));
                assertThat(history.rewind(10).join().to()).isEqualTo(10);
            }
            await(world, () -> world.lastPublishedTick() >= 90);
        });
        assertThat(result.faults()).isEmpty();
    }

    private static RunResult play(BiConsumer<PhysicsService, StateHistory> person) {
        RunOptions options = new RunOptions("spring", 20, 600, TickRate.hertz(100));
        Stage played = new Stage(TickRate.hertz(144)) {
            private @Nullable Drawn world;

            @Override
            RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
                world = drawn;
                return super.startDrawing(drawn, view, listener);
            }

            @Override
            void waitWhile(BooleanSupplier running, InputRing input) {
                Drawn drawn = Objects.requireNonNull(world);
                person.accept(Objects.requireNonNull(drawn.physics()), Objects.requireNonNull(drawn.history()));
            }

            @Override
            boolean hasPlayer() {
                return true;
            }

            @Override
            boolean mayRewind() {
                return true;
            }
        };
        return run(options, World.create(Engine.SPRING, 20), played).result();
    }

    private static void await(PhysicsService world, BooleanSupplier condition) {
        Await.until(() -> world.hasEnded() || condition.getAsBoolean());
    }

    /** A run that fails in its first tick also shows no frame, but must not count as ended by a person. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void shouldReportWhatTheSimulationThrew(int tick) {
        Simulation failing = new MeddledSprings(new SpringSimulation(3), tick, () -> {
            throw new IllegalStateException("bodies overlap");
        });
        World world = new World(failing, World.create(Engine.SPRING, 3).scene(), false);
        RunOptions options = new RunOptions("spring", 3, 5, TickRate.hertz(100));
        Performance performance = run(options, world, new Stage(TickRate.hertz(144)));
        assertThat(performance.endedUnseen()).isFalse();
        assertThat(performance.result().ticks()).isEqualTo(tick - 1);
        assertThat(performance.result().failure()).contains("bodies overlap");
        assertThat(performance.page()).contains("<div class=\"verdict fault\">Library: ", "Fault: the run ended early");
    }

    /** The watch of the measured part starts before the close of the one before, which takes seconds. */
    @Test
    void shouldSayWhoTookTheTimeOfTheWholeMeasuredPart() {
        List<Long> watches = new ArrayList<>();
        Stage counting = new Stage(TickRate.hertz(144)) {
            @Override
            void waitWhile(BooleanSupplier running, InputRing input) {
                super.waitWhile(
                        () -> {
                            boolean runs = running.getAsBoolean();
                            watches.add(Thread.getAllStackTraces().keySet().stream()
                                    .filter(thread -> thread.getName().equals("escapement-time-watch"))
                                    .count());
                            return runs;
                        },
                        input);
            }
        };
        RunOptions options = new RunOptions("spring", 3, 1, TickRate.hertz(100));
        Performance performance = run(options, World.create(Engine.SPRING, 3), counting);
        assertThat(watches).last().as("watches at the end").isEqualTo(2L);
        assertThat(performance.result().modelled() != null)
                .as("modelled")
                .isEqualTo(performance.frames().slots().remaining() >= 40
                        && performance.ticks().steps().remaining() >= 4);
    }

    private static Performance run(RunOptions options, World world, Stage stage) {
        return new MainJob(options, world, stage, null, null, null).run(ticks -> {});
    }
}
