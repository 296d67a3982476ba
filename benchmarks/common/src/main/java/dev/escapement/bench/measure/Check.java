package dev.escapement.bench.measure;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts how often something was checked and how often it was wrong, with the first example of that. Any thread. */
public final class Check {

    private final LongAdder checked = new LongAdder();
    private final LongAdder broken = new LongAdder();
    private final AtomicReference<@Nullable String> example = new AtomicReference<>();

    /** Checks once; {@code what} is asked only for the first time it is wrong. */
    public void that(boolean held, Supplier<String> what) {
        checked.increment();
        if (!held) {
            broken.increment();
            if (example.get() == null) {
                example.compareAndSet(null, what.get());
            }
        }
    }

    /** Checked this many times, and right. */
    public void held(long times) {
        checked.add(times);
    }

    /** Checked once, and wrong. */
    public void broken(String what) {
        that(false, () -> what);
    }

    /** Adds what was counted elsewhere; the example counts only if anything was wrong. */
    public void add(long othersChecked, long othersBroken, String othersExample) {
        checked.add(othersChecked);
        if (othersBroken > 0) {
            broken.add(othersBroken);
            example.compareAndSet(null, othersExample);
        }
    }

    /** How often it was checked. */
    public long checked() {
        return checked.sum();
    }

    /** How often it was wrong. */
    public long broken() {
        return broken.sum();
    }

    /** What was seen when it was wrong first, empty if it never was. */
    public String example() {
        String first = example.get();
        return first == null ? "" : first;
    }
}
