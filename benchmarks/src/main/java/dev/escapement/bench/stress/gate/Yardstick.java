package dev.escapement.bench.stress.gate;

import java.util.Locale;

/** What a figure is measured by. */
public enum Yardstick {
    /** How late a plain {@code parkNanos} wakes up, the median. */
    WAKE_UP,
    /** How long it takes to copy 1 MB. */
    COPY,
    /** How long a {@code getAndSet} takes that nobody contends. */
    GET_AND_SET,
    /** Nothing: the figure as it is. */
    NONE;

    /** The key in files. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
