package example.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.Await;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.BorrowedSource;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import example.engine.BouncingBalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuideTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final Yard yard = new Yard();

    @Test
    void shouldHearTheCrateFallAndTakeAKey() throws Exception {
        List<String> sounds = new ArrayList<>();
        try (InlineDriver driver = PhysicsService.builder(yard.simulation).inline(clock);
                FrameView view = FrameView.inline(driver.newReader());
                EventStream events = driver.events(1024)) {
            assertThat(Yard.listen(events, view, sounds::add)).isFalse();
            show(driver, view, 3);
            clock.advance(200 * TICK_NANOS);
            driver.runDueTicks(Integer.MAX_VALUE);
            assertThat(Yard.listen(events, view, sounds::add)).isFalse();
            assertThat(sounds).as("the picture is older").isEmpty();
            assertThat(view.advance(clock.nanoTime())).isTrue();
            assertThat(Yard.listen(events, view, sounds::add)).isFalse();
        }
        assertThat(sounds).isNotEmpty();
        Yard another = new Yard();
        try (PhysicsService physics = another.service()) {
            physics.start();
            assertThat(Yard.press(physics, 32)).isTrue();
            long id = Poses.idOf(physics, another.simulation, another.crate);
            assertThat(BodyId.isLive(BodyId.generation(id))).isTrue();
        }
    }

    @Test
    void shouldPushAndRemove() {
        yard.handleCommands();
        try (InlineDriver driver = PhysicsService.builder(yard.simulation).inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            show(driver, view, 100);
            long crate = view.shown().bodies().id(0);
            float rest = view.position(crate, new Vector3f()).y;
            assertThat(yard.push(driver)).isNotDone();
            show(driver, view, 10);
            assertThat(view.position(crate, new Vector3f()).y).isGreaterThan(rest + 0.1f);
            var pushedAgain = Yard.pushAgain(driver);
            show(driver, view, 1);
            assertThat(pushedAgain.join().value().getLinearVelocity().y).isGreaterThan(1);

            assertThat(yard.remove(driver)).isNotDone();
            show(driver, view, 2);
            assertThat(view.contains(crate)).isFalse();
            assertThatThrownBy(() -> view.position(crate, new Vector3f()))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("there is no body 0#1 at tick ");
        }
    }

    @Test
    void shouldTickInTheLoopOfTheGame() {
        List<PoseBlocks> drawn = new ArrayList<>();
        int[] frames = new int[1];
        OwnLoop.run(
                new BouncingBalls(4, 1),
                clock,
                () -> {
                    clock.advance(7_000_000);
                    return frames[0]++ < 20;
                },
                drawn::add);
        assertThat(drawn).hasSizeGreaterThan(10);
        assertThat(drawn.get(0).slotCount()).isEqualTo(4);
    }

    @Test
    void shouldRepeatARun(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("run.esclog");
        Replaying.record(
                file,
                new BouncingBalls(4, 1),
                physics -> Await.until(() -> physics.stats().stepNanos().count() >= 20));
        assertThat(Replaying.repeat(file, new BouncingBalls(4, 1))).isEmpty();
        assertThat(Replaying.repeat(file, new BouncingBalls(4, 2))).isPresent();
        assertThat(Replaying.halfway(file, () -> new BouncingBalls(4, 1))).isBetween(9L, 100_000L);
    }

    @Test
    void shouldReportAFailureAndStartOver() throws Exception {
        CompletableFuture<Throwable> reported = new CompletableFuture<>();
        Simulation failing = new ForwardingSimulation(new BouncingBalls(4, 1)) {
            @Override
            public void step(Tick tick) throws Exception {
                if (tick.number() == 10) {
                    throw new IllegalStateException("broken");
                }
                super.step(tick);
            }
        };
        PhysicsService failed = Failing.start(failing, reported::complete);
        BlockingQueue<Long> shown = new LinkedBlockingQueue<>();
        RenderBackend backend = view -> shown.add(view.window().newestTick());
        FrameView first = FrameView.of(failed.newReader());
        AtomicInteger polled = new AtomicInteger();
        try (RenderLoop loop = RenderLoop.start(first, backend, TickRate.hertz(100), new FrameListener() {})) {
            assertThat(reported.get(30, TimeUnit.SECONDS)).hasMessage("broken");
            assertThat(failed.realTimeFactor()).isNaN();
            while (shown.take() < 9) {
                // waits until tick 9 is drawn, the last one that the failed world published
            }
            InputSource lent = new BorrowedSource(ring -> polled.incrementAndGet());
            try (PhysicsService next = Failing.startOver(failed, new BouncingBalls(4, 1), lent, loop)) {
                assertThat(next.state()).isEqualTo(ServiceState.RUNNING);
                long tick = shown.take();
                while (tick == 9) {
                    tick = shown.take();
                }
                assertThat(tick).isGreaterThanOrEqualTo(12);
                assertThat(polled).hasPositiveValue();
            }
            assertThat(loop.failure()).isEmpty();
        }
        assertThat(failed.state()).isEqualTo(ServiceState.FAILED);
    }

    @Test
    void shouldShowDamageInChannels() {
        try (InlineDriver driver = PhysicsService.builder(new Damage(yard))
                        .layout(Damage.LAYOUT)
                        .inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            show(driver, view, 10);
            long crate = view.shown().bodies().id(0);
            assertThat(Damage.channel(view, crate, Damage.HEALTH)).isEqualTo(100);
            assertThat(driver.input().offer(clock.nanoTime() + 1, InputKind.KEY_DOWN, Damage.KEY_HIT, 0, 0))
                    .isTrue();
            clock.advance(TICK_NANOS); // tick 11 receives the hit
            driver.runDueTicks();
            assertThat(view.advance(clock.nanoTime() + TICK_NANOS / 2)).isTrue();
            assertThat(Damage.channel(view, crate, Damage.HEALTH))
                    .as("half way from 100 to 75")
                    .isCloseTo(87.5f, within(0.1f));
            assertThat(Damage.channel(view, crate, Damage.ANIMATION))
                    .as("of tick 10")
                    .isEqualTo(Damage.STANDING);
            show(driver, view, 25);
            assertThat(Damage.channel(view, crate, Damage.HEALTH)).isEqualTo(75);
            assertThat(Damage.channel(view, crate, Damage.RED)).isEqualTo(0.25f);
            assertThat(Damage.channel(view, crate, Damage.ANIMATION)).isEqualTo(Damage.HURT);
            assertThat(Damage.animationSeconds(view, crate)).isCloseTo(0.24, within(0.011));
        }
    }

    @Test
    void shouldFindPosesByIdAndInBulk() {
        try (InlineDriver driver = PhysicsService.builder(yard.simulation).inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            show(driver, view, 3);
            Map<Long, String> scene = new HashMap<>();
            Poses.follow(view, scene, () -> "model");
            long crate = view.shown().bodies().id(0);
            assertThat(scene).containsOnlyKeys(crate);
            Poses poses = new Poses();
            assertThat(poses.isHigherThan(view, crate, 1)).isTrue();
            assertThat(view.position(crate, new Vector3f()).y).isEqualTo(Poses.highest(view));
            assertThat(yard.remove(driver)).isNotDone();
            show(driver, view, 2);
            Poses.follow(view, scene, () -> "model");
            assertThat(scene).isEmpty();
            assertThat(poses.isHigherThan(view, crate, 1)).isFalse();
        }
    }

    private void show(InlineDriver driver, FrameView view, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        driver.runDueTicks(Integer.MAX_VALUE);
        assertThat(view.advance(clock.nanoTime())).isTrue();
    }
}
