package dev.escapement.bench.stress;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a run has to say beside its checks: each sentence once, whatever its numbers. Any thread. */
final class Notes {

    private static final int MAX_FINDINGS = 50;

    /** Lives have numbers of their own, and so have their threads and folders. */
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d.,]*");

    /** The first sentence of each kind. */
    private final Map<String, String> findings = new LinkedHashMap<>();

    private final Map<String, String> leftOut = new LinkedHashMap<>();

    /** Adds what is worth knowing of the world or the machine. */
    synchronized void finding(String sentence) {
        if (findings.size() < MAX_FINDINGS) {
            findings.putIfAbsent(NUMBER.matcher(sentence).replaceAll("#"), sentence);
        }
    }

    /** Says why a {@link StormPart} or the check of a {@link Promise} takes no part. */
    synchronized void leftOut(Enum<?> what, String why) {
        leftOut.put(what.toString(), why);
    }

    synchronized boolean isLeftOut(Enum<?> what) {
        return leftOut.containsKey(what.toString());
    }

    synchronized List<String> findings() {
        return List.copyOf(findings.values());
    }

    synchronized Map<String, String> leftOut() {
        return Map.copyOf(leftOut);
    }
}
