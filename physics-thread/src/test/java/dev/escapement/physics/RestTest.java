package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RestTest {

    private static final long PERIOD_NANOS = 10_000_000;
    private static final int WINDOW = 3;

    /** A body that moves while it is awake, and sleeps after four ticks; input and pushes wake it. */
    private static final class Sleeper implements Simulation {

        private int awake = 4;
        private float x;

        @Override
        public void step(Tick tick) {
            if (tick.input().size() > 0) {
                awake = 4;
            }
            awake = Math.max(0, awake - 1);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            if (awake > 0 || x == 0) {
                poses.set(0, ++x, 0, 0, 0, 0, 0, 1);
            }
        }
    }

    private final ManualClock clock = new ManualClock(0);
    private final List<CompletableFuture<?>> asked = new ArrayList<>();

    private InlineDriver driver() {
        return PhysicsService.builder(new Sleeper())
                .rate(TickRate.hertz(100))
                .windowSize(WINDOW)
                .restWhenAsleep()
                .inline(clock);
    }

    /** Lets some periods pass, and runs what is due in each. Returns how many ticks ran. */
    private int pass(InlineDriver driver, int periods) {
        int ticks = 0;
        for (int i = 0; i < periods; i++) {
            clock.advance(PERIOD_NANOS);
            ticks += driver.runDueTicks();
        }
        return ticks;
    }

    @Test
    void shouldRestWhenAWindowOfTicksHasChangedNothing() {
        try (InlineDriver driver = driver()) {
            SnapshotReader reader = driver.newReader();
            assertThat(pass(driver, 1000)).isEqualTo(3 + WINDOW); // in the fourth it sleeps
            assertThat(driver.nextDueNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(driver.skippedTicks()).isZero();
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().timeline().isPaused()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"input", "command", "query", "scale", "step"})
    void shouldWakeWithinATick(String why) {
        try (InlineDriver driver = driver()) {
            pass(driver, 1000);
            long before = clock.nanoTime();
            Consumer<InlineDriver> wake = switch (why) {
                case "input" -> world -> world.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
                case "command" -> world -> asked.add(world.execute(tick -> {}));
                case "query" -> world -> asked.add(world.query(tick -> 1));
                case "scale" -> world -> world.timeScale(new TimeScale(2, 1));
                default -> TickingWorld::step;
            };
            wake.accept(driver);
            driver.runDueTicks();
            assertThat(pass(driver, 1)).isBetween(1, 2); // at double speed two
            assertThat(driver.loop.lastPublished()).isEqualTo(3 + WINDOW + (why.equals("scale") ? 2 : 1));
            assertThat(asked).allMatch(CompletableFuture::isDone);
            assertThat(clock.nanoTime() - before).isEqualTo(PERIOD_NANOS);
            assertThat(driver.skippedTicks()).isZero();
        }
    }

    @Test
    void shouldGiveTheInputOfARestToTheNextTick() {
        try (InlineDriver driver = driver()) {
            pass(driver, 1000);
            driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
            pass(driver, 2);
            assertThat(driver.input().droppedWhilePaused()).isZero();
            assertThat(pass(driver, 1000)).isPositive(); // it woke its body, and rests again
            assertThat(driver.nextDueNanos()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void shouldBecomeAPauseIfThatIsAskedFor() {
        try (InlineDriver driver = driver()) {
            pass(driver, 1000);
            driver.pause();
            CompletableFuture<?> answer = driver.execute(tick -> {});
            assertThat(pass(driver, 100)).isZero();
            assertThat(answer).isCompleted();
            driver.resume();
            assertThat(pass(driver, 5)).isPositive();
        }
    }

    /** Most engines are read body by body, whether these move or not. */
    @ParameterizedTest
    @CsvSource({
        "nothing, true",
        "a position, false",
        "a channel, false",
        "the origin, false",
        "whole turns, false",
        "the number of bodies, false"
    })
    void shouldRestIfThePosesThatAreWrittenInEachTickAreTheSame(String changes, boolean rests) {
        PhysicsServiceBuilder builder = PhysicsService.builder(new Rewriter(changes))
                .rate(TickRate.hertz(100))
                .layout(new PoseLayout(List.of(new Channel("heat", Channel.Blending.LINEAR))))
                .windowSize(WINDOW)
                .restWhenAsleep();
        try (InlineDriver driver = builder.inline(clock)) {
            assertThat(pass(driver, 100)).isEqualTo(rests ? 1 + WINDOW : 100); // the first has added the bodies
        }
    }

    /** Writes all its bodies in each tick, and changes one thing, or nothing. */
    private record Rewriter(String changes) implements Simulation {

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {
            int tick = (int) poses.tick();
            int more = changes.equals("the number of bodies") ? tick & 1 : 0;
            poses.bodyCount(PoseBlock.CAPACITY + more);
            if (changes.equals("the origin")) {
                poses.origin(tick, 0, 0);
            }
            float x = changes.equals("a position") ? tick : 0;
            for (int slot = 0; slot < PoseBlock.CAPACITY + more; slot++) {
                poses.set(slot, x, 2, 3, 0.6f, 0, 0, 0.8f);
            }
            if (changes.equals("a channel")) {
                poses.channel(7, 0, tick);
            }
            if (changes.equals("whole turns")) {
                poses.angularVelocity(7, 0, 0, (float) (2 * Math.PI * 100));
            }
        }
    }

    @Test
    void shouldNotRestUnlessToldTo() {
        try (InlineDriver driver =
                PhysicsService.builder(new Sleeper()).rate(TickRate.hertz(100)).inline(clock)) {
            assertThat(pass(driver, 100)).isEqualTo(100);
        }
    }

    /** Real threads: a wake-up that is lost would never be made good. */
    @Test
    void shouldLoseNoWakeUp() throws Exception {
        TickAccess[] run = new TickAccess[1];
        TickHook hook = new TickHook() {
            @Override
            public void begin(TickAccess access) {
                run[0] = access;
            }
        };
        try (PhysicsService service = PhysicsService.builder(new Sleeper())
                .rate(TickRate.hertz(2000))
                .windowSize(2)
                .restWhenAsleep()
                .with(hook)
                .start()) {
            for (int i = 0; i < 300; i++) {
                long tick = service.lastTick();
                switch (i % 4) {
                    case 0 -> service.command(ticking -> 1).get();
                    case 1 -> run[0].between("look", ticking -> 1).get();
                    case 2 -> service.step();
                    default -> service.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
                }
                Await.until(() -> service.lastTick() > tick);
                service.resume();
            }
        }
    }
}
