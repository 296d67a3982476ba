package dev.escapement.bench.golden;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.escapement.bench.compare.MeasuredLoops;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the loops of {@code compare}. A line has the main metrics of a loop, and a CRC32C of all its metrics, because the whole
 * compare.json has 390 kB.
 */
final class CompareLines {

    private static final double THOUSANDTHS = 1e3;

    private final List<String> lines = new ArrayList<>();
    private final Bits bits = new Bits();

    private CompareLines() {}

    static List<String> of() {
        CompareLines made = new CompareLines();
        JsonObject json = MeasuredLoops.json();
        made.lines.add("{");
        for (JsonElement element : json.getAsJsonArray("onVirtualClock")) {
            JsonObject result = element.getAsJsonObject();
            JsonObject error = result.getAsJsonObject("errorMicros");
            made.add(
                    text(result, "contestant") + ", " + text(result, "load") + ", " + text(result, "refresh"),
                    result,
                    text(result, "frames") + " frames",
                    "error " + thousandths(error, "mean") + " ns, p99 " + thousandths(error, "p99") + " ns",
                    "speed " + thousandths(result, "speed") + "/1000");
        }
        int last = made.lines.size() - 1;
        made.lines.set(last, made.lines.get(last).replaceFirst(",$", ""));
        made.lines.add("}");
        return made.lines;
    }

    private void add(String name, JsonObject whole, String... metrics) {
        addAll(whole);
        lines.add("  \"" + name + "\": \"" + String.join(", ", metrics) + ", crc " + bits.take() + "\",");
    }

    /** Adds numbers by their bits, because JDK 17 and 25 write some with different digits. */
    private void addAll(JsonObject whole) {
        whole.entrySet().forEach(entry -> {
            bits.add(entry.getKey());
            JsonElement value = entry.getValue();
            if (value.isJsonObject()) {
                addAll(value.getAsJsonObject());
            } else if (value.getAsJsonPrimitive().isNumber()) {
                bits.add(value.getAsDouble());
            } else {
                bits.add(value.getAsString());
            }
        });
    }

    private static String text(JsonObject of, String key) {
        return of.get(key).getAsString();
    }

    /** Returns whole thousandths, because JDK 17 and 25 write some fractions with different digits. */
    private static long thousandths(JsonObject of, String key) {
        return Math.round(of.get(key).getAsDouble() * THOUSANDTHS);
    }
}
