package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.event.TickEvents;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Fixture: a driver, a simulation that counts, and hooks that note their calls. */
abstract class NotingHooks {

    static final long TICK_NANOS = 10_000_000;
    final ManualClock clock = new ManualClock(0);
    final List<String> calls = new CopyOnWriteArrayList<>();

    @Nullable
    InlineDriver open;

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
                events.contactBegan(0, EventWriter.NO_BODY, 0, 0, 0, 0, 1, 0);
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
    final class Noting implements TickHook {

        private final String name;
        private final Map<Long, long[]> past = new HashMap<>();
        private final Map<String, Action> actions = new HashMap<>();

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

        private void note(String call) {
            calls.add(name + " " + call);
            actions.forEach((words, action) -> {
                if ((call + " ").startsWith(words + " ")) {
                    try {
                        action.run(run());
                    } catch (RuntimeException thrown) {
                        throw thrown;
                    } catch (Exception checked) {
                        throw new AssertionError(checked);
                    }
                }
            });
        }

        TickAccess run() {
            return Objects.requireNonNull(run);
        }

        @Override
        public void begin(TickAccess control) {
            run = control;
            note("begin");
        }

        @Override
        public void start() {
            note("start after " + run().lastTick());
        }

        @Override
        public void between() {
            note("between");
        }

        @Override
        public void command(long tick, Object command) {
            note("command of " + tick);
        }

        @Override
        public void stepping(Tick tick) {
            note("stepping " + tick.number());
        }

        @Override
        public void stepped(SteppedTick tick) {
            note("stepped " + tick.tick().number() + " commands "
                    + tick.commands().size() + " local " + tick.localRan());
        }

        @Override
        public void atRest(long tick, boolean bodiesChanged) {
            note("at rest " + tick + (bodiesChanged ? " changed" : ""));
        }

        @Override
        public void published(TickTimes times) {
            note("published " + times.tick() + " of " + times.simulationTick());
            past.put(times.simulationTick(), new long[] {times.tick(), times.fromNanos(), times.dueNanos()});
        }

        /** Returns a past that begins with tick {@code first}. */
        TickAccess.PastTicks pastFrom(long first) {
            return new TickAccess.PastTicks() {
                @Override
                public long published(long tick) {
                    if (tick < first) {
                        throw new IllegalArgumentException("tick " + tick + " is not known");
                    }
                    return Objects.requireNonNull(past.get(tick))[0];
                }

                @Override
                public long fromNanos(long tick) {
                    return Objects.requireNonNull(past.get(tick))[1];
                }

                @Override
                public long dueNanos(long tick) {
                    return Objects.requireNonNull(past.get(tick))[2];
                }

                @Override
                public TickEvents contacts(long tick, Snapshot bodies) {
                    note("contacts " + tick);
                    return new TickEvents();
                }
            };
        }

        @Override
        public void sought(long tick, boolean resimulates) {
            note("went back to " + tick + (resimulates ? " to re-simulate" : ""));
        }

        @Override
        public void fault(TickFault fault) {
            note("fault in " + fault.tick() + " " + fault.reason());
        }

        @Override
        public void end() {
            note("end");
        }
    }

    InlineDriver drive(Simulation simulation, TickHook... hooks) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation);
        for (TickHook hook : hooks) {
            builder.with(hook);
        }
        open = builder.inline(clock);
        return open;
    }

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
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
}
