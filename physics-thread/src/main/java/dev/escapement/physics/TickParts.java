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
    final TimeControl time;
    final TickLoop loop;

    TickParts(PhysicsServiceBuilder builder, NanoClock clock, LateTicks lateTicks) {
        exchange = new SnapshotExchange(
                builder.windowSize, builder.maxReaders, builder.preallocatedBodies, builder.rate, builder.layout);
        capture = new Capture(builder.simulation::capture, builder.layout, builder.rate, builder.preallocatedBodies);
        input = new InputRing(builder.inputCapacity, clock);
        sampler = new InputSampler(input);
        time = new TimeControl(builder.rate);
        commands = new CommandQueue("commands", builder.commandCapacity, builder.commandsPerTick);
        queries = new CommandQueue("queries", builder.commandCapacity, builder.commandsPerTick);
        schedule = new TickSchedule(builder.rate, lateTicks);
        loop = new TickLoop(
                builder.simulation,
                capture,
                commands,
                queries,
                time,
                clock,
                exchange.writer(),
                sampler,
                schedule,
                builder.listener,
                builder.checksums);
    }
}
