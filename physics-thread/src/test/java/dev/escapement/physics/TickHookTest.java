package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.Await;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.event.TickEvents;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when each method of a hook is called, what it may do, and the end of a run whose hook throws or hangs. */
@Timeout(60)
class TickHookTest {

    static final long TICK_NANOS = 10_000_000;
    final ManualClock clock = new ManualClock(0);
    final List<String> calls = new CopyOnWriteArrayList<>();

    /** Counts its steps. It touches the ground from the third step on. */
    static class Counter implements Simulation {

        int steps;
        boolean breaks;
        final List<Integer> inputs = new ArrayList<>();

        @Override
        public void step(Tick tick) {
            if (breaks) {
                breaks = false;
                throw new IllegalStateException("half a step");
            }
            steps++;
            inputs.add(tick.input().size());
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, steps, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void events(EventWriter events) {
            if (steps == 3) {
                events.contactBegan(0, EventWriter.NO_SLOT, 0, 0, 0, 0, 1, 0);
            }
        }

        @Override
        public long hash() {
            return steps;
        }
    }

    final Counter counter = new Counter();

    interface Action {

        void run(TickAccess run) throws Exception;
    }

    /** A hook that notes its calls, and runs an action in some of them. */
    final class Noting implements InvocationHandler {

        private final String name;
        private final Map<String, Action> actions = new HashMap<>();
        final TickHook hook = (TickHook)
                Proxy.newProxyInstance(TickHook.class.getClassLoader(), new Class<?>[] {TickHook.class}, this);

        @Nullable
        TickAccess run;

        Noting(String name) {
            this.name = name;
        }

        /** Runs an action in each call whose note begins with these words. */
        Noting on(String words, Action action) {
            actions.put(words, action);
            return this;
        }

        TickAccess run() {
            return Objects.requireNonNull(run);
        }

        @Override
        public @Nullable Object invoke(Object hooked, Method method, Object @Nullable [] arguments) throws Exception {
            Object[] given = arguments == null ? new Object[] {""} : arguments;
            Object first = given[0];
            run = first instanceof TickAccess begun ? begun : run;
            String call = switch (method.getName()) {
                case "stepping" -> "stepping " + ((Tick) first).number();
                case "stepped" -> describe((TickHook.Stepped) first);
                case "published" ->
                    "published " + ((TickHook.Times) first).publishedTick() + " of "
                            + ((TickHook.Times) first).simulationTick();
                case "fault" -> "fault " + ((TickHook.Fault) first).tick() + " " + ((TickHook.Fault) first).reason();
                case "atRest", "sought" -> method.getName() + " " + first + " " + given[1];
                case "command" -> "command " + first;
                default -> method.getName();
            };
            calls.add(name + " " + call);
            for (Map.Entry<String, Action> each : actions.entrySet()) {
                if ((call + " ").startsWith(each.getKey() + " ")) {
                    each.getValue().run(run());
                }
            }
            return null;
        }

        private String describe(TickHook.Stepped tick) {
            int commands = tick.commands().size();
            return "stepped " + tick.tick().number() + " commands " + commands + " local "
                    + !tick.local().isEmpty();
        }
    }

    /** The past ticks of a run that never sought another tick, from tick {@code first} on. */
    private TickAccess.PastTicks pastFrom(long first) {
        return new TickAccess.PastTicks() {
            @Override
            public long published(long tick) {
                if (tick < first) {
                    throw new IllegalArgumentException("tick " + tick + " is not known");
                }
                return tick;
            }

            @Override
            public long fromNanos(long tick) {
                return dueNanos(tick - 1);
            }

            @Override
            public long dueNanos(long tick) {
                return tick * TICK_NANOS;
            }

            @Override
            public TickEvents contacts(long tick, Snapshot bodies) {
                calls.add("contacts " + tick);
                return new TickEvents();
            }
        };
    }

