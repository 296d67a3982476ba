package dev.escapement.bench.stress.trial;

import dev.escapement.bench.stress.trial.Outcome.Checked;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts how often a promise was looked at and how often it was broken. Any thread. */
public final class Check {

    private final LongAdder checked = new LongAdder();
    private final LongAdder broken = new LongAdder();
    private final AtomicReference<@Nullable String> example = new AtomicReference<>();

    Check() {}

    /** Looks at the promise once; {@code what} is asked only for the first time it is broken. */
    public void that(boolean held, Supplier<String> what) {
        checked.increment();
        if (!held) {
            broken.increment();
            if (example.get() == null) {
                example.compareAndSet(null, what.get());
            }
        }
    }

    /** Looked at so many times, and held. */
    public void held(long times) {
        checked.add(times);
    }

    /** Takes over what was seen elsewhere. */
    void add(Checked other) {
        checked.add(other.checked());
        if (other.broken() > 0) {
            broken.add(other.broken());
            example.compareAndSet(null, other.example());
        }
    }

    long checked() {
        return checked.sum();
    }

    long broken() {
        return broken.sum();
    }

    String example() {
        String first = example.get();
        return first == null ? "" : first;
    }
}
