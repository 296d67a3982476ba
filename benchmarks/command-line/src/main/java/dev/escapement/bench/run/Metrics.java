package dev.escapement.bench.run;

import static java.util.Map.entry;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.Figure;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.Table;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Formats measured metrics for people: a headline, verdicts, and all content of the JSON file with its keys in words. */
public final class Metrics {

    private static final int WIDTH = 80;

    private static final Map<String, String> UNITS =
            Map.of("Micros", " ms", "Millis", " ms", "Seconds", " s", "Percent", " %");

    /**
     * JSON keys that few people need. The printed text leaves them out, and leaves out counts that are 0; the JSON file has all of them.
     */
    private static final Set<String> RARE = Set.of(
            "warmUpSeconds",
            "java",
            "threadPolicyDetails",
            "expectedTicks",
            "missedAfterWarmUp",
            "windowsChecked",
            "windowAdvice",
            "unevennessPercent");

    private static final Map<String, String> LABELS = Map.ofEntries(
            entry("tickHz", "ticks per second"),
            entry("fps", "frames per second"),
            entry("slowedTicks", "ticks fewer in slow motion"),
            entry("lostToTicks", "lost: ticks took too long themselves"),
            entry("lostToOthers", "lost: no core was free"),
            entry("lostToJvm", "lost: the JVM paused"),
            entry("lostUnexplained", "lost: not known"),
            entry("paused", "the JVM paused, also in time"),
            entry("waited", "the render thread had no core"),
            entry("physicsCore", "physics thread's share of a core"),
            entry("publishDelay", "publish delay (due to readable)"),
            entry("frames", "frames shown"),
            entry("missedFrameSlots", "frames missed"),
            entry("holds", "frames that waited for a tick"),
            entry("unevennessP99", "unevenness at most, 99 % of frames"),
            entry("misplacedFrames", "frames at a wrong time"),
            entry("uncountedRepeats", "repeated frames not counted"),
            entry("quarantinedPoses", "poses replaced (invalid)"),
            entry("windowsChecked", "windows (snapshots in a row) checked"),
            entry("nonConsecutiveWindows", "windows with a gap"),
            entry("lookBehind", "look-behind"),
            entry("slotError", "animation error"),
            entry("realError", "animation error when drawn"));

    private static final Table<Map.Entry<String, String>> COUNTS =
            new Table<Map.Entry<String, String>>().left("", Map.Entry::getKey).left("", Map.Entry::getValue);
    private static final Table<Named> DISTRIBUTIONS = Table.ofDurations(Named::name, Named::micros);

    private final String headline;
    private final List<Figure> figures;
    private final String title;
    private final String library;
    private final List<String> surroundings;
    private final boolean isWell;
    private final List<String> faults;
    private final JsonObject json;
    private final Map<String, String> counts = new LinkedHashMap<>();

    private final List<Named> distributions = new ArrayList<>();

    private record Named(String name, Summary micros) {}

    /**
     * Creates the metrics of a record.
     *
     * @param headline     what a person wants to know first, in at most nine words; replaced if a promise was broken
     * @param figures      the figures that decide the headline, or explain it
     * @param title        the run in a line
     * @param held         the sentence about the promises of the library, shown if the run kept them all
     * @param surroundings one or two sentences each about the machine or the network
     * @param isWell       whether the machine or the network did well
     * @param faults       one sentence per promise that was broken
     * @param result       the content of the JSON file
     * @param opened       names of components of {@code result} that are records: each is replaced by its own components
     */
    public Metrics(
            String headline,
            List<Figure> figures,
            String title,
            String held,
            List<String> surroundings,
            boolean isWell,
            List<String> faults,
            Record result,
            String... opened) {
        this.headline = faults.isEmpty() ? headline : "Broken: see the faults below.";
        this.figures = figures;
        this.title = title;
        this.surroundings = surroundings;
        this.isWell = isWell;
        this.faults = faults;
        library = "Library: "
                + (faults.isEmpty()
                        ? "every promise held: " + held
                        : faults.size() + (faults.size() == 1 ? " promise was" : " promises were")
                                + " broken, see below")
                + ".";
        json = JsonFile.tree(result, opened).getAsJsonObject();
        add("", json);
    }

