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

/** The checks of a run, the promise that the run breaks itself, if there is one, and what else is worth knowing. Any thread. */
final class Trial {

    private static final int MAX_FINDINGS = 50;

    /** Lives have numbers of their own, and so have their threads and folders. */
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d.,]*");

    private final @Nullable Promise planted;
    private final Map<Promise, Check> checks = new EnumMap<>(Promise.class);

    /** The first sentence of each kind. */
    private final Map<String, String> findings = new LinkedHashMap<>();

    private final Map<String, String> leftOut = new LinkedHashMap<>();

    // Set before a seed's threads start: one that is left of an earlier seed names the later one.
    private String context = "";
    private BooleanSupplier plantsNow = () -> true;

    /** Makes the checks of some promises; one of them is planted as broken, or none. */
    Trial(Set<Promise> promises, @Nullable Promise planted) {
        this.planted = planted;
        promises.forEach(promise -> checks.put(promise, new Check(this::context)));
    }

    /** Returns whether the run is to break a promise itself now, to show that its check finds it. */
    boolean isPlanted(Promise promise) {
        return promise == planted && plantsNow.getAsBoolean();
    }

    /** Plants only while a condition is true, which any thread calls. Before the run starts threads. */
    void plantWhere(BooleanSupplier condition) {
        plantsNow = condition;
    }

    /** Returns the promise that the run breaks itself, null if there is none. */
    @Nullable
    Promise planted() {
        return planted;
    }

    /** Returns whether the planted fault was found: then the run can end. */
    boolean isFound() {
        return planted != null && check(planted).broken() > 0;
    }

    /** Returns the check of a promise, which the run must state. */
    Check check(Promise promise) {
        Check check = checks.get(promise);
        if (check == null) {
            throw new IllegalArgumentException("this run does not state that " + promise.says());
        }
        return check;
    }

    /** Checks a promise once, as broken if that is planted; {@code what} is called only for the first violation. */
    void check(Promise promise, boolean held, Supplier<String> what) {
        check(promise).that(held && !isPlanted(promise), what);
    }

    /** Says what runs from now on, such as the seed and its faults: examples begin with it. */
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

    /** Adds what is worth knowing of the world or the machine: each sentence once, whatever its numbers. */
    synchronized void finding(String sentence) {
        if (findings.size() < MAX_FINDINGS) {
            findings.putIfAbsent(NUMBER.matcher(sentence).replaceAll("#"), sentence);
        }
    }

    synchronized List<String> findings() {
        return List.copyOf(findings.values());
    }

    /** Says why a {@link StormPart} or the check of a {@link Promise} takes no part. */
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
