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

/** The checks and findings of a run, and the fault that is planted in it, if any. Any thread. */
final class Trial {

    private static final int MAX_FINDINGS = 50;

    /** Matches numbers. Sentences are compared without them, because names of threads and folders have other numbers in each life. */
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d.,]*");

    private final @Nullable Promise planted;
    private final Map<Promise, Check> checks = new EnumMap<>(Promise.class);

    /** The first of all findings that differ only in numbers. The key is the sentence without numbers. */
    private final Map<String, String> findings = new LinkedHashMap<>();

    private final Map<String, String> leftOut = new LinkedHashMap<>();

    // Written before the threads of a seed start. If an earlier seed has left a thread behind, its violations are
    // reported with the later seed.
    private String context = "";
    private BooleanSupplier plantsNow = () -> true;

    Trial(Set<Promise> promises, @Nullable Promise planted) {
        this.planted = planted;
        promises.forEach(promise -> checks.put(promise, new Check(this::context)));
    }

    /** Returns whether the caller must break this promise now, to show that the promise's check finds it. */
    boolean isPlanted(Promise promise) {
        return promise == planted && plantsNow.getAsBoolean();
    }

    /**
     * Restricts the planted fault to times when a condition holds. Any thread evaluates the condition. Call this before the run starts
     * threads.
     */
    void plantWhere(BooleanSupplier condition) {
        plantsNow = condition;
    }

    @Nullable
    Promise planted() {
        return planted;
    }

    boolean isFound() {
        return planted != null && check(planted).broken() > 0;
    }

    Check check(Promise promise) {
        Check check = checks.get(promise);
        if (check == null) {
            throw new IllegalArgumentException("this run does not state that " + promise.says());
        }
        return check;
    }

    /**
     * Checks a promise once; counts it as broken, too, if it is the planted one. The first violation calls {@code what} for its
     * description.
     */
    void check(Promise promise, boolean held, Supplier<String> what) {
        check(promise).that(held && !isPlanted(promise), what);
    }

    void runs(String newContext) {
        context = newContext + ": ";
    }

    String context() {
        return context;
    }

    List<Checked> checked() {
        return checks.entrySet().stream()
                .map(entry -> entry.getValue().result(entry.getKey()))
                .toList();
    }

    /** Adds a finding about the world or the machine. Of sentences that differ only in numbers, the first one is kept. */
    synchronized void finding(String sentence) {
        if (findings.size() < MAX_FINDINGS) {
            findings.putIfAbsent(NUMBER.matcher(sentence).replaceAll("#"), sentence);
        }
    }

    synchronized List<String> findings() {
        return List.copyOf(findings.values());
    }

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