    private void add(String prefix, JsonObject of) {
        of.asMap().forEach((key, value) -> {
            String unit =
                    UNITS.keySet().stream().filter(key::endsWith).findFirst().orElse("");
            String bare = key.substring(0, key.length() - unit.length());
            String name = prefix + LABELS.getOrDefault(bare, words(bare));
            JsonObject parts = value.isJsonObject() ? value.getAsJsonObject() : new JsonObject();
            if (key.startsWith("inputTo") && parts.get("max").getAsDouble() == 0) {
                // No latency was measured, because the run had no input.
                return;
            }
            if (parts.has("mean")) {
                distributions.add(new Named(name, new Gson().fromJson(parts, Summary.class)));
            } else if (value.isJsonObject() && !parts.has("p99")) {
                add(name + ": ", parts);
            } else if (!RARE.contains(key) && !text(value, unit).matches("|0( .*)?")) {
                counts.put(name, text(value, unit));
            }
        });
    }

    private static String words(String key) {
        return key.replaceAll("([A-Z])", " $1").replace('-', ' ').toLowerCase(Locale.ROOT);
    }

    private static String text(JsonElement value, String unit) {
        if (value.isJsonObject()) {
            return value.getAsJsonObject().asMap().entrySet().stream()
                    .map(part -> part.getKey() + " " + text(part.getValue(), unit))
                    .collect(Collectors.joining(", "));
        }
        if (value.isJsonArray()) {
            return value.getAsJsonArray().asList().stream()
                    .map(part -> text(part, unit))
                    .collect(Collectors.joining(", "));
        }
        return value.getAsJsonPrimitive().isNumber()
                ? number(value.getAsDouble() / (unit.equals("Micros") ? 1e3 : 1)) + UNITS.getOrDefault(unit, "")
                : value.getAsString();
    }

    /** Formats a number with at most three decimals: {@code 1,200}, {@code 59.94}. */
    public static String number(double value) {
        return new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }

    /** Returns the printed text: the headline, verdicts and faults first, then the counts and the distributions. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add(headline);
        lines.add(wrapped(figures.stream().map(Figure::toString).collect(Collectors.joining("; ")) + "."));
        lines.add(wrapped(title + "."));
        lines.add(wrapped(library));
        surroundings.forEach(sentences -> lines.add(wrapped(sentences)));
        faults.forEach(fault -> lines.add("FAULT: " + fault));
        lines.addAll(List.of("", COUNTS.textWithoutBorders(List.copyOf(counts.entrySet()))));
        if (!distributions.isEmpty()) {
            lines.addAll(List.of("", DISTRIBUTIONS.text(distributions), "Distributions leave out the warm-up."));
        }
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String wrapped(String text) {
        return text.replaceAll("(.{1," + WIDTH + "})(?: |$)", "$1" + System.lineSeparator())
                .stripTrailing();
    }

    Map<String, Object> forPage() {
        Map<String, Object> page = new HashMap<>();
        page.put("headline", headline);
        page.put("figures", figures);
        page.put("title", title);
        page.put("library", library);
        page.put("isBroken", !faults.isEmpty());
        page.put("surroundings", surroundings);
        page.put("isWell", isWell);
        page.put("faults", faults);
        page.put("counts", counts);
        page.put("headers", DISTRIBUTIONS.headers());
        page.put("distributions", DISTRIBUTIONS.cells(distributions));
        return page;
    }

    /** Writes the JSON file. After a failed write the file does not exist or keeps its old content. */
    public void write(Path file) {
        JsonFile.write(file, json);
    }
}
