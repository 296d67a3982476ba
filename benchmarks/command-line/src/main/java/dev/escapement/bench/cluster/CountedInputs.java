package dev.escapement.bench.cluster;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulation that also counts numbered commands. Each process numbers its commands from 1 on, so a lost command leaves a gap in the
 * numbers, and a command that is applied twice repeats a number. The counts are part of the state, so replicas must agree on them.
 *
 * <p>Physics thread only.
 */
final class CountedInputs extends ForwardingSimulation implements Restorable {

    /** A command with a number, which is one more than that of the previous command of the same process. */
    record Numbered(long process, long number) {

        static final CommandType<Numbered, Long> TYPE = CommandType.of(
                "numbered",
                1,
                (command, to) -> {
                    to.writeLong(command.process());
                    to.writeLong(command.number());
                },
                from -> new Numbered(from.readLong(), from.readLong()));
    }

    private final @Nullable Restorable restorable;
    private final Map<Long, Long> last = new TreeMap<>();
    private long lost;
    private long doubled;
    private long lastHash;
    private final CommandHandlers commands = new CommandHandlers().on(Numbered.TYPE, this::count);

    CountedInputs(Simulation simulation) {
        super(simulation);
        restorable = simulation.capability(Restorable.class).orElse(null);
    }

    private long count(long tick, Numbered command) {
        long before = last.getOrDefault(command.process, 0L);
        if (command.number <= before) {
            doubled++;
        } else {
            lost += command.number - before - 1;
            last.put(command.process, command.number);
        }
        return command.number;
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == Restorable.class && restorable == null ? Optional.empty() : super.capability(type);
    }

    @Override
    public boolean restoresElsewhere() {
        return Objects.requireNonNull(restorable).restoresElsewhere();
    }

    @Override
    public void save(StateBuffer to) {
        to.put(lost).put(doubled).put((long) last.size());
        last.forEach((process, number) -> to.put(process).put(number));
        Objects.requireNonNull(restorable).save(to);
    }

    @Override
    public void restore(StateBuffer from) {
        lost = from.getLong();
        doubled = from.getLong();
        last.clear();
        for (long left = from.getLong(); left > 0; left--) {
            last.put(from.getLong(), from.getLong());
        }
        Objects.requireNonNull(restorable).restore(from);
    }

    long lost() {
        return lost;
    }

    long doubled() {
        return doubled;
    }

    Map<Long, Long> last() {
        return last;
    }

    @Override
    public CommandHandlers commands() {
        return commands;
    }

    @Override
    public long hash() {
        lastHash = simulation.hash() * 31 + last.hashCode() + 7 * lost + 13 * doubled;
        return lastHash;
    }

    /** The last result of {@link #hash}. The service calls {@code hash} after each step, so this is the hash of the last tick. */
    long lastHash() {
        return lastHash;
    }
}
