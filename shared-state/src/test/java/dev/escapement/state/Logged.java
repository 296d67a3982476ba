package dev.escapement.state;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.NullMarked;

/** Collects the log records of a module until it is closed. */
@NullMarked
public final class Logged extends Handler implements AutoCloseable {

    public final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Logger logger;

    public Logged(String module) {
        logger = Logger.getLogger("dev.escapement." + module);
        logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord reported) {
        records.add(reported);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
