package dev.escapement.physics;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;

/** Everything that ticks a simulation, put together, whoever calls it: a thread of its own or the user's loop. */
final class TickParts {

    final SnapshotExchange exchange;
    final InputRing input;
    final InputSampler sampler;
    final TickSchedule schedule;
    final Capture capture;
    final CommandQueue commands;
    final CommandQueue queries;
    final Spawner spawner;
    final TimeControl time;
    final PhysicsStats stats = new PhysicsStats();
    final Heartbeat heartbeat = new Heartbeat();
    final TickLoop loop;

    /** For the first ticks of a service. */
    TickParts(PhysicsServiceBuilder builder, NanoClock clock, LateTicks lateTicks) {
        this(
                builder,
                builder.simulation,
                clock,
                lateTicks,
                new InputRing(builder.inputCapacity, clock),
                new TimeControl(builder.rate),
                1,
                0);
    }

    /** For another simulation that goes on with the tick at which these parts were left. */
    TickParts succeededBy(PhysicsServiceBuilder builder, Simulation simulation, NanoClock clock) {
        return new TickParts(
                builder,
                simulation,
                clock,
                builder.lateTicks,
                input,
                time,
                schedule.nextTick(),
                capture.highestGeneration() + 1);
    }

    private TickParts(
            PhysicsServiceBuilder builder,
            Simulation simulation,
            NanoClock clock,
            LateTicks lateTicks,
            InputRing input,
            TimeControl time,
            long firstTick,
            int firstGeneration) {
        this.input = input;
        this.time = time;
        exchange = new SnapshotExchange(
                builder.windowSize, builder.maxReaders, builder.preallocatedBodies, builder.rate, builder.layout);
        capture = new Capture(
                simulation::capture, builder.layout, builder.rate, builder.preallocatedBodies, firstGeneration);
        sampler = new InputSampler(input);
        commands = new CommandQueue("commands", builder.commandCapacity, builder.commandsPerTick);
        queries = new CommandQueue("queries", builder.commandCapacity, builder.commandsPerTick);
        spawner = new Spawner(capture, commands);
        schedule = new TickSchedule(builder.rate, lateTicks, firstTick);
        loop = new TickLoop(builder, simulation, this, clock);
    }
}
