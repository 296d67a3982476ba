package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.physics.replay.StateHistory;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ticks that run again because their input has come late, on masses that input and commands push. */
class RollbackTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final long TICK_NANOS = 10_000_000;
    private static final int BODIES = 5;
    private static final int LATE_TICKS = 12;

    private final ManualClock clock = new ManualClock(0);
    private final TracedMasses late = new TracedMasses(BODIES);
    private final TracedMasses punctual = new TracedMasses(BODIES);

    private PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(RATE);
    }

    private InlineDriver rollingBack(Simulation simulation, int every) {
        return builder(simulation)
                .history(StateHistory.ofTicks(LATE_TICKS + 1).every(every))
                .rollBack(LATE_TICKS)
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
        InputKind[] kinds = InputKind.values();
        for (int left = random.nextInt(4); left > 0; left--) {
            timeNanos += 1 + random.nextInt(2_000_000);
            InputKind kind = kinds[random.nextInt(kinds.length)];
            int code = kind == InputKind.APPLICATION ? 1 : 84 + random.nextInt(6);
            code = kind == InputKind.POINTER_DOWN || kind == InputKind.POINTER_UP ? code - 80 : code;
            deeds.add(new Deed(timeNanos, kind, kind == InputKind.POINTER_MOVED ? 0 : code, random.nextInt(100), 0.5f));
        }
        return deeds;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 1000})
    void shouldHaveTheHashesOfARunThatHadTheInputInTime(int every) {
        SplittableRandom random = new SplittableRandom(every);
        TreeMap<Long, List<Deed>> arriving = new TreeMap<>();
        try (InlineDriver driver = rollingBack(late, every);
                InlineDriver intime = builder(punctual).inline(clock)) {
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
                        Snapshot right = truth.window().newest();
                        for (int slot = 0; slot < BODIES; slot++) {
                            assertThat(newest.poses()
                                            .block(0)
                                            .hasSamePose(slot, right.poses().block(0)))
                                    .isTrue();
                        }
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
                .lateTicks(LateTicks.runAll())
                .history(StateHistory.ofTicks(20))
                .rollBack(10)
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
    void shouldDropAndCountWhatIsTooLateAndKeepItsLevel() {
        try (InlineDriver driver = rollingBack(late, 1)) {
            run(driver, 30);
            List<String> before = late.got(1, 30);
            long samplingNanos = (30 - LATE_TICKS) * TICK_NANOS;
            driver.input().offer(samplingNanos, InputKind.KEY_DOWN, 87, 0, 0);
            run(driver, 1);
            assertThat(driver.stats().droppedLateInputs()).isOne();
            assertThat(driver.stats().rollbacks()).isZero();
            assertThat(late.got(1, 30)).isEqualTo(before);
            assertThat(late.got(31, 31).get(0)).contains("holds 87").doesNotContain("KEY_DOWN");
            driver.input().offer(samplingNanos + TICK_NANOS + 1, InputKind.KEY_UP, 87, 0, 0);
            run(driver, 1);
            assertThat(driver.stats().rollbacks()).isOne();
            assertThat(driver.stats().ticksRunAgain()).isEqualTo(LATE_TICKS);
            assertThat(late.got(20, 20).get(0)).contains("KEY_UP87 at 1");
        }
    }

    @Test
    void shouldDropWhatCannotRunAgainAndLeaveTheRunAsItIs() {
        try (InlineDriver driver = rollingBack(late, 1)) {
            run(driver, 10);
            assertThat(driver.command(tick -> "local")).isNotNull();
            run(driver, 5);
            offerAt(driver, 10);
            run(driver, 1);
            assertThat(driver.stats().droppedLateInputs())
                    .as("tick 11 cannot run again")
                    .isOne();
            offerAt(driver, 12);
            run(driver, 1);
            assertThat(driver.stats().rollbacks()).isOne();
            assertThat(driver.rewind(14)).isNotNull();
            run(driver, 1);
            offerAt(driver, 14);
            run(driver, 3);
            assertThat(driver.stats().droppedLateInputs())
                    .as("undone ticks take no input")
                    .isEqualTo(2);
            late.requireTheHashesOfARunWithoutRewinds();
        }
    }

    /** Offers what belongs to a tick. */
    private void offerAt(InlineDriver driver, long tick) {
        driver.input().offer(tick * TICK_NANOS - 1, InputKind.APPLICATION, 1, 1, 1);
    }

    private void run(InlineDriver driver, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(TICK_NANOS);
            assertThat(driver.runDueTicks()).isOne();
        }
    }

    @Test
    void shouldKeepCommandsThatRanBeforeTheInputCame() {
        try (InlineDriver driver = rollingBack(late, 1)) {
            run(driver, 10);
            driver.pause();
            run(driver, 1);
            push(driver, 1);
            driver.runDueTicks();
            offerAt(driver, 8);
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
    }

    private void push(InlineDriver driver, int body) {
        assertThat(driver.command(PushedMasses.Push.TYPE, new PushedMasses.Push(body, 0.25)))
                .isNotNull();
    }

    private Simulation failing(boolean[] fails, RuntimeException thrown) {
        return new ForwardingSimulation(late) {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                if (fails[0]) {
                    throw thrown;
                }
            }
        };
    }

    @Test
    void shouldFailWithWhatATickThatRanAgainHasThrown() {
        ArithmeticException thrown = new ArithmeticException("unstable");
        boolean[] fails = new boolean[1];
        InlineDriver driver = rollingBack(failing(fails, thrown), 1);
        run(driver, 10);
        fails[0] = true;
        offerAt(driver, 8);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).isSameAs(thrown);
        fails[0] = false;
        assertThatThrownBy(driver::runDueTicks).as("half-way").isSameAs(thrown);
        assertThat(late.last()).isEqualTo(8);
        driver.close();
    }

    @Test
    void shouldRunNothingBetweenTicksAfterATickThatRanAgainHasThrown() {
        ArithmeticException thrown = new ArithmeticException("unstable");
        boolean[] fails = new boolean[1];
        InlineDriver driver = rollingBack(failing(fails, thrown), 1);
        run(driver, 10);
        driver.timeScale(new TimeScale(1, 10));
        run(driver, 1);
        CompletableFuture<?> waiting = driver.command(PushedMasses.Push.TYPE, new PushedMasses.Push(1, 0.25));
        fails[0] = true;
        offerAt(driver, 8);
        assertThatThrownBy(driver::runDueTicks)
                .as("before the next tick is due")
                .isSameAs(thrown);
        fails[0] = false;
        offerAt(driver, 7);
        assertThatThrownBy(driver::runDueTicks).as("half-way").isSameAs(thrown);
        assertThat(late.last()).as("no second one has begun").isEqualTo(8);
        assertThatThrownBy(waiting::join).hasMessageContaining("could not run tick 8 again, and cannot go on");
        driver.close();
    }

    @Test
    void shouldDropWhatBelongsToATickThatFailedAndRunsAgain() {
        TracedMasses failing = new TracedMasses(BODIES) {
            private boolean thrown;
            private int restored;

            @Override
            public void step(Tick tick) {
                if (tick.number() == 11 && !thrown) {
                    thrown = true;
                    throw new ArithmeticException("before the step");
                }
                super.step(tick);
            }

            @Override
            public void restore(StateBuffer from) {
                assertThat(restored++).as("restores").isLessThan(3); // it would go on without end
                super.restore(from);
            }
        };
        try (InlineDriver driver = rollingBack(failing, 1)) {
            run(driver, 10);
            clock.advance(TICK_NANOS);
            assertThatThrownBy(driver::runDueTicks).hasMessage("before the step");
            offerAt(driver, 11);
            assertThat(driver.runDueTicks()).isOne();
            assertThat(driver.stats().droppedLateInputs()).isOne();
            run(driver, 2);
            offerAt(driver, 12); // 11 cannot run again, because it has failed
            run(driver, 1);
            assertThat(driver.stats().rollbacks()).isOne();
            failing.requireTheHashesOfARunWithoutRewinds();
        }
    }

    @Test
    void shouldRunNothingAgainFromBeforeATickThatTheHistoryHasNot() {
        boolean[] fails = new boolean[1];
        TracedMasses failing = new TracedMasses(BODIES) {
            @Override
            public void save(StateBuffer to) {
                if (fails[0]) {
                    fails[0] = false;
                    throw new ArithmeticException("after the tick was published");
                }
                super.save(to);
            }
        };
        try (InlineDriver driver = rollingBack(failing, 1)) {
            run(driver, 10);
            fails[0] = true;
            clock.advance(TICK_NANOS);
            assertThatThrownBy(driver::runDueTicks).hasMessage("after the tick was published");
            offerAt(driver, 8);
            run(driver, 1);
            assertThat(driver.stats().droppedLateInputs()).isOne();
            failing.requireTheHashesOfARunWithoutRewinds();
            run(driver, 2);
            offerAt(driver, 13);
            run(driver, 1);
            assertThat(driver.stats().rollbacks()).isOne();
            failing.requireTheHashesOfARunWithoutRewinds();
        }
    }

    @Test
    void shouldGiveNoInputToATickThatWasUndoneAndRanAgain() {
        try (InlineDriver driver = rollingBack(late, 1)) {
            run(driver, 20);
            assertThat(driver.rerun(10)).isNotNull();
            run(driver, 10);
            assertThat(late.last()).isEqualTo(20);
            offerAt(driver, 20); // its time was before it was undone
            run(driver, 1);
            assertThat(driver.stats().droppedLateInputs()).isOne();
            assertThat(driver.stats().rollbacks()).isZero();
        }
    }

    @Test
    void shouldSayWhatItNeeds() {
        assertThatThrownBy(() -> builder(late).rollBack(8).inline(clock))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("to roll back 8 ticks, a run needs the states before them")
                .hasMessageContaining("call history(StateHistory.ofTicks(8))");
        assertThatThrownBy(() -> builder(late).rollBack(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 tick or more");
    }

    @Test
    void shouldAllocateNoMoreWhileNoInputIsLate() {
        StateHistory kept = StateHistory.ofTicks(200);
        long without = allocatedBytes(builder(new PushedMasses(BODIES)).history(StateHistory.ofTicks(200)));
        assertThat(allocatedBytes(
                        builder(new PushedMasses(BODIES)).history(kept).rollBack(LATE_TICKS)))
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
