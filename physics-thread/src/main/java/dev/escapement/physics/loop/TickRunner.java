package dev.escapement.physics.loop;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.util.List;

/**
 * Runs ticks from any source, such as a log: runs the commands of the source, takes the input, and steps the simulation. In a service,
 * {@link TickLoop} runs the commands that were offered to the service before that.
 *
 * <pre>{@code
 * TickRunner runner = new TickRunner(simulation, rate, List.of());
 * runner.run(source, 1, 1, 0, rate.nanosAt(1));
 * runner.discardEvents();
 * }</pre>
 *
 * <p>The thread that ticks makes all calls. Allocates only room for commands, and one warning.
 */
public final class TickRunner {

    private final Simulation simulation;
    private final UserCodeGuard guard;
    private final Hooks hooks;
    private final EventHub events;
    private final UserCodeGuard.Call<Exception> discard;
    private final RunningTick tick;
    private boolean reportedDrained;

    /**
     * Creates a runner of a simulation that no service ticks.
     *
     * @param simulation a simulation that has begun, or begins before the first tick
     * @param rate       the rate of the ticks
     * @param hooks      receive each step
     */
    public TickRunner(Simulation simulation, TickRate rate, List<? extends TickHook> hooks) {
        this(simulation, rate, hooks, new UserCodeGuard());
    }

    private TickRunner(Simulation simulation, TickRate rate, List<? extends TickHook> hooks, UserCodeGuard guard) {
        this(
                simulation,
                new Hooks(hooks, guard, new RunState()),
                new EventHub(),
                new RunningTick(simulation, rate, guard));
    }

    /** Creates the runner of a service or driver. */
    TickRunner(Simulation simulation, Hooks hooks, EventHub events, RunningTick tick) {
        this.simulation = simulation;
        guard = hooks.guard;
        this.hooks = hooks;
        this.events = events;
        this.tick = tick;
        EventHub.Source contacts = simulation::events;
        discard = () -> events.discard(contacts);
    }

    /**
     * Runs a past tick of a source. It collects contacts only if its source wants them, that is, if there were subscribers when the tick
     * first ran. Later subscribers received no contacts of that tick, so nothing needs correction for them.
     *
     * @param source         the source of the tick
     * @param publishedTick  its number in the source
     * @param simulationTick its number for the simulation
     * @param fromNanos      when simulated time left the tick before
     * @param dueNanos       when it is due
     * @return the tick, valid until the next one runs
     * @throws Exception what the source or the simulation throws
     */
    public Tick run(TickSource source, long publishedTick, long simulationTick, long fromNanos, long dueNanos)
            throws Exception {
        tick.begin(publishedTick, simulationTick, fromNanos, dueNanos);
        InputFrame input = take(source);
        boolean wanted = source.eventsWanted();
        events.beginTick(wanted);
        tick.take(input, source.budgetUsed(0), wanted);
        step();
        finishStep(source);
        return tick;
    }

    /**
     * Runs the new tick that {@link RunningTick#begin} has begun, up to the end of its step; {@link #finishStep} completes it. {@code
     * budgetUsed} is the share of its period that the tick before needed.
     */
    void runToStep(TickSource source, double budgetUsed) throws Exception {
        InputFrame input = take(source);
        boolean wanted = events.beginTick(source.eventsWanted());
        tick.take(input, source.budgetUsed(budgetUsed), wanted);
        step();
    }

    private InputFrame take(TickSource source) throws Exception {
        guard.enter();
        source.take(tick.publishedTick());
        guard.exit();
        runCommands(source);
        // After the commands: more of the input that is due has arrived by then.
        return source.input(tick.fromNanos(), tick.dueNanos());
    }

    private void step() throws Exception {
        hooks.stepping(tick);
        guard.enter();
        events.beginStep();
        simulation.step(tick);
        if (events.endStep()) {
            drained(tick.number());
        }
        guard.exit();
    }

    private void drained(long number) {
        tick.addLocal(TickHook.Stepped.DRAINED);
        if (!hooks.isEmpty() && !reportedDrained) {
            reportedDrained = true;
            FailureReport.warn(
                    () -> "The step of tick " + number + " drained events of its own service, which a replay or a"
                            + " restored state does not have: count contacts in the engine's own listener, within the step");
        }
    }

    private void runCommands(TickSource source) {
        List<CommandData> commands = source.commands();
        for (int command = 0; command < commands.size(); command++) {
            guard.enter();
            if (!hooks.isEmpty()) {
                tick.addCommand(commands.get(command));
                hooks.command(tick.number(), commands.get(command));
            }
            source.runCommand(command);
            guard.exit();
        }
        if (!source.local().isEmpty()) {
            tick.addLocal(source.local());
            if (!source.local().equals(TickHook.Stepped.DRAINED)) { // then no command ran
                guard.enter();
                hooks.command(tick.number(), "a command of the run that is followed");
                guard.exit();
            }
        }
    }

    /** Notifies hooks of the finished step, and lets the source compare its hash with the recorded one, if a log is the source. */
    void finishStep(TickSource source) {
        hooks.stepped(tick);
        guard.enter();
        source.compare(tick);
        guard.exit();
        tick.clearCommands();
    }

    /**
     * Discards the contacts of the tick that ran last, which would otherwise pile up in the simulation.
     *
     * @throws Exception what the simulation throws
     */
    public void discardEvents() throws Exception {
        guard.call(discard);
    }
}
