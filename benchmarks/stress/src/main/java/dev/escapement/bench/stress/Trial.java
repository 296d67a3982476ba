package dev.escapement.bench.stress;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The checks of a run, its planted fault if there is one, and its findings. Any thread. */
final class Trial {

    private static final int MAX_FINDINGS = 50;

    /**
     * Matches the numbers in a sentence. Comparisons leave them out, because each life has its own numbers in the names of threads and
     * folders.
     */
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d.,]*");

    private final @Nullable Promise planted;
    private final Map<Promise, Check> checks = new EnumMap<>(Promise.class);

    /** The first sentence of each kind; the key is the sentence without numbers. */
    private final Map<String, String> findings = new LinkedHashMap<>();

    private final Map<String, String> leftOut = new LinkedHashMap<>();

    // Written before a seed's threads start. A thread that an earlier seed has left behind reports the later seed.
    private String context = "";
    private BooleanSupplier plantsNow = () -> true;

    /** Creates the checks of some promises, one of which may be planted as broken. */
    Trial(Set<Promise> promises, @Nullable Promise planted) {
        this.planted = planted;
        promises.forEach(promise -> checks.put(promise, new Check(this::context)));
    }

    /** Returns whether the run must break a promise itself now, to show that its check finds it. */
    boolean isPlanted(Promise promise) {
        return promise == planted && plantsNow.getAsBoolean();
    }

    /** Plants the fault only while a condition is true. Any thread evaluates the condition. Call this before the run starts threads. */
    void plantWhere(BooleanSupplier condition) {
        plantsNow = condition;
    }

    @Nullable
    Promise planted() {
        return planted;
    }

    /** Returns whether the planted fault was found, so that the run can end. */
    boolean isFound() {
        return planted != null && check(planted).broken() > 0;
    }

    /** Returns the check of a promise, which must be one of the run's promises. */
    Check check(Promise promise) {
        Check check = checks.get(promise);
        if (check == null) {
            throw new IllegalArgumentException("this run does not state that " + promise.says());
        }
        return check;
    }

    /**
     * Checks a promise once; if its fault is planted, counts it as broken. {@code what} describes a violation; only the first one calls it.
     */
    void check(Promise promise, boolean held, Supplier<String> what) {
        check(promise).that(held && !isPlanted(promise), what);
    }

    /** Sets the context of examples, such as the seed and its faults. */
    void runs(String newContext) {
        context = newContext + ": ";
    }

    String context() {
        return context;
    }

    /** Returns the results so far, in the order of the promises. */
    List<Checked> checked() {
        return checks.entrySet().stream()
                .map(entry -> entry.getValue().result(entry.getKey()))
                .toList();
    }

    /** Adds a finding about the world or the machine. Sentences that differ only in numbers count once. */
    synchronized void finding(String sentence) {
        if (findings.size() < MAX_FINDINGS) {
            findings.putIfAbsent(NUMBER.matcher(sentence).replaceAll("#"), sentence);
        }
    }

    synchronized List<String> findings() {
        return List.copyOf(findings.values());
    }

    /** Notes why a {@link StormPart} or the check of a {@link Promise} takes no part. */
    synchronized void leftOut(Enum<?> what, String why) {
        leftOut.put(what.toString(), why);
    }

    synchronized Map<String, String> leftOut() {
        return Map.copyOf(leftOut);
    }

    boolean isLeftOut(Enum<?> what) {
        return leftOut().containsKey(what.toString());
    }
}
