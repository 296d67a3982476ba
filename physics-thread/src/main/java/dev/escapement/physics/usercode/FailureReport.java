package dev.escapement.physics.usercode;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports, once, that a physics thread has failed: to the user's handler, or to the {@link System.Logger} {@code dev.escapement.physics}.
 *
 * <p>Any thread. Throws nothing, even if the handler or the logger does.
 *
 * <p>See {@code PhysicsServiceBuilder.onFailure}.
 */
public final class FailureReport {

    private static final String LOGGER = "dev.escapement.physics";

    private final String service;
    private final @Nullable Consumer<? super Throwable> handler;
    private final boolean continuable;

    // Compare-and-set: one thread alone reports; nothing else is ordered by it.
    private final AtomicBoolean reported = new AtomicBoolean();

    /**
     * Creates a report; {@link #report} then issues it, once.
     *
     * @param service     the name of the service at the beginning of messages
     * @param handler     gets the failure, null for the logger
     * @param continuable whether another service may continue the ticks; false if they come from a source log
     */
    public FailureReport(String service, @Nullable Consumer<? super Throwable> handler, boolean continuable) {
        this.service = service;
        this.handler = handler;
        this.continuable = continuable;
    }

    /**
     * Reports the failure, unless that was done before.
     *
     * @param lastTick the last tick that was published
     * @param cause    why it failed
     */
    public void report(long lastTick, Throwable cause) {
        if (!reported.compareAndSet(false, true)) {
            return;
        }
        if (handler == null) {
            log(
                    System.Logger.Level.ERROR,
                    service + " has failed after tick " + lastTick
                            + ". Readers keep the last good window, commands fail. Fix the cause below"
                            + (continuable
                                    ? "; then start another service, from firstTick(" + (lastTick + 1)
                                            + ") to continue its ticks"
                                    : "")
                            + ". onFailure(...) replaces this message.",
                    cause);
            return;
        }
        try {
            handler.accept(cause);
        } catch (Throwable thrown) {
            if (thrown != cause) { // no exception can suppress itself
                cause.addSuppressed(thrown);
            }
            log(System.Logger.Level.ERROR, "onFailure(...) has thrown when it got this failure:", cause);
        }
    }

    /**
     * Logs a warning in one line. Any thread.
     *
     * @param message creates the message
     */
    public static void warn(Supplier<String> message) {
        String line;
        try {
            line = message.get().replaceAll("\\s*\\R\\s*", " ");
        } catch (OutOfMemoryError | StackOverflowError noRoomForIt) {
            return;
        }
        log(System.Logger.Level.WARNING, line, null);
    }

    /**
     * Describes an exception, and where it was thrown.
     *
     * @param thrown an exception of user code
     * @return its class and message, and the innermost call; never throws, though its message may
     */
    public static String describe(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        String origin = trace.length == 0 ? "" : ", at " + trace[0];
        try {
            return thrown + origin;
        } catch (Throwable itsMessageThrows) {
            return thrown.getClass().getName() + origin;
        }
    }

    /**
     * Says why something failed: for errors of memory and of files, such as a full disk, in words without the class of the exception.
     *
     * @param thrown the cause
     * @return a part of a sentence; never throws
     */
    public static String why(Throwable thrown) {
        String message;
        try {
            message = thrown.getMessage();
        } catch (Throwable itsMessageThrows) {
            return describe(thrown);
        }
        if (thrown instanceof OutOfMemoryError) {
            return "there is no memory left" + (message == null ? "" : ": " + message);
        }
        if (thrown instanceof FileSystemException file && file.getReason() == null) { // then only its class says why
            String name = thrown.getClass().getSimpleName().replace("Exception", "");
            return message + ": " + name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        }
        return thrown instanceof IOException && message != null ? message : describe(thrown);
    }

    /**
     * Names an object of the user in messages.
     *
     * @param what an object of the user, perhaps a lambda; or a name
     * @return the name of its class, or of the class that has the lambda
     */
    public static String nameOf(Object what) {
        String name = what instanceof String text ? text : what.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        return lambda < 0 ? name : "a lambda of " + name.substring(0, lambda);
    }

    private static void log(System.Logger.Level level, String message, @Nullable Throwable cause) {
        try {
            System.getLogger(LOGGER).log(level, message, cause);
        } catch (Throwable thrown) {
            // There is no memory for logging, or the logger is broken. failure() still has the cause.
        }
    }
}
