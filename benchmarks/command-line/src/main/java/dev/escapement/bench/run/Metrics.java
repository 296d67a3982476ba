package dev.escapement.bench.run;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.Table;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats measured metrics for people: verdicts, and everything in the JSON file, with its keys in words. */
public final class Metrics {

    private static final String MICROS = "Micros";
    private static final Table<String[]> COUNTS =
            new Table<String[]>().left("", row -> row[0]).left("", row -> row[1]);
    private static final Table<Named> DISTRIBUTIONS = Table.ofDurations(Named::name, Named::micros);

    private final String headline;
    private final String library;
    private final String surroundings;
    private final List<String> faults;
    private final JsonObject json;
    private final List<String[]> counts = new ArrayList<>();
    private final List<Named> distributions = new ArrayList<>();

    private record Named(String name, Summary micros) {}

    /**
     * Metrics of a record.
     *
     * @param headline     the run in a line
     * @param held         the promises, if all held
     * @param surroundings how the machine or the network did, a line
     * @param faults       the promises that were broken, a sentence each
     * @param result       the content of the JSON file
     * @param opened       components that are replaced by their own components
     */
    public Metrics(
            String headline, String held, String surroundings, List<String> faults, Record result, String... opened) {
        this.headline = headline;
        this.surroundings = surroundings;
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
        of.entrySet().forEach(entry -> {
            JsonElement value = entry.getValue();
            String name = prefix + words(entry.getKey());
            if (!value.isJsonObject()) {
                String text = text(value);
                if (!text.isEmpty()) {
                    counts.add(new String[] {name, text});
                }
            } else if (!value.getAsJsonObject().has("p99")) {
                add(name + ": ", value.getAsJsonObject());
            } else if (entry.getKey().endsWith(MICROS)
                    && value.getAsJsonObject().has("mean")) {
                String what = words(entry.getKey().substring(0, entry.getKey().length() - MICROS.length()));
                distributions.add(new Named(what, new Gson().fromJson(value, Summary.class)));
            } else {
                counts.add(new String[] {name, text(value)});
            }
        });
    }

    private static String words(String key) {
        return key.replaceAll("([A-Z])", " $1").replace('-', ' ').toLowerCase(Locale.ROOT);
    }

    private static String text(JsonElement value) {
        if (value.isJsonObject()) {
            return value.getAsJsonObject().entrySet().stream()
                    .map(part -> part.getKey() + " " + text(part.getValue()))
                    .collect(Collectors.joining(", "));
        }
        if (value.isJsonArray()) {
            return value.getAsJsonArray().asList().stream().map(Metrics::text).collect(Collectors.joining(", "));
        }
        return value.getAsJsonPrimitive().isNumber() ? number(value.getAsDouble()) : value.getAsString();
    }

    /** A number with at most three decimals: {@code 1,200}, {@code 59.94}. */
    public static String number(double value) {
        return new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }

    /** The verdicts and faults first, then the counts and the distributions. */
    public String text() {
        List<String> lines = new ArrayList<>(List.of(headline, library, surroundings));
        faults.forEach(fault -> lines.add("FAULT: " + fault));
        lines.addAll(List.of("", COUNTS.textWithoutBorders(counts)));
        if (!distributions.isEmpty()) {
            lines.addAll(List.of("", DISTRIBUTIONS.text(distributions), "Distributions leave out the warm-up."));
        }
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    /** The values of the page's template, without plots. */
    Map<String, Object> forPage() {
        Map<String, Object> page = new HashMap<>();
        page.put("title", headline);
        page.put("library", library);
        page.put("isBroken", !faults.isEmpty());
        page.put("surroundings", surroundings);
        page.put("faults", faults);
        page.put("counts", counts);
        page.put("headers", DISTRIBUTIONS.headers());
        page.put("distributions", DISTRIBUTIONS.cells(distributions));
        return page;
    }

    /** Writes the JSON file, whole or not at all. */
    public void write(Path file) {
        JsonFile.write(file, json);
    }
}
