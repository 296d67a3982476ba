package dev.escapement.physics.loop;

import dev.escapement.physics.command.CommandData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The commands that the physics thread executed since the last tick. Physics thread only. */
final class ExecutedCommands {

    /** A log has room for at most this many commands before a tick. */
    private static final int MAX_COMMANDS = 1 << 16;

    private static final long MAX_BYTES = 1 << 24;

    private final List<CommandData> data = new ArrayList<>();
    private final List<CommandData> view = Collections.unmodifiableList(data);
    private long bytes;
    private boolean isLocal;

    /** Adds a command that is data. Throws if there is no room: the command must not run then, because no log could repeat the run. */
    void add(CommandData command) {
        if (data.size() == MAX_COMMANDS || bytes + command.bytes().length > MAX_BYTES) {
            throw new IllegalStateException(
                    data.size() + " commands with " + bytes
                            + " bytes ran since the last tick, and a recording has room for no more; offer fewer while time stands still");
        }
        data.add(command);
        bytes += command.bytes().length;
    }

    void addLocal() {
        isLocal = true;
    }

    void clear() {
        data.clear();
        bytes = 0;
        isLocal = false;
    }

    boolean isEmpty() {
        return !isLocal && data.isEmpty();
    }

    List<CommandData> data() {
        return view;
    }

    /** Whether a command ran that is no data. */
    boolean isLocal() {
        return isLocal;
    }
}
