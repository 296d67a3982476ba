package dev.escapement.physics.replay.log;

import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.SavedState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A log that a {@link Recording} or a flight recorder has written. {@link #open} reads it once from start to end, to find damage before a
 * replay begins.
 *
 * <pre>{@code
 * InputLog log = InputLog.open(Path.of("run.esclog"));
 * InlineDriver driver = PhysicsService.builder(sceneOf(log.run())).replay(log).inline(clock);
 * }</pre>
 *
 * <p>Immutable, and keeps no file open; any thread may use it. A log that is still being written has the ticks that were complete when it
 * was opened.
 */
public final class InputLog implements TickSource.Run {

    private final LogSource source;
    private final LogHeader header;
    private final SavedState start;
    private final Map<Long, Place> seeks;
    private final long lastPosition;
    private final Set<CommandName> types;
    private final String cause;
    private final boolean complete;

    /** A position in the log, and its simulation tick. */
    record Place(long position, long tick) {}

    private InputLog(LogSource source, LogReader read, Map<Long, Place> seeks, Set<CommandName> types, String cause) {
        this.source = source;
        this.seeks = seeks;
        this.types = types;
        this.cause = cause;
        header = read.header();
        start = read.start();
        lastPosition = read.tick().position;
        complete = read.isClosedInOrder();
    }

    /**
     * Opens a log. A tick that a crash left unfinished is not part of it.
     *
     * @param file the log's file
     * @return the log
     * @throws DamagedLogException if the file is no log, is damaged, or was written by another version
     * @throws IOException         if it cannot be read
     */
    public static InputLog open(Path file) throws IOException {
        return read(new LogSource.File(file));
    }

    static InputLog read(LogSource source) throws IOException {
        try (LogReader reader = new LogReader(source, Long.MAX_VALUE)) {
            Set<CommandName> types = new LinkedHashSet<>();
            Map<Long, Place> seeks = new HashMap<>();
            Deque<Place> stretches = new ArrayDeque<>();
            stretches.add(new Place(reader.start().tick(), reader.start().tick()));
            String cause = "";
            while (reader.next()) { // the reader checks each tick
                LoggedTick tick = reader.tick();
                addSeek(tick, stretches, seeks);
                tick.commands.forEach(command -> types.add(command.type()));
                cause = cause.isEmpty() ? tick.cause() : cause;
            }
            return new InputLog(source, reader, seeks, types, cause);
        }
    }

    /**
     * Adds the seek before a tick, if there was one. A re-simulated tick is in the log twice, at two positions. The ticks that led to the
     * last one, without those that seeks undid, are stretches of the log. Each stretch is stored as a position and its simulation tick,
     * from which its other positions are counted.
     *
     * <pre>
     *   simulation tick     1    2    3         2    3
     *   position            1    2    3         4    5
     *   seeks               before position 4, to position 1, which is tick 1
     *   stretches           (0, 0)         then (0, 0) (4, 2): ticks 1, 2 and 3 at positions 1, 4 and 5 led to the last state
     * </pre>
     */
    private static void addSeek(LoggedTick tick, Deque<Place> stretches, Map<Long, Place> seeks) {
        long to = tick.wentBackTo;
        if (to >= 0) {
            while (stretches.getLast().tick > to) { // ends, because no seek leads to before the log's start
                stretches.removeLast();
            }
            Place last = stretches.getLast();
            seeks.put(tick.position, new Place(last.position + to - last.tick, to));
            stretches.add(new Place(tick.position, to + 1));
        }
    }

    LogReader reader() throws IOException {
        return new LogReader(source, lastPosition);
    }

    /** {@return the description with which the recording was created} */
    public RunDescription run() {
        return header.description();
    }

    String settings() {
        return header.settings();
    }

    Set<CommandName> commandTypes() {
        return types;
    }

    @Override
    public TickRate rate() {
        return run().rate();
    }

    /** Returns the seeks: by the position before which the run went back, the place to which it went. */
    Map<Long, Place> seeks() {
        return seeks;
    }

    /** {@return the number of recorded ticks; the last one of a flight recorder may have its input, but no hash} */
    public long ticks() {
        return lastPosition - start.tick();
    }

    /** {@return the number and position of the first tick: 1, unless a flight recorder has archived the log in the middle of a run} */
    @Override
    public long firstTick() {
        return start.tick() + 1;
    }

    /**
     * {@return the position of the last tick; one less than {@link #firstTick()} if there is none} Each tick's position is one more than
     * its predecessor's, also where the run went back.
     */
    public long lastPosition() {
        return lastPosition;
    }

    /** {@return the reason for which a flight recorder archived the log; empty for an ordinary recording} */
    public Optional<FlightReport> report() {
        return Optional.ofNullable(header.report());
    }

    SavedState start() {
        return start;
    }

    /** Returns why the states may differ on this processor, in words; empty if the log is of one of the same kind. */
    String processors() {
        String here = System.getProperty("os.arch");
        return header.processor().isEmpty() || header.processor().equals(here)
                ? ""
                : "the log is of " + header.processor() + " and this is " + here
                        + ", where Math.sin, cos and tan may give other bits; record and replay with"
                        + " -XX:+UnlockDiagnosticVMOptions -XX:DisableIntrinsic=_dsin,_dcos,_dtan";
    }

    /** Returns what the run used first that no log can repeat, in words; empty if nothing. */
    String cause() {
        return cause;
    }

    /**
     * Replays the log as fast as possible: restores the state with which the log starts, runs its ticks, and compares each state. Usable as
     * a test of a failure that a flight recorder has archived.
     *
     * <pre>{@code
     * ReplayResult repetition = InputLog.open(Path.of("flight-threw-tick-48213-5e1f0c77.esclog")).repeat(() -> myWorld());
     * assertEquals(ReplayResult.Outcome.RAN_THROUGH, repetition.outcome());
     * }</pre>
     *
     * <p>If the recorded process died or hung in the last tick, the calling process may do so, too.
     *
     * @param world creates a simulation that is built like the recorded one; this method closes it
     * @return the result of the replay
     * @throws IllegalArgumentException if the log does not match the simulation, or cannot be repeated
     */
    public ReplayResult repeat(Supplier<? extends Simulation> world) {
        try {
            return new FailureReplay(this).repeat(world.get());
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new IllegalStateException("the log cannot be repeated: " + checked, checked);
        }
    }

    @Override
    public TickSource open(Simulation simulation) {
        if (ticks() == 0) {
            throw new IllegalArgumentException("there is nothing to replay: " + this);
        }
        return new LogTicks(this, simulation);
    }

    /**
     * {@return whether the file has its end record} If not, the file was truncated, the recording failed, or its process ended. The log
     * then has the ticks that were written completely, and the run may have had more.
     */
    public boolean isComplete() {
        return complete;
    }

    @Override
    public String toString() {
        return source + ": " + ticks() + " ticks of " + run() + (complete ? "" : ", cut off");
    }
}
