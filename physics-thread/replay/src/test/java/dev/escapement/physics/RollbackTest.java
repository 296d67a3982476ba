package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Logged;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ticks that are re-simulated because their input came late, on masses that input and commands push. */
class RollbackTest extends RewindFixture {

    private static final long TICK_NANOS = 10_000_000;
    private static final int LATE_TICKS = 12;

    private final TracedMasses late = new TracedMasses(BODIES);
    private final TracedMasses punctual = new TracedMasses(BODIES);

    private PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(RATE);
    }

    /** Drives a simulation that rolls back. */
    private void rollBack(Simulation simulation, int every) {
        driver.close();
        driver = builder(
                        simulation,
                        StateHistory.ofTicks(LATE_TICKS + 1).every(every).rollBack(LATE_TICKS))
                .inline(clock);
    }

    /** What a player did, and in which tick it was known here. */
    private record Deed(long timeNanos, InputKind kind, int code, float x, float y) {

        void offer(InputRing ring) {
            assertThat(ring.offer(timeNanos, kind, code, x, y)).isTrue();
        }
    }

    /** Deeds of a tick, no two of them at the same time. */
    private static List<Deed> deeds(SplittableRandom random, long tick) {
        List<Deed> deeds = new ArrayList<>();
        long timeNanos = (tick - 1) * TICK_NANOS;
        InputKind[] kinds =
                Stream.of(InputKind.values()).filter(kind -> kind.hasCode(0)).toArray(InputKind[]::new);
        for (int left = random.nextInt(4); left > 0; left--) {
            timeNanos += 1 + random.nextInt(2_000_000);
            InputKind kind = kinds[random.nextInt(kinds.length)];
            int code = kind == InputKind.APPLICATION ? 1 : 84 + random.nextInt(6);
            code = kind == InputKind.POINTER_DOWN || kind == InputKind.POINTER_UP ? code - 80 : code;
            code = kind == InputKind.POINTER_MOVED || kind == InputKind.WHEEL ? 0 : code;
            deeds.add(new Deed(timeNanos, kind, code, random.nextInt(100), 0.5f));
        }
        return deeds;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 1000})
    void shouldHaveTheHashesOfARunWithPunctualInput(int every) {
        SplittableRandom random = new SplittableRandom(every);
        TreeMap<Long, List<Deed>> arriving = new TreeMap<>();
        rollBack(late, every);
        try (InlineDriver intime = builder(punctual).inline(clock)) {
            SnapshotReader reader = driver.newReader();
            SnapshotReader truth = intime.newReader();
            for (long tick = 1; tick <= 1500; tick++) {
                for (Deed deed : deeds(random, tick)) {
                    deed.offer(intime.input());
                    int lateTicks = random.nextInt(3) == 0 ? random.nextInt(LATE_TICKS + 1) : 0;
                    arriving.computeIfAbsent(tick + lateTicks, at -> new ArrayList<>())
                            .add(deed);
                }
                List<Deed> arrived = arriving.getOrDefault(tick, List.of());
                arriving.remove(tick);
                arrived.forEach(deed -> deed.offer(driver.input()));
                if (random.nextInt(4) == 0) {
                    PushedMasses.Push push = new PushedMasses.Push(random.nextInt(BODIES + 1), 0.5);
                    assertThat(driver.command(PushedMasses.Push.TYPE, push)).isNotNull();
                    assertThat(intime.command(PushedMasses.Push.TYPE, push)).isNotNull();
                }
                clock.advance(TICK_NANOS);
                assertThat(driver.runDueTicks()).isOne();
                assertThat(intime.runDueTicks()).isOne();
                if (arriving.isEmpty()) {
                    assertThat(late.got(1, tick)).isEqualTo(punctual.got(1, tick));
                }
                boolean isShown = reader.acquire();
                assertThat(truth.acquire()).isEqualTo(isShown);
                if (isShown) {
                    Snapshot newest = reader.window().newest();
                    assertThat(newest.tick()).as("consecutive for readers").isEqualTo(tick);
                    assertThat(newest.simulationTick()).isEqualTo(tick);
                    if (arriving.isEmpty()) {
                        assertThat(newest.poses().block(0).py)
                                .isEqualTo(truth.window().newest().poses().block(0).py);
                    }
                }
            }
            arriving.values().forEach(deeds -> deeds.forEach(deed -> deed.offer(driver.input())));
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            intime.runDueTicks();
            assertThat(late.got(1, 1501)).isEqualTo(punctual.got(1, 1501));
            assertThat(driver.stats().rollbacks()).isGreaterThan(500);
            assertThat(driver.stats().droppedLateInputs()).isZero();
        }
        late.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldRollBackOnAThreadOfItsOwn() throws Exception {
        TickRate fast = TickRate.hertz(2000);
        AtomicReference<PhysicsService> started = new AtomicReference<>();
        AtomicLong polls = new AtomicLong();
        Set<Long> offered = ConcurrentHashMap.newKeySet();
        InputSource lag = ring -> {
            long number = polls.incrementAndGet(); // of the next tick
            PhysicsService service = started.get();
            if (service != null && number > 5 && number % 3 == 0) {
                long timeNanos = service.startedAtNanos() + fast.nanosAt(number - 5) - 100;
                ring.offer(timeNanos, InputKind.APPLICATION, 1, number % 100f, 1);
                offered.add(number - 5);
            }
        };
        PhysicsService physics = PhysicsService.builder(late)
                .rate(fast)
                .lateTicks(LateTicks.catchUp())
                .with(StateHistory.ofTicks(20).rollBack(10))
                .source(lag)
                .build();
        try (physics) {
            started.set(physics.start());
            Await.tickAfter(physics, 500);
        }
        assertThat(physics.stats().rollbacks()).isGreaterThan(50);
        try (InlineDriver intime = builder(punctual).rate(fast).inline(clock)) {
            for (long tick = 1; tick <= 500; tick++) {
                if (offered.contains(tick)) {
                    intime.input().offer(fast.nanosAt(tick) - 100, InputKind.APPLICATION, 1, (tick + 5) % 100f, 1);
                }
                clock.advance(fast.nanosAt(1));
                assertThat(intime.runDueTicks()).isOne();
            }
        }
        assertThat(late.got(1, 490)).isEqualTo(punctual.got(1, 490));
    }

    @Test
    void shouldDropAndCountTooLateInputAndKeepLevels() {
        rollBack(late, 1);
        run(30);
        List<String> before = late.got(1, 30);
        long samplingNanos = (30 - LATE_TICKS) * TICK_NANOS;
        driver.input().offer(samplingNanos, InputKind.KEY_DOWN, 87, 0, 0);
        run(1);
        assertThat(driver.stats().droppedLateInputs()).isOne();
        assertThat(driver.stats().rollbacks()).isZero();
        assertThat(late.got(1, 30)).isEqualTo(before);
        assertThat(late.got(31, 31).get(0)).contains("holds 87").doesNotContain("KEY_DOWN");
        driver.input().offer(samplingNanos + TICK_NANOS + 1, InputKind.KEY_UP, 87, 0, 0);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(driver.stats().resimulatedTicks()).isEqualTo(LATE_TICKS);
        assertThat(late.got(20, 20).get(0)).contains("KEY_UP87 at 1");
    }

    @Test
    void shouldNameTheFirstInputThatItDrops() {
        rollBack(late, 1);
        run(30);
        try (Logged logged = new Logged("physics")) {
            offerAt(10);
            offerAt(11);
            run(1);
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .singleElement()
                    .asString()
                    .contains("has dropped InputEvent[", "at 99999999 ns], which came too late: ");
        }
    }

    @Test
    void shouldDropLateInputOfTicksThatCannotRunAgain() {
        rollBack(late, 1);
        run(10);
        assertThat(driver.command(tick -> "local")).isNotNull();
        run(5);
        offerAt(10);
        run(1);
        assertThat(driver.stats().droppedLateInputs())
                .as("tick 11 cannot be re-simulated")
                .isOne();
        offerAt(12);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(history.rewind(14)).isNotNull();
        run(1);
        offerAt(16);
        run(3);
        assertThat(driver.stats().droppedLateInputs())
                .as("undone ticks take no input")
                .isEqualTo(2);
        late.requireTheHashesOfARunWithoutRewinds();
    }

    /** Offers what belongs to a tick. */
    private void offerAt(long tick) {
        driver.input().offer(tick * TICK_NANOS - 1, InputKind.APPLICATION, 1, 1, 1);
    }

    @Test
    void shouldKeepCommandsThatRanBeforeTheInputCame() {
        rollBack(late, 1);
        run(10);
        driver.pause();
        run(1);
        push(1);
        driver.runDueTicks();
        offerAt(8);
        driver.resume();
        driver.runDueTicks();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        assertThat(late.pushes(12)).hasSize(1);
        assertThat(driver.stats().rollbacks()).as("left to the next tick").isZero();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(late.pushes(12)).hasSize(1);
        late.requireTheHashesOfARunWithoutRewinds();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepWaitingLateInputIfTheRunGoesBack(boolean isData) {
        rollBack(late, 1);
        run(10);
        driver.pause();
        run(1);
        if (isData) {
            push(1);
        } else {
            assertThat(driver.command(tick -> "local")).isNotNull();
        }
        driver.runDueTicks();
        offerAt(8);
        assertThat(history.rewind(9)).isNotNull();
        driver.runDueTicks();
        driver.resume();
        driver.runDueTicks();
        run(2);
        assertThat(driver.stats().droppedLateInputs()).isZero();
        assertThat(late.got(8, 8).toString()).contains("APPLICATION1");
        late.requireTheHashesOfARunWithoutRewinds();
    }

    /** The commands in the pause leave the late press to the next tick. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReleaseInAPauseFollowsALatePress(boolean pressedAgain) {
        rollBack(late, 1);
        run(10);
        driver.pause();
        run(1);
        push(1);
        driver.runDueTicks();
        driver.input().offer(8 * TICK_NANOS - 1, InputKind.KEY_DOWN, 87, 0, 0);
        clock.advance(1);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, 87, 0, 0);
        driver.runDueTicks();
        driver.resume();
        driver.runDueTicks();
        if (pressedAgain) {
            driver.input().offer(clock.nanoTime() + 1, InputKind.KEY_DOWN, 87, 0, 0);
        }
        run(1);
        assertThat(driver.stats().rollbacks()).as("left to the next tick").isZero();
        run(2);
        assertThat(driver.stats().rollbacks()).isOne();
        assertThat(late.got(10, 10).toString()).contains("holds 87");
        assertThat(late.got(13, 13).toString().contains("holds 87")).isEqualTo(pressedAgain);
        late.requireTheHashesOfARunWithoutRewinds();
    }

    private final OutOfMemoryError thrown = new OutOfMemoryError("of the test");
    private boolean fails;

    private Simulation failing() {
        return new ForwardingSimulation(late) {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                if (fails) {
                    throw thrown;
                }
            }
        };
    }

    @Test
    void shouldFailWithWhatARepeatedTickHasThrown() {
        rollBack(failing(), 1);
        run(10);
        fails = true;
        offerAt(8);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).isSameAs(thrown);
        fails = false;
        assertThatThrownBy(driver::runDueTicks).as("half-way").hasCause(thrown);
        assertThat(late.last()).isEqualTo(8);
    }

    @Test
    void shouldRunNothingBetweenTicksAfterARepeatedTickThrew() {
        rollBack(failing(), 1);
        run(10);
        driver.timeScale(new TimeScale(1, 10));
        run(1);
        CompletableFuture<?> waiting = driver.command(PushedMasses.Push.TYPE, new PushedMasses.Push(1, 0.25));
        fails = true;
        offerAt(8);
        assertThatThrownBy(driver::runDueTicks)
                .as("before the next tick is due")
                .isSameAs(thrown);
        fails = false;
        offerAt(7);
        assertThatThrownBy(driver::runDueTicks).as("half-way").hasCause(thrown);
        assertThat(late.last()).as("no second one has begun").isEqualTo(8);
        assertThatThrownBy(waiting::join).hasMessageContaining("could not re-simulate tick 8, and cannot go on");
    }

    @Test
    void shouldRunNothingAgainFromBeforeAMissingTick() {
        TracedMasses failing = new TracedMasses(BODIES) {
            @Override
            public void save(StateBuffer to) {
                if (fails) {
                    fails = false;
                    throw new ArithmeticException("after the tick was published");
                }
                super.save(to);
            }
        };
        rollBack(failing, 1);
        run(10);
        fails = true;
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("after the tick was published");
        offerAt(8);
        run(1);
        assertThat(driver.stats().droppedLateInputs()).isOne();
        failing.requireTheHashesOfARunWithoutRewinds();
        run(2);
        offerAt(13);
        run(1);
        assertThat(driver.stats().rollbacks()).isOne();
        failing.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldSayWhatItNeeds() {
        StateHistory few = StateHistory.ofTicks(7).rollBack(8);
        assertThatThrownBy(() -> builder(late, few).inline(clock))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("to roll back 8 ticks, a run needs the states before them");
        assertThat(few.canRewind()).isFalse();
        try (InlineDriver corrected = builder(late, few.rollBack(7)).inline(clock)) { // a refusal is not a beginning
            assertThat(corrected.runDueTicks()).isZero();
            assertThat(few.canRewind()).isTrue();
        }
        assertThatThrownBy(() -> StateHistory.ofTicks(7).rollBack(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 tick or more");
    }

    @Test
    void shouldAllocateNoMoreWhileNoInputIsLate() {
        StateHistory kept = StateHistory.ofTicks(200);
        long without = allocatedBytes(builder(new PushedMasses(BODIES)).with(StateHistory.ofTicks(200)));
        assertThat(allocatedBytes(builder(new PushedMasses(BODIES)).with(kept.rollBack(LATE_TICKS))))
                .isLessThanOrEqualTo(without);
    }

    /** Rounds, because a JIT compiler that replaces a method may charge the thread for it once. */
    private long allocatedBytes(PhysicsServiceBuilder builder) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long fewestBytes = Long.MAX_VALUE;
        try (InlineDriver driver = builder.inline(clock)) {
            for (int round = 0; round < 20; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int tick = 0; tick < 1000; tick++) {
                    driver.input().offer(clock.nanoTime() + 1, InputKind.APPLICATION, 1, 1, 1);
                    clock.advance(TICK_NANOS);
                    driver.runDueTicks();
                }
                fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
            }
        }
        return fewestBytes;
    }
}
