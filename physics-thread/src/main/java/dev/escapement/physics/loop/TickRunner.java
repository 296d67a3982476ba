package dev.escapement.physics.loop;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
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
 * <p>The thread that ticks makes all calls. Allocates nothing after construction.
 */
public final class TickRunner {

    private final Simulation simulation;
    private final UserCodeGuard guard;
    private final Hooks hooks;
    private final EventHub events;
    private final UserCodeGuard.Call<Exception> discard;
    private final ExecutedCommands ran;
    private final RunningTick tick;

    /**
     * Creates a runner of a simulation that no service ticks.
     *
     * @param simulation a simulation that has begun, or begins before the first tick
     * @param rate       the rate of the ticks
     * @param hooks      receive each step
     */
    public TickRunner(Simulation simulation, TickRate rate, List<? extends TickHook> hooks) {
        this(simulation, rate, new Hooks(hooks, new UserCodeGuard()), new EventHub(), new ExecutedCommands());
    }

    /** Creates the runner of a service or driver, which notes its commands in {@code ran}. */
    TickRunner(Simulation simulation, TickRate rate, Hooks hooks, EventHub events, ExecutedCommands ran) {
        this.simulation = simulation;
        guard = hooks.guard;
        this.hooks = hooks;
        this.events = events;
        this.ran = ran;
        EventHub.Source contacts = simulation::events;
        discard = () -> events.discard(contacts);
        tick = new RunningTick(simulation, rate, ran, guard);
    }

    /**
     * Runs the next tick of a source.
     *
     * @param source     the source of the tick
     * @param sourceTick its number in the source: for a service that follows a run, the readers' number
     * @param number     its number for the simulation
     * @param fromNanos  when simulated time left the tick before
     * @param dueNanos   when it is due
     * @return the tick, valid until the next one runs
     * @throws Exception what the source or the simulation throws
     */
    public Tick run(TickSource source, long sourceTick, long number, long fromNanos, long dueNanos) throws Exception {
        runToStep(source, sourceTick, number, fromNanos, dueNanos, 0, false);
        finishStep(source);
        return tick;
    }

    /**
     * Runs a tick up to the end of its step; {@link #finishStep} completes it. {@code budgetUsed} is the share of its period that the tick
     * before needed. A re-simulated tick is not {@code isNew}: it collects contacts only if its source wants them, that is, if there were
     * subscribers when the tick first ran. Later subscribers received no contacts of that tick, so nothing needs correction for them.
     */
    Tick runToStep(
            TickSource source,
            long sourceTick,
            long number,
            long fromNanos,
            long dueNanos,
            double budgetUsed,
            boolean isNew)
            throws Exception {
        guard.enter();
        source.take(sourceTick);
        guard.exit();
        runCommands(source, number);
        // After the commands: more of the input that is due has arrived by then.
        InputFrame input = source.input(fromNanos, dueNanos);
        boolean wantedBySource = source.eventsWanted();
        boolean wanted = events.beginTick(wantedBySource);
        tick.set(number, dueNanos, source.budgetUsed(budgetUsed), input, isNew ? wanted : wantedBySource);
        hooks.stepping(tick);
        guard.enter();
        simulation.step(tick);
        guard.exit();
        return tick;
    }

    private void runCommands(TickSource source, long number) {
        List<CommandData> commands = source.commands();
        for (int command = 0; command < commands.size(); command++) {
            guard.enter();
            if (!hooks.isEmpty()) {
                ran.add(commands.get(command));
                hooks.command(number, commands.get(command));
            }
            source.runCommand(command);
            guard.exit();
        }
        if (source.localRan()) {
            ran.addLocal();
            guard.enter();
            hooks.command(number, "a command of the run that is followed");
            guard.exit();
        }
    }

    /** Notifies hooks of the finished step, and compares its hash with that of the source, if a log is the source of ticks. */
    void finishStep(TickSource source) {
        hooks.stepped(tick);
        guard.enter();
        source.compare(tick);
        guard.exit();
        ran.clear();
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
