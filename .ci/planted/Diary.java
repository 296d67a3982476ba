import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which rows were planted when, on which JDK, and how they were found: {@code .cache/planted.tsv}. The hosted CI keeps that folder between
 * runs, so that the slices of many runs add up. A row that was changed after it was planted counts as not planted.
 */
final class Diary {

    private static final Path FILE = Path.of(".cache", "planted.tsv");
    private static final int ID = 0;
    private static final int VERSION = 1;
    private static final int DATE = 2;
    private static final int JDK = 3;
    private static final int RESULT = 4;

    private final Map<String, String[]> last = new HashMap<>();

    Diary() throws IOException {
        if (Files.exists(FILE)) {
            for (String line : Files.readAllLines(FILE)) {
                String[] entry = line.split("\t", RESULT + 1);
                if (entry.length == RESULT + 1) {
                    last.put(entry[ID], entry);
                }
            }
        }
    }

    synchronized void write(Fault fault, String result) throws IOException {
        String[] entry = {
            fault.id,
            fault.version(),
            LocalDate.now(ZoneOffset.UTC).toString(),
            System.getProperty("java.specification.version"),
            result.lines().findFirst().orElse("")
        };
        last.put(fault.id, entry);
        Files.createDirectories(FILE.getParent());
        Files.writeString(
                FILE, String.join("\t", entry) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String[] entry(Fault fault) {
        String[] entry = last.get(fault.id);
        return entry != null && entry[VERSION].equals(fault.version())
                ? entry
                : new String[] {fault.id, "", "not yet", "-", "as it stands now"};
    }

    void print(List<Fault> rows) {
        System.out.printf("%-44s %-10s %3s  %s%n", "row", "planted", "JDK", "result");
        for (Fault row : rows) {
            String[] entry = entry(row);
            System.out.printf("%-44s %-10s %3s  %s%n", row.id, entry[DATE], entry[JDK], entry[RESULT]);
        }
        printSummary(rows);
    }

    /** Prints how many rows were planted on which day. */
    void printSummary(List<Fault> rows) {
        Map<String, Integer> counts = new TreeMap<>();
        rows.forEach(row -> counts.merge(entry(row)[DATE], 1, Integer::sum));
        System.out.println("rows by the day on which they were planted last: " + counts + " (.ci/planted/run table)");
    }
}
