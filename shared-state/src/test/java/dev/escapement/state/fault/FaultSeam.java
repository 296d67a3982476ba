package dev.escapement.state.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call of foreign code fail: of a user, an engine, a device or the operating system. Fakes call {@link #reached} where
 * foreign code begins; the seam counts the calls of each place, and causes the fault in the chosen call. Any thread.
 */
public final class FaultSeam {

    public enum Fault {
        EXCEPTION,
        STACK_OVERFLOW,
        OUT_OF_MEMORY,
        INTERRUPT
    }

    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final String place;
    private final int call;
    private final Fault fault;
    private volatile @Nullable Throwable thrown;
    private volatile boolean hasStruck;

    private FaultSeam(String place, int call, Fault fault) {
        this.place = place;
        this.call = call;
        this.fault = fault;
    }

    public static FaultSeam counting() {
        return new FaultSeam("", 0, Fault.INTERRUPT);
    }

    /** Returns one seam for each combination of fault, reached place, and one of the first {@code maxCalls} calls there. */
    public List<FaultSeam> oneFaultEach(int maxCalls) {
        List<FaultSeam> seams = new ArrayList<>();
        new ConcurrentSkipListMap<>(calls).forEach((reached, count) -> {
            for (int number = 1; number <= Math.min(count, maxCalls); number++) {
                for (Fault each : Fault.values()) {
                    seams.add(new FaultSeam(reached, number, each));
                }
            }
        });
        return seams;
    }

    public void reached(String here) {
        int number = calls.merge(here, 1, Integer::sum);
        if (number == call && here.equals(place)) {
            strike();
        }
    }

    private void strike() {
        hasStruck = true;
        switch (fault) {
            case EXCEPTION -> throw planted(new IllegalArgumentException("planted"));
            case STACK_OVERFLOW -> throw planted(new StackOverflowError("planted"));
            case OUT_OF_MEMORY -> throw planted(new OutOfMemoryError("planted"));
            case INTERRUPT -> Thread.currentThread().interrupt();
        }
    }

    private <T extends Throwable> T planted(T throwable) {
        thrown = throwable;
        return throwable;
    }

    public boolean hasStruck() {
        return hasStruck;
    }

    /** Returns the planted exception: empty before the strike, and for an interrupt. */
    public Optional<Throwable> thrown() {
        return Optional.ofNullable(thrown);
    }

    public String place() {
        return place;
    }

    @Override
    public String toString() {
        return fault + " at call " + call + " of " + place;
    }
}