    InlineDriver drive(Simulation simulation, TickHook... hooks) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation);
        for (TickHook hook : hooks) {
            builder.with(hook);
        }
        return builder.inline(clock);
    }

    void tick(InlineDriver driver, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(TICK_NANOS);
            assertThat(driver.runDueTicks()).isOne();
        }
    }

    /** A source for re-simulated ticks, each with an input of two events. */
    static final class TwoEvents implements TickSource {

        private final RecordedInput input = new RecordedInput();

        @Override
        public InputFrame input(long fromNanos, long dueNanos) {
            input.begin(dueNanos - fromNanos);
            input.add(0, 0, fromNanos + 1, InputKind.APPLICATION, 1, 0, 0, 1, false);
            input.add(0, 1, fromNanos + 2, InputKind.APPLICATION, 1, 0, 0, 2, false);
            return input.frame();
        }

        @Override
        public boolean eventsWanted() {
            return true;
        }
    }

    @Test
    void shouldBeCalledInOrderAroundATick() {
        PushedMasses masses = new PushedMasses(1);
        InlineDriver driver = drive(masses, new Noting("a").hook, new Noting("b").hook);
        assertThatIllegalStateException()
                .isThrownBy(() -> masses.commands().on(Push.TYPE, (tick, push) -> 0))
                .withMessageContaining("comes too late");
        assertThat(driver.command(Push.TYPE, new Push(0, 1))).isNotNull();
        tick(driver, 1);
        driver.close();
        List<String> ofEach = List.of(
                "attach",
                "begun",
                "beforeCommands",
                "command 1",
                "stepping 1",
                "stepped 1 commands 1 local false",
                "atRest 1 true",
                "published 1 of 1",
                "end");
        List<String> expected = new ArrayList<>();
        ofEach.forEach(call -> expected.addAll(List.of("a " + call, "b " + call)));
        assertThat(calls).isEqualTo(expected);
    }

    @Test
    void shouldOfferNoSeekThatWouldLoseACommand() {
        InlineDriver driver = drive(counter, new Noting("a").hook);
        tick(driver, 1);
        driver.pause();
        tick(driver, 1);
        assertThat(driver.command(tick -> tick)).isNotNull();
        driver.runDueTicks(); // while paused
        calls.clear();
        driver.step();
        driver.runDueTicks();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        assertThat(calls).contains("a stepped 3 commands 0 local true").doesNotContain("a beforeCommands");
        driver.runDueTicks();
        assertThat(calls).contains("a beforeCommands");
    }

    @Test
    void shouldComputeOneHashHoweverManyAsk() {
        int[] hashed = {0};
        Simulation hashing = new Counter() {
            @Override
            public long hash() {
                return ++hashed[0];
            }
        };
        TickHook asking = new TickHook() {
            @Override
            public void stepped(TickHook.Stepped tick) {
                assertThat(tick.stateHash()).isEqualTo(tick.stateHash());
            }
        };
        tick(drive(hashing, asking, asking), 3);
        assertThat(hashed[0]).isEqualTo(3);
    }

    @Test
    void shouldJumpBetweenTwoTicks() {
        Noting jumping = new Noting("a").on("beforeCommands", run -> {
            if (run.publishedTick() == 4) {
                run.seek(1, atRest -> counter.steps = 1);
            }
        });
        InlineDriver driver = drive(counter, jumping.hook);
        SnapshotReader reader = driver.newReader();
        tick(driver, 6);
        assertThat(counter.steps).isEqualTo(3);
        assertThat(calls).contains("a sought 1 false", "a stepping 2", "a published 5 of 2", "a published 6 of 3");
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newest().simulationTick()).isEqualTo(3);
        assertThat(reader.window().snapshot(1).motion(0).breaks().count())
                .as("tick 5")
                .isOne();
    }

    @Test
    void shouldResimulateTicksUpToWhereTheRunIs() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(
                counter,
                hook.on("beforeCommands", run -> {
                            if (run.publishedTick() == 5 && !calls.contains("a sought 2 true")) {
                                run.resimulate(3, this::restoreElsewhere, new TwoEvents(), pastFrom(3));
                            }
                        })
                        .hook);
        EventStream events = driver.events(64);
        tick(driver, 5);
        calls.clear();
        tick(driver, 1);
        List<String> expected = new ArrayList<>(List.of("a beforeCommands", "a sought 2 true"));
        for (int tick = 3; tick <= 5; tick++) {
            expected.addAll(List.of("a stepping " + tick, "a stepped " + tick + " commands 0 local false"));
            expected.addAll(List.of("contacts " + tick, "a atRest " + tick + " false"));
        }
        expected.addAll(List.of("a stepping 6", "a stepped 6 commands 0 local false", "a atRest 6 false"));
        expected.add("a published 6 of 6");
        assertThat(calls).isEqualTo(expected);
        assertThat(counter.steps).isEqualTo(-6);
        assertThat(counter.inputs).containsExactly(0, 0, 0, 0, 0, 2, 2, 2, 0);
        assertThat(driver.stats().resimulatedTicks()).isEqualTo(3);
        List<BodyEvent.Kind> kinds = new ArrayList<>();
        events.drain(event -> kinds.add(event.kind()));
        assertThat(kinds)
                .as("only a correction adds events of past ticks")
                .containsExactly(BodyEvent.Kind.SPAWNED, BodyEvent.Kind.CONTACT_BEGAN);
    }

    private void restoreElsewhere(@Nullable Callable<?> atRest) throws Exception {
        counter.steps = -10;
        Objects.requireNonNull(atRest).call();
    }

    @Test
    void shouldRefuseToResimulateTicksThatAreNotKept() {
        Noting few = new Noting("a");
        few.on("beforeCommands", run -> {
            if (run.publishedTick() == 5) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> run.resimulate(2, this::restoreElsewhere, new TwoEvents(), pastFrom(3)))
                        .withMessage("tick 2 is not known");
            }
        });
        tick(drive(counter, few.hook), 6);
        assertThat(counter.steps).as("nothing was restored").isEqualTo(6);
    }

    @Test
    void shouldRefuseToJumpWithinATick() {
        Noting within = new Noting("a")
                .on(
                        "stepped",
                        run -> assertThatIllegalStateException()
                                .isThrownBy(() -> run.seek(0, atRest -> counter.steps = 0))
                                .withMessageContaining("a run seeks between two ticks only"));
        tick(drive(counter, within.hook), 2);
        assertThatIllegalStateException()
                .as("on another thread, or outside of the run")
                .isThrownBy(() -> within.run().seek(0, atRest -> counter.steps = 0))
                .withMessageContaining("a run seeks between two ticks only");
        assertThat(counter.steps).isEqualTo(2);
    }

    @Test
    void shouldSeekInTheOrderOfCommands() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(counter, hook.hook);
        tick(driver, 5);
        List<Long> ticks = new ArrayList<>();
        CompletableFuture<?> before = driver.command(ticks::add);
        CompletableFuture<?> jump = hook.run().submit("jump(2)", tick -> {
            hook.run().seek(2, atRest -> counter.steps = 2);
            return tick;
        });
        CompletableFuture<?> after = driver.command(ticks::add);
        tick(driver, 1);
        assertThat(before).isCompleted();
        assertThat(jump).isCompleted();
        assertThat(after).isCompleted();
        assertThat(ticks).containsExactly(6L, 3L);
        assertThat(counter.steps).isEqualTo(3);
    }

    @Test
    void shouldRefuseToResimulateAfterACommandOfTheRound() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(new PushedMasses(1), hook.hook);
        tick(driver, 4);
        assertThat(driver.command(Push.TYPE, new Push(0, 1))).isNotNull();
        CompletableFuture<?> again = hook.run().submit("again", tick -> {
            hook.run().resimulate(3, atRest -> {}, new TwoEvents(), pastFrom(1));
            return tick;
        });
        tick(driver, 1);
        assertThatThrownBy(again::join).hasMessageContaining("commands have run since tick 4");
        assertThat(calls).contains("a stepped 5 commands 1 local false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"begun", "beforeCommands", "stepping", "stepped"})
    void shouldEndTheRunIfItThrowsBeforePublishing(String where) {
        ArithmeticException thrown = new ArithmeticException("of the hook");
        InlineDriver driver = drive(
                counter,
                new Noting("a")
                        .on(where, run -> {
                            throw thrown;
                        })
                        .hook);
        CompletableFuture<?> query = driver.query(tick -> tick);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).isSameAs(thrown);
        assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withCause(thrown);
        assertThat(driver.failure()).contains(thrown);
        assertThat(query).isCompletedExceptionally();
        assertThat(driver.input().offer(0, InputKind.APPLICATION, 1, 0, 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"atRest", "published"})
    void shouldThrowToTheCallerAndContinueAfterPublishing(String where) {
        InlineDriver driver = drive(counter, new Noting("a").on(where + " 1", TickHookTest::fail).hook);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("of the hook");
        assertThat(calls).contains("a fault 1 THREW");
        assertThat(driver.failure()).isEmpty();
        tick(driver, 2);
        assertThat(counter.steps).isEqualTo(3);
    }

    @Test
    void shouldCloseTheSourceAndEndHooksIfAnotherRefuses() {
        LiveRun run = new LiveRun();
        PhysicsServiceBuilder builder = PhysicsService.builder(counter)
                .follow(run)
                .with(new Noting("a").hook)
                .with(new Noting("b").on("attach", TickHookTest::fail).hook);
        assertThatThrownBy(() -> builder.inline(clock)).hasMessage("of the hook");
        assertThat(run.closed).isTrue();
        assertThat(calls).containsExactly("a attach", "b attach", "a end");
    }

    @Test
    void shouldEndTheRunIfAResimulatedTickThrows() {
        Noting hook = new Noting("a");
        InlineDriver driver = drive(counter, hook.hook);
        tick(driver, 4);
        CompletableFuture<?> again = hook.run().submit("again", tick -> {
            hook.run().resimulate(2, atRest -> counter.breaks = true, new TwoEvents(), pastFrom(1));
            return tick;
        });
        CompletableFuture<?> after = driver.command(tick -> tick);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("half a step");
        assertThat(driver.failure()).isPresent();
        assertThat(again).isCompletedExceptionally();
        assertThat(after).as("runs on no half state").isCompletedExceptionally();
        assertThat(calls).contains("a fault 2 THREW");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTheRunIfASeekHookThrows(boolean isPaused) {
        Noting failing = new Noting("a").on("sought", TickHookTest::fail);
        InlineDriver driver = drive(counter, failing.hook);
        tick(driver, 4);
        if (isPaused) {
            driver.pause();
            tick(driver, 1);
        }
        assertThat(failing.run().submit("jump", tick -> {
                    failing.run().seek(2, atRest -> counter.steps = 2);
                    return tick;
                }))
                .isNotNull();
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("of the hook");
        assertThat(driver.failure()).isPresent();
        assertThat(calls).contains("a fault 3 THREW");
    }

    /** A hook that catches the exception of a restore must not continue on half a state. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTheRunIfAHookCatchesAFailedRestore(boolean isPaused) {
        ArithmeticException thrown = new ArithmeticException("of the restore");
        boolean[] seeks = {false};
        Noting hook = new Noting("a");
        hook.on("beforeCommands", run -> {
            if (seeks[0]) {
                assertThatThrownBy(() -> run.seek(2, atRest -> {
                            throw thrown;
                        }))
                        .isSameAs(thrown);
            }
        });
        InlineDriver driver = drive(counter, hook.hook);
        tick(driver, 4);
        if (isPaused) {
            driver.pause();
            tick(driver, 1);
        }
        seeks[0] = true;
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).isSameAs(thrown);
        assertThat(driver.failure()).contains(thrown);
    }

    @Test
    void shouldEndTheRunIfACommandHookThrows() {
        InlineDriver driver = drive(counter, new Noting("a").on("command", TickHookTest::fail).hook);
        boolean[] ran = {false};
        CompletableFuture<?> command = driver.command(tick -> ran[0] = true);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).hasMessage("of the hook");
        assertThat(command).isCompletedExceptionally();
        assertThat(ran[0]).isFalse();
        assertThat(driver.failure()).isPresent();
    }

    @Test
    void shouldDeliverAFaultBehindAHookThatThrows() throws Exception {
        counter.breaks = true;
        PhysicsService service = PhysicsService.builder(counter)
                .with(new Noting("a").on("fault", TickHookTest::fail).hook)
                .with(new Noting("b").hook)
                .onFailure(failure -> {})
                .start();
        AwaitService.state(service, ServiceState.FAILED);
        assertThat(service.failure())
                .hasValueSatisfying(cause -> assertThat(cause).hasMessage("half a step"));
        assertThat(service.query(tick -> tick)).isCompletedExceptionally();
        service.close();
        assertThat(calls).contains("a fault 1 THREW", "b fault 1 THREW", "a end", "b end");
    }

    @Test
    void shouldCallNoOtherHookOnceAbandonedInOne() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        ScriptedSimulation closing = ScriptedSimulation.good();
        PhysicsServiceBuilder builder = PhysicsService.builder(closing)
                .with(new Noting("a")
                        .on("command", run -> {
                            hanging.countDown();
                            Await.open(letGo);
                        })
                        .hook)
                .with(new Noting("b").hook)
                .watchdog(50)
                .onFailure(failure -> {});
        PhysicsService service = Internals.service(builder, clock);
        boolean[] ran = {false};
        assertThat(service.command(tick -> ran[0] = true)).isNotNull();
        AwaitService.hang(service, clock, hanging);
        service.close();
        letGo.countDown();
        closing.closed.await(); // the thread closes the simulation when it returns
        assertThat(calls).isNotEmpty().noneMatch(call -> call.startsWith("b command"));
        assertThat(ran[0]).isFalse();
    }

    private static void fail(TickAccess run) {
        throw new ArithmeticException("of the hook");
    }
}
