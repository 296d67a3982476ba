package dev.escapement.bench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Listens to the warnings and errors that the library logs, instead of the log's other handlers, until it is closed. Where the program logs
 * by something else than the JDK, nothing is heard. Any thread; one watch at a time.
 */
final class LogWatch implements AutoCloseable {

    private static final int MAX_LINES = 100;
    private static final String PROBE = "This line shows whether a run under stress hears what is logged.";

    /** What a storm causes on purpose. What threads are not granted, and late ticks by themselves, are no warnings. */
    private static final List<Pattern> OF_A_STORM = Stream.of(
                    // Commands throw now and then, and some are lambdas.
                    "^Before tick \\d+, thread '.*' ran .*, which threw ",
                    "^Before tick \\d+ a command ran that is not data,",
                    "^The flight recorder has archived ", // if the world has failed, the run reports that
                    "^The flight recorder has a file of this fault already: ",
                    // Listeners are slow, other processes have the cores, and input waits for threads without a core.
                    "^Tick \\d+ waits: thread '.*' has been in ",
                    "^The physics service.* has dropped .*, which came too late: ",
                    // Worlds of a host hang.
                    "^A thread of the host ended, and was replaced: ",
                    // A full disk, in words: what else fails has the class of what was thrown.
                    "^The flight recorder cannot (archive a file in [^(]+\\(|remove its ring from [^:]+: )"
                            + "(?!\\S+(Exception|Error)\\b)",
                    // The run reports it: a full disk, a world that hangs, a machine.
                    "^The (flight recorder|recording) has ended before tick ",
                    // The world cannot do it, or wants it so.
                    " saves no state from which another process could continue\\.",
                    "^The events of tick \\d+ are wanted, but will have no contacts: ",
                    "^queries will not hit \\d+ bodies of ",
                    // The storm moves bodies without a word, and one reader looks ahead in any world.
                    " was taken for one that has jumped: ")
            .map(Pattern::compile)
            .toList();

    /** What the library says of the world. */
    private static final List<Pattern> OF_A_WORLD = Stream.of(
                    " has captured a value that is not finite, a position beyond ",
                    "^In tick \\d+ Jolt had no room for all ",
                    "^The first \\d+ ticks have not stepped ")
            .map(Pattern::compile)
            .toList();

    private final Notes notes;
    private final Logger logger = Logger.getLogger("dev.escapement");
    private final boolean parentsPrinted = logger.getUseParentHandlers();
    private final Level level = logger.getLevel();
    private final Handler[] others = logger.getHandlers();
    private final Handler ears = new Ears();

    // Guarded by this.
    private final List<String> lines = new ArrayList<>();
    private boolean isHeard;

    /**
     * Begins to listen.
     *
     * @param notes get what is said of the world
     */
    LogWatch(Notes notes) {
        this.notes = notes;
        for (Handler other : others) {
            logger.removeHandler(other);
        }
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.WARNING);
        logger.addHandler(ears);
        System.getLogger("dev.escapement.soak").log(System.Logger.Level.WARNING, PROBE);
    }

    /** {@return whether a line that it has logged itself, as the library logs, came back} */
    synchronized boolean isHeard() {
        return isHeard;
    }

    /** {@return the first hundred messages that the storm does not explain} */
    synchronized List<String> unexplained() {
        return List.copyOf(lines);
    }

    private synchronized void heard(String message, LogRecord record) {
        if (message.equals(PROBE)) {
            isHeard = true;
        } else if (isOneOf(OF_A_WORLD, message)) {
            notes.finding(message);
        } else if (lines.size() < MAX_LINES && !isOneOf(OF_A_STORM, message)) {
            String thrown = record.getThrown() == null ? "" : " (" + record.getThrown() + ")";
            lines.add(record.getLevel() + " " + record.getLoggerName() + ": " + message + thrown);
        }
    }

    private static boolean isOneOf(List<Pattern> known, String message) {
        return known.stream().anyMatch(one -> one.matcher(message).find());
    }

    /** Lets the log's handlers hear again. */
    @Override
    public void close() {
        logger.removeHandler(ears);
        logger.setLevel(level);
        logger.setUseParentHandlers(parentsPrinted);
        for (Handler other : others) {
            logger.addHandler(other);
        }
    }

    private final class Ears extends Handler {

        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord record) {
            heard(formatter.formatMessage(record), record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
