package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Passes each call to the recording and to the flight recorder of a run, if there are such. */
final class TickRecorders implements TickRecorder {

    private final TickRecorder[] recorders;
    private final @Nullable TickRecorder flight;

    TickRecorders(@Nullable TickRecorder recording, @Nullable TickRecorder flight) {
        recorders = Stream.of(recording, flight).filter(Objects::nonNull).toArray(TickRecorder[]::new);
        this.flight = flight;
    }

    /** Whether nothing is recorded. */
    boolean isEmpty() {
        return recorders.length == 0;
    }

    @Override
    public void begin(Simulation simulation, TickRate rate, boolean mayWait) {
        for (TickRecorder recorder : recorders) {
            recorder.begin(simulation, rate, mayWait);
        }
    }

    @Override
    public void command(long tick, CommandData command) {
        for (TickRecorder recorder : recorders) {
            recorder.command(tick, command);
        }
    }

    @Override
    public void localCommand(long tick, Object command) {
        for (TickRecorder recorder : recorders) {
            recorder.localCommand(tick, command);
        }
    }

    @Override
    public void beginTick(Tick tick) {
        for (TickRecorder recorder : recorders) {
            recorder.beginTick(tick);
        }
    }

    @Override
    public void tick(Tick tick, List<CommandData> commands, boolean localRan, long stateHash) {
        for (TickRecorder recorder : recorders) {
            recorder.tick(tick, commands, localRan, stateHash);
        }
    }

    @Override
    public void endTick(long tick, long tookNanos) {
        for (TickRecorder recorder : recorders) {
            recorder.endTick(tick, tookNanos);
        }
    }

    @Override
    public void fault(TickFault fault) {
        for (TickRecorder recorder : recorders) {
            recorder.fault(fault);
        }
    }

    @Override
    public void fail(long tick, IOException cause) {
        for (TickRecorder recorder : recorders) {
            recorder.fail(tick, cause);
        }
    }

    @Override
    public void end() {
        for (TickRecorder recorder : recorders) {
            recorder.end();
        }
    }

    @Override
    public void save(Path file) throws IOException {
        if (flight == null) {
            throw new IllegalStateException("there is no flight recorder whose last seconds could be saved;"
                    + " give the builder one with flightRecorder(...)");
        }
        flight.save(file);
    }
}
