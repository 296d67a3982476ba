package dev.escapement.bench.stress;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts checks and violations of a promise, and keeps the first violation as an example. Any thread. */
final class Check {

    private final Supplier<String> context;
    private final LongAdder checked = new LongAdder();
    private final LongAdder broken = new LongAdder();
    private final AtomicReference<@Nullable String> example = new AtomicReference<>();

    /** Creates a check. The example of a violation begins with {@code context}, which describes the run. */
    Check(Supplier<String> context) {
        this.context = context;
    }

    Check() {
        this(() -> "");
    }

    /** Counts a check, and a violation unless {@code held}. The first violation calls {@code what} for its description. */
    void that(boolean held, Supplier<String> what) {
        checked.increment();
        if (!held) {
            try {
                if (example.get() == null) {
                    example.compareAndSet(null, context.get() + what.get());
                }
            } finally {
                broken.increment(); // counted last, so that a thread that sees the count also sees the example
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

    String example() {
        String first = example.get();
        return first == null ? "" : first;
    }

    Checked result(Promise promise) {
        return new Checked(promise.toString(), promise.says(), checked(), broken(), example());
    }
}
