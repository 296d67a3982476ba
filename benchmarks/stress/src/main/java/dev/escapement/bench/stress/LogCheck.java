package dev.escapement.bench.stress;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks that the library logs nothing that the storm does not explain. Until it is closed, it receives the library's warnings and errors
 * instead of the JVM's handlers. It receives nothing if the program uses a logging framework other than the JDK's. Any thread may log; only
 * one check at a time.
 */
final class LogCheck extends Handler implements AutoCloseable {

    private static final String PROBE = "This line shows whether a run under stress hears what is logged.";

    /**
     * Messages that the storm causes on purpose. Refused thread policies and late ticks are logged below the level of warnings, so they are
     * not needed here.
     */
    private static final List<Pattern> OF_A_STORM = Stream.of(
                    // Causes: some commands throw, and some are lambdas, which cannot be recorded.
                    "^Before tick \\d+, thread '.*' ran .*, which threw ",
                    "^Before tick \\d+ a command ran that is not data,",
                    "^The flight recorder has archived ", // the run reports a failed world itself
                    "^The flight recorder has a file of this fault already: ",
                    // Causes: listeners are slow, other processes take the cores, and input waits for threads without a
                    // core.
                    "^Tick \\d+ waits: thread '.*' has been in ",
                    "^The physics service.* has been slow for 2 s",
                    "^The physics service.* has dropped .*, which came too late: ",
                    // A full disk is described in words. Any other failure is not expected, and its message begins with
                    // the exception's class, which the pattern excludes.
                    "^The flight recorder cannot (archive a file in|remove its ring from) [^:]+: "
                            + "(?!\\S+(Exception|Error)\\b)",
                    // The run itself reports the causes: a full disk, a hanging world, the machine.
                    "^The (flight recorder|recording) has ended before tick ",
                    // Causes: the world cannot do what the messages below name, or was built without it.
                    " saves no state from which another process could continue\\.",
                    "^The events of tick \\d+ are wanted, but will have no contacts: ",
                    "^Queries will not hit \\d+ bodies of ",
                    // Causes: the storm moves bodies without reporting a teleport, and one reader looks ahead in every
                    // world.
                    " was taken for one that has jumped: ")
            .map(Pattern::compile)
            .toList();

    private static final List<Pattern> OF_A_WORLD = Stream.of(
                    " has captured a value that is not finite, a position beyond ",
                    "^In tick \\d+ Jolt had no room for all ")
            .map(Pattern::compile)
            .toList();

    private final Trial trial;
    private final Check check;
    private final boolean isPlanted;
    private final Logger logger = Logger.getLogger("dev.escapement");
    private final boolean parentsPrinted = logger.getUseParentHandlers();
    private final Level level = logger.getLevel();
    private final SimpleFormatter formatter = new SimpleFormatter();
    private volatile boolean isHeard;

    LogCheck(Trial trial) {
        check = trial.check(Promise.LOG_EXPLAINED);
        isPlanted = trial.planted() == Promise.LOG_EXPLAINED;
        this.trial = trial;
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.WARNING);
        logger.addHandler(this);
        System.getLogger("dev.escapement.soak").log(System.Logger.Level.WARNING, PROBE);
        if (!isHeard) {
            trial.leftOut(
                    Promise.LOG_EXPLAINED,
                    "the log was not listened to: it goes to "
                            + System.LoggerFinder.getLoggerFinder().getClass().getName());
        }
    }

    /** Counts as a check if messages can be received. Each message is judged when it is logged. */
    void look() {
        check.held(isHeard ? 1 : 0);
        if (isPlanted) {
            System.getLogger("dev.escapement.planted").log(System.Logger.Level.WARNING, "a line that is planted");
        }
    }

    @Override
    public void publish(LogRecord record) {
        String message = formatter.formatMessage(record);
        if (message.equals(PROBE)) {
            isHeard = true;
        } else if (isOneOf(OF_A_WORLD, message)) {
            trial.finding(message);
        } else if (!isOneOf(OF_A_STORM, message)) {
            String thrown = record.getThrown() == null ? "" : " (" + record.getThrown() + ")";
            check.broken(record.getLevel() + " " + record.getLoggerName() + ": " + message + thrown);
        }
    }

    private static boolean isOneOf(List<Pattern> known, String message) {
        return known.stream().anyMatch(one -> one.matcher(message).find());
    }

    @Override
    public void flush() {}

    /** Restores the handlers of the program. */
    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(level);
        logger.setUseParentHandlers(parentsPrinted);
    }
}
