package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;

/** A source log whose ticks the test releases one by one, with their due times. */
public final class LiveRun implements TickSource, TickSource.Run {

    private final RecordedInput input = new RecordedInput();
    public volatile long dueNanos = Long.MAX_VALUE;
    TimeScale scale = TimeScale.ONE;
    boolean standsStill;
    boolean closed;
    final List<Long> took = new ArrayList<>();
    List<CommandData> commands = List.of();
    int commandsRan;

    @Override
    public TickRate rate() {
        return TickRate.hertz(100);
    }

    @Override
    public TickSource open(Simulation simulation) {
        return this;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isReady() {
        return dueNanos != Long.MAX_VALUE;
    }

    @Override
    public long dueNanos(long expectedNanos) {
        return dueNanos;
    }

    @Override
    public TimeScale scale(TimeScale requested) {
        return scale;
    }

    @Override
    public boolean standsStill() {
        return standsStill;
    }

    @Override
    public List<CommandData> commands() {
        return commands;
    }

    @Override
    public void runCommand(int command) {
        commandsRan++;
    }

    @Override
    public void take(long tick) {
        took.add(tick);
        dueNanos = Long.MAX_VALUE;
    }

    @Override
    public InputFrame input(long fromNanos, long due) {
        input.begin(due - fromNanos);
        return input.frame();
    }
}
