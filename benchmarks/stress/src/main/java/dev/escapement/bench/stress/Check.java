package dev.escapement.bench.stress;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts how often something was checked and how often it was wrong, with the first wrong example. Any thread. */
final class Check {

    private final Supplier<String> context;
    private final LongAdder checked = new LongAdder();
    private final LongAdder broken = new LongAdder();
    private final AtomicReference<@Nullable String> example = new AtomicReference<>();

    /** @param context what runs, which an example begins with */
    Check(Supplier<String> context) {
        this.context = context;
    }

    /** Makes a check whose examples say all. */
    Check() {
        this(() -> "");
    }

    /** Checks once; {@code what} is called only for the first wrong one. */
    void that(boolean held, Supplier<String> what) {
        checked.increment();
        if (!held) {
            try {
                if (example.get() == null) {
                    example.compareAndSet(null, context.get() + what.get());
                }
            } finally {
                broken.increment(); // last: who sees it sees an example
            }
        }
    }

    void held(long times) {
        checked.add(times);
    }

    void broken(String what) {
        that(false, () -> what);
    }

    long checked() {
        return checked.sum();
    }

    long broken() {
        return broken.sum();
    }

    /** Returns the first wrong example, empty if there is none. */
    String example() {
        String first = example.get();
        return first == null ? "" : first;
    }

    Checked result(Promise promise) {
        return new Checked(promise.toString(), promise.says(), checked(), broken(), example());
    }
}
