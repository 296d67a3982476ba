package dev.escapement.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The paths of all keys of a JSON text, such as "rows[].errorMicros.mean". Scripts that read the files rely on them. */
public final class JsonKeys {

    private static final List<String> SUMMARY = List.of("mean", "p50", "p99", "p999", "max");

    private JsonKeys() {}

    /** Returns all paths, sorted; the elements of an array count as one. */
    public static SortedSet<String> of(String json) {
        SortedSet<String> paths = new TreeSet<>();
        collect("", JsonParser.parseString(json), paths);
        return paths;
    }

    /** Parses expected paths, one a line. "name: Summary" stands for a distribution and its five numbers. */
    public static SortedSet<String> listed(String lines) {
        SortedSet<String> paths = new TreeSet<>();
        for (String line : lines.lines().map(String::strip).toList()) {
            String path = line.replace(": Summary", "");
            paths.add(path);
            if (!path.equals(line)) {
                for (String metric : SUMMARY) {
                    paths.add(path + "." + metric);
                }
            }
        }
        return paths;
    }

    private static void collect(String path, JsonElement element, SortedSet<String> paths) {
        if (element.isJsonObject()) {
            element.getAsJsonObject().entrySet().forEach(entry -> {
                String key = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                paths.add(key);
                collect(key, entry.getValue(), paths);
            });
        } else if (element.isJsonArray()) {
            element.getAsJsonArray().forEach(each -> collect(path + "[]", each, paths));
        }
    }
}
