package dev.escapement.physics;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Everything that ticks a simulation, put together, whoever calls it: a thread of its own or the user's loop. */
final class TickParts {

    final SnapshotExchange exchange;
    final InputRing input;
    final InputSources sources;
    final InputSampler sampler;
    final TickSchedule schedule;
    final Capture capture;
    final CommandQueue commands;
    final CommandQueue queries;
    final Spawner spawner;
    final CommandQueue.Answers answers;
    final TimeControl time;
    final PhysicsStats stats = new PhysicsStats();
    final Heartbeat heartbeat = new Heartbeat();
    final EventHub events;
    final TickLog log;
    final TickLoop loop;

    /** For the first ticks of a service. */
    TickParts(PhysicsServiceBuilder builder, NanoClock clock, LateTicks lateTicks, CommandQueue.Answers answers) {
        this(builder, builder.simulation, clock, lateTicks, answers, null);
    }

    /** For another simulation that goes on with the tick at which these parts were left. They are left as they are. */
    TickParts succeededBy(PhysicsServiceBuilder builder, Simulation simulation, NanoClock clock) {
        return new TickParts(builder, simulation, clock, builder.lateTicks, answers.succeededBy(), this);
    }

    private TickParts(
            PhysicsServiceBuilder builder,
            Simulation simulation,
            NanoClock clock,
            LateTicks lateTicks,
            CommandQueue.Answers answers,
            @Nullable TickParts predecessor) {
        this.answers = answers;
        Snapshot told;
        long firstTick;
        int firstGeneration;
        if (predecessor == null) {
            input = new InputRing(builder.inputCapacity, clock);
            sources = new InputSources(builder.sources, input);
            time = new TimeControl(builder.rate);
            events = new EventHub();
            told = null;
            firstTick = 1;
            firstGeneration = 0;
        } else {
            input = predecessor.input;
            sources = predecessor.sources.succeededBy();
            time = predecessor.time;
            events = predecessor.events.succeededBy();
            told = predecessor.loop.told();
            firstTick = predecessor.schedule.nextTick();
            firstGeneration = predecessor.capture.highestGeneration() + 1;
        }
        exchange = new SnapshotExchange(
                builder.windowSize, builder.maxReaders, builder.preallocatedBodies, builder.rate, builder.layout);
        capture = new Capture(
                simulation::capture, builder.layout, builder.rate, builder.preallocatedBodies, firstGeneration);
        sampler = new InputSampler(input);
        if (predecessor != null) {
            sampler.succeed(predecessor.sampler);
        }
        commands = new CommandQueue("commands", builder.commandCapacity, builder.commandsPerTick, answers, heartbeat);
        queries = new CommandQueue("queries", builder.commandCapacity, builder.commandsPerTick, answers, heartbeat);
        spawner = new Spawner(capture, commands);
        schedule = new TickSchedule(builder.rate, lateTicks, firstTick);
        log = predecessor == null ? TickLog.of(builder, simulation) : TickLog.none(simulation);
        loop = new TickLoop(builder, simulation, this, clock, log.input(sampler), told);
    }
}
