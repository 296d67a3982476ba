package dev.escapement.bench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;

/**
 * Listens to the warnings and errors that the library logs, instead of the log's other handlers, until it is closed. Where the program has
 * its own {@link System.LoggerFinder}, nothing is heard. Any thread; one watch at a time.
 */
final class LogWatch implements AutoCloseable {

    private static final int MAX_LINES = 100;

    /**
     * Why a message is no fault.
     *
     * @param message is found in it
     * @param why     a sentence
     */
    record Rule(Pattern message, String why) {
        static Rule of(String regex, String why) {
            return new Rule(Pattern.compile(regex), why);
        }
    }

    /** What a storm causes on purpose. What threads are not granted, and late ticks by themselves, are no warnings. */
    static final List<Rule> OF_A_STORM = List.of(
            Rule.of("^Before tick \\d+, thread '.*' ran .*, which threw ", "the storm's commands throw now and then"),
            Rule.of("^Before tick \\d+ a command ran that is not data,", "some of the storm's commands are lambdas"),
            Rule.of(
                    "^Tick \\d+ waits: thread '.*' has been in ",
                    "listeners are slow, and other processes have the cores"),
            Rule.of(
                    "^The physics service.* has dropped .*, which came too late: ",
                    "input waits for threads without a core"),
            Rule.of("^The flight recorder has put aside .*Planned\\.", "the storm's commands throw now and then"),
            Rule.of(
                    "^The (flight recorder|recording) has ended before tick ",
                    "it is a finding, as when a disk is full"),
            Rule.of("^The flight recorder has put aside .* hung", "the world failed, which the run reports"),
            Rule.of("^The flight recorder has a file of this fault already: ", "the storm repeats its faults"),
            Rule.of("^Ticks may be late: the clock moves in steps of ", "a finding about the machine"),
            Rule.of(" saves no state from which another process could go on\\.", "the world cannot do it"),
            Rule.of(" was taken for one that has jumped: ", "the storm moves bodies without a word"),
            Rule.of("^The events of tick \\d+ are wanted, but will have no contacts: ", "the world wants it so"),
            Rule.of("^queries will not hit \\d+ bodies of ", "the world has bodies that it does not attach"),
            Rule.of(
                    "^This view looks ahead by velocities, but its snapshots have none: ",
                    "one reader looks ahead in any world"));

    private final Logger logger = Logger.getLogger("dev.escapement");
    private final boolean parentsPrinted = logger.getUseParentHandlers();
    private final Level level = logger.getLevel();
    private final Handler[] others = logger.getHandlers();
    private final Handler ears = new Ears();

    // Guarded by this.
    private final List<Rule> rules = new ArrayList<>(OF_A_STORM);
    private final List<String> lines = new ArrayList<>();

    /** Begins to listen. */
    LogWatch() {
        for (Handler other : others) {
            logger.removeHandler(other);
        }
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.WARNING);
        logger.addHandler(ears);
    }

    /** Lets messages in which an expression is found be no fault, from now on. */
    synchronized void explains(String regex, String why) {
        rules.add(Rule.of(regex, why));
    }

    /** {@return the first hundred messages that no rule explains} */
    synchronized List<String> unexplained() {
        return List.copyOf(lines);
    }

    private synchronized void heard(String message, LogRecord record) {
        if (lines.size() < MAX_LINES
                && rules.stream()
                        .noneMatch(rule -> rule.message.matcher(message).find())) {
            String thrown = record.getThrown() == null ? "" : " (" + record.getThrown() + ")";
            lines.add(record.getLevel() + " " + record.getLoggerName() + ": " + message + thrown);
        }
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
